import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SandglassError } from '../../../../shared/model/errors.ts';
import { compileReplacement } from '../../../../shared/model/expressions/replacement.ts';
import { hasNonFinite, type JsonObject } from '../../../../shared/model/json/json.ts';

const NOW = Date.UTC(2026, 0, 1, 12);

function apply(expression: string, document: JsonObject = {}) {
  return compileReplacement(expression).apply(document, NOW);
}

describe('a replacement', () => {
  it("[A3] releases a claim as in Marconi's queues, and keeps the message", () => {
    const message = { _id: 'm1', body: { event: 'BackupStarted' }, c: { id: 'claim-7', e: 1_700_000_000 } };
    expect(apply('merge(without(doc, "c.e"), {"c": {"id": null}})', message)).toEqual({
      document: { _id: 'm1', body: { event: 'BackupStarted' }, c: { id: null } },
    });
  });

  it('[A3] by null removes the document', () => {
    expect(apply('doc.keep ? doc : null', { keep: false })).toEqual({ remove: true });
    expect(apply('doc.keep ? doc : null', { keep: true })).toEqual({ document: { keep: true } });
  });

  it('[A3] by a map stores it as the new document', () => {
    expect(apply('{"_id": doc._id, "expired": true, "was": [doc.a, 1, "x"]}', { _id: 'u', a: 2 })).toEqual({
      document: { _id: 'u', expired: true, was: [2, 1, 'x'] },
    });
  });

  it('[A3] by merge combines maps, sets null, and replaces lists', () => {
    expect(
      apply('merge(doc, {"a": {"x": 1}, "l": [2], "n": null})', { a: { x: 0, y: 0 }, l: [1], n: 5 }),
    ).toEqual({ document: { a: { x: 1, y: 0 }, l: [2], n: null } });
    expect(apply('merge(doc, doc.a)', { a: 1 })).toEqual({
      problem: 'merge takes two maps, not a map and a double.',
    });
  });

  it('[A3] by without removes up to eight paths, or a list of them', () => {
    const document = { a: 1, b: { c: 2, d: 3 }, e: 'x' };
    expect(apply('without(doc, "a", "b.c", "e.f", "g.h")', document)).toEqual({
      document: { b: { d: 3 }, e: 'x' },
    });
    expect(apply('without(doc, ["a", "b"])', document)).toEqual({ document: { e: 'x' } });
    expect(apply('without(doc, "1", "2", "3", "4", "5", "6", "7", "b.d")', document)).toEqual({
      document: { a: 1, b: { c: 2 }, e: 'x' },
    });
    expect(apply('without(doc, doc.a)', document)).toMatchObject({
      problem: expect.stringContaining('names'),
    });
  });

  it('[A3] gives plain JSON', () => {
    expect(
      apply('merge(doc, {"at": now, "left": duration("90s"), "n": 1, "m": 9007199254740993})', {
        big: 9007199254740995n,
      }),
    ).toEqual({
      document: {
        big: 9007199254740995n,
        at: '2026-01-01T12:00:00.000Z',
        left: 90,
        n: 1,
        m: 9007199254740993n,
      },
    });
    expect(apply('{"n": doc.big - 9007199254740993}', { big: 9007199254740995n })).toEqual({
      document: { n: 2 },
    });
    expect(apply('{"at": now + duration(doc.s)}', { s: 1e15 })).toMatchObject({
      problem: expect.stringContaining('outside the years'),
    });
    expect(apply('{"x": 1 / doc.zero}', { zero: 0 })).toEqual({
      problem: 'A document cannot hold Infinity.',
    });
  });

  it('[A5] by a value that is not a document fails', () => {
    expect(apply('doc.a', { a: [1] })).toEqual({
      problem: 'The expression gives a list; it should give a document, or null.',
    });
    expect(apply('{"x": doc.gone}')).toEqual({ problem: 'doc.gone: there is no field “gone”.' });
    expect(apply('{doc.a: 1}', { a: 1 })).toMatchObject({
      problem: expect.stringContaining('name of a field'),
    });
  });

  it('[A3] shares no object with its source document', () => {
    const document = { a: { b: [1] } };
    const replaced = apply('doc', document);
    expect(replaced).toEqual({ document });
    if ('document' in replaced) replaced.document.a = null;
    expect(document).toEqual({ a: { b: [1] } });
    const kept = apply('merge(doc, {"x": 1})', document);
    if ('document' in kept) expect(kept.document.a).not.toBe(document.a);
  });

  it.each([
    ['now', 1, 'This gives a timestamp'],
    ['merge(doc)', 1, 'merge cannot be applied to (dyn)'],
    ['merge(doc, {"at": updatedAt})', 19, '“now” is'],
    ['without(doc, "a"', 17, '“)” is expected'],
    ['merge(doc, {"a": nw})', 18, '“nw” is not known'],
  ])('[A3] by %s is refused with its column', (expression, column, says) => {
    const compile = () => compileReplacement(expression);
    expect(compile).toThrow(SandglassError);
    expect(compile).toThrow(says);
    expect(compile).toThrow(expect.objectContaining({ data: { expression, line: 1, column } }));
  });

  it('[A3] never throws, gives finite JSON, and does not change the document', () => {
    const replacements = [
      'merge(without(doc, "a.b", "b"), {"c": {"id": null}, "at": now})',
      'merge(doc, doc.a)',
      'without(doc, doc.a)',
      '{"sum": doc.a + doc.b, "all": [doc, doc.a]}',
      'doc.a == doc.b ? null : doc',
    ].map(compileReplacement);
    const value = fc.oneof(fc.jsonValue(), fc.bigInt(), fc.double());
    fc.assert(
      fc.property(fc.record({ a: value, b: value }, { requiredKeys: [], noNullPrototype: true }), input => {
        const document = input as JsonObject;
        const before = structuredClone(document);
        for (const replacement of replacements) {
          const replaced = replacement.apply(document, NOW);
          if ('document' in replaced) expect(hasNonFinite(replaced.document)).toBe(false);
        }
        expect(document).toEqual(before);
      }),
      { numRuns: 500 },
    );
  });
});
