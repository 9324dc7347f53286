import { describe, expect, it } from 'vitest';
import { SandglassError } from '../../../../shared/model/errors.ts';
import { compileFilter } from '../../../../shared/model/expressions/document-filter.ts';

const WRITTEN = Date.UTC(2026, 0, 31);
const chooses = (text: string, document: unknown) => compileFilter(text)(document, WRITTEN);

function mistake(text: string): SandglassError {
  try {
    compileFilter(text);
  } catch (error) {
    if (error instanceof SandglassError) return error;
    throw error;
  }
  throw new Error(`${text} has no mistake`);
}

describe('a CEL filter', () => {
  it('matches by fields, with any kind of number', () => {
    expect(chooses('doc.tenant == "acme" && doc.seats > 2', { tenant: 'acme', seats: 3 })).toBe(true);
    expect(chooses('doc.tenant == "acme" && doc.seats > 2', { tenant: 'acme', seats: 3n })).toBe(true);
    expect(chooses('doc.tenant == "acme" && doc.seats > 2', { tenant: 'acme', seats: 2 })).toBe(false);
  });

  it.each(['[].filter(x, x == 1).size() == 0', '{}.all(x, x + 1 > 0)', '![].exists(x, x == has(doc.a))'])(
    'refuses an operator on items that have no type: %s',
    text => {
      expect(mistake(text).message).toContain('write dyn([]) or dyn({})');
      expect(chooses(text.replace('[]', 'dyn([])').replace('{}', 'dyn({})'), {})).toBe(true);
    },
  );

  it('matches by the last write', () => {
    expect(chooses('updatedAt < timestamp("2026-02-01")', {})).toBe(true);
    expect(chooses('updatedAt < timestamp("2026-01-31")', {})).toBe(false);
  });

  it('does not match a document without a value, nor one whose result is not a boolean', () => {
    expect(chooses('doc.seats > 2', {})).toBe(false);
    expect(chooses('doc.seats > 2', { seats: 'three' })).toBe(false);
    expect(chooses('doc.flag', { flag: 'yes' })).toBe(false);
    expect(chooses('doc.flag', { flag: true })).toBe(true);
    expect(chooses('!has(doc.seats)', {})).toBe(true);
  });

  it('evaluates any number of documents, and does not match one that is too expensive to evaluate', () => {
    const text = 'doc.list.exists(x, doc.list.exists(y, y == x + 1))';
    const chooses = compileFilter(text);
    const short = { list: [1, 2] };
    expect(chooses({ list: Array.from({ length: 5_000 }, () => 7) }, WRITTEN)).toBe(false);
    for (let i = 0; i < 10_000; i++) if (!chooses(short, WRITTEN)) throw new Error(`not chosen, ${i}`);
  });

  it('names the line and column of a mistake', () => {
    expect(mistake('doc.seats >')).toMatchObject({ code: 'INVALID_FILTER', data: { line: 1 } });
    expect(mistake('doc.a == 1 &&\n doc.b ~ 2')).toMatchObject({
      code: 'INVALID_FILTER',
      data: { line: 2, column: 8 },
    });
    expect(mistake('updatedAt < now').message).toContain('“now” is not available');
    expect(mistake('"text"').message).toContain('a filter is true or false');
  });
});
