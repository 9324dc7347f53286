import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DocumentText,
  jsonSplitter,
  ndjsonSplitter,
} from '../../../../electron/engine/jobs/document-splitter.ts';
import { LARGEST_DOCUMENT_BYTES } from '../../../../shared/model/names.ts';
import { cutAt } from '../../../support/cut.ts';

function split(...pieces: string[]): DocumentText[] {
  const splitter = jsonSplitter();
  return [...pieces.flatMap(piece => splitter.push(piece)), ...splitter.end()];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 8 });
const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });
const space = fc.constantFrom('', ' ', '\n', '\r\n', '\t \n');
const layout = fc.record({
  space,
  indent: fc.constantFrom(0, 2),
  shape: fc.constantFrom('array', 'one after another', 'with commas'),
});

describe('JSON that is cut into documents', () => {
  it('gives exactly its documents, in an array or one after another, wherever it is cut', () => {
    fc.assert(
      fc.property(objects, shares, layout, (values, at, { space, indent, shape }) => {
        const texts = values.map(value => JSON.stringify(value, null, indent));
        const between = shape === 'one after another' ? space : `${space},${space}`;
        const inside = space + texts.join(between) + space;
        const text = shape === 'array' ? `${space}[${inside}]${space}` : inside;
        expect(split(...cutAt(text, at)).map(found => found.text)).toEqual(texts);
      }),
    );
  });

  it('returns the line on which each begins', () => {
    expect(split('[\n{"a":\n1},\n\n{"a":2}\n]\n')).toEqual([
      { text: '{"a":\n1}', line: 2 },
      { text: '{"a":2}', line: 5 },
    ]);
  });

  it('gives the same result for any text, wherever it is cut', () => {
    const anyText = fc.string({ unit: fc.constantFrom(...'{}[],:"\\ \na1'), maxLength: 40 });
    fc.assert(
      fc.property(anyText, shares, (text, at) => {
        expect(split(...cutAt(text, at))).toEqual(split(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it('reports an unmatched bracket as an invalid element, and continues after it', () => {
    expect(split('{"_id":"g1"}}\n{"_id":"g2"}\n{"_id":"g3"}')).toEqual([
      { text: '{"_id":"g1"}', line: 1 },
      { text: '}', line: 1 },
      { text: '{"_id":"g2"}', line: 2 },
      { text: '{"_id":"g3"}', line: 3 },
    ]);
    expect(split('[{"_id":"g1"}},\n{"_id":"g2"}]\n]\n{"_id":"g3"}')).toEqual([
      { text: '{"_id":"g1"}', line: 1 },
      { text: '}', line: 1 },
      { text: '{"_id":"g2"}', line: 2 },
      { text: ']', line: 3 },
      { text: '{"_id":"g3"}', line: 4 },
    ]);
  });

  it('reports text before an array', () => {
    expect(split('rows = [{"_id":"a"}]')).toEqual([
      { text: 'rows =', line: 1 },
      { text: '{"_id":"a"}', line: 1 },
    ]);
    expect(split('\ufeff[{"_id":"a"}]')).toEqual([{ text: '{"_id":"a"}', line: 1 }]);
  });

  it.each([
    ['an array', '[{"_id":"a"},\n{"_id":"b"}\n', 2],
    ['an array, after a comma', '[{"_id":"a"},\n{"_id":"b"},', 2],
    ['an empty array', '[', 0],
    ['an object', '[{"_id":"a"},\n{"_id":"b"', 1],
    ['an object outside an array', '{"_id":"a"}\n{"_id":"b"', 1],
    ['a string', '{"_id":"a"}\n{"_id":"b', 1],
    ['a string after an escape', '{"_id":"a"}\n{"_id":"b\\', 1],
  ])('reports %s that is not closed', (_, text, complete) => {
    const found = split(text);
    expect(found.slice(0, complete).map(each => isJson(each.text))).toEqual(Array(complete).fill(true));
    expect(found).toHaveLength(complete + 1);
    expect(isJson(found[complete]?.text ?? '1')).toBe(false);
    expect(found[complete]?.line).toBe(complete === 0 ? 1 : 2);
  });

  it('reports at most 200 characters of an unclosed document', () => {
    const [left] = split(`\n{"a":"${'x'.repeat(1_000)}`);
    expect(left).toEqual({ text: `{"a":"${'x'.repeat(194)}`, line: 2 });
  });

  it('reports nothing at the end of complete or empty input', () => {
    for (const text of ['', ' \n', '[]', '[\n]\n']) expect(split(text)).toEqual([]);
  });

  it('buffers only the beginning of an element that is too large, refuses it, and continues after it', () => {
    const splitter = jsonSplitter();
    const found: DocumentText[] = [];
    const mib = ' '.repeat(1024 * 1024);
    found.push(...splitter.push('[{"a":'));
    for (let i = 0; i < 40; i++) found.push(...splitter.push(mib));
    found.push(...splitter.push('1},\n{"b":2}]'), ...splitter.end());
    expect(found.map(({ line }) => line)).toEqual([1, 2]);
    const size = found[0]?.text.length ?? 0;
    expect(size).toBeGreaterThan(LARGEST_DOCUMENT_BYTES);
    expect(size).toBeLessThan(LARGEST_DOCUMENT_BYTES + 2 * 1024 * 1024);
    expect(found[1]?.text).toBe('{"b":2}');
  });
});

describe('NDJSON that is cut into documents', () => {
  it('gives the same lines wherever it is cut', () => {
    const lines = fc.array(fc.constantFrom('', ' ', '{"a":1}', '{bad', '\r'), { maxLength: 12 });
    fc.assert(
      fc.property(lines, shares, (texts, where) => {
        const text = texts.join('\n');
        const splitter = ndjsonSplitter();
        const found = [...cutAt(text, where).flatMap(piece => splitter.push(piece)), ...splitter.end()];
        const expected = texts.flatMap((one, i) =>
          one.trim() === '' ? [] : [{ text: one.trim(), line: i + 1 }],
        );
        expect(found).toEqual(expected);
      }),
    );
  });

  it('reads an endless line once, and buffers no more than the largest document', () => {
    const splitter = ndjsonSplitter();
    const before = performance.now();
    // A search from the beginning of the line for each piece would take minutes.
    for (let i = 0; i < 20_000; i++) splitter.push('x'.repeat(1_024));
    expect(performance.now() - before).toBeLessThan(5_000);
    const [kept] = splitter.end();
    expect(kept?.text.length).toBeLessThan(LARGEST_DOCUMENT_BYTES + 4_096);
  });
});
