import { describe, expect, it } from 'vitest';
import { FileProblem } from '../../../../../renderer/features/import/file/file-problem.ts';
import { SNIFF_BYTES, sniff } from '../../../../../renderer/features/import/file/sniff.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

function problemWith(content: Uint8Array | string): FileProblem {
  try {
    sniff(typeof content === 'string' ? bytes(content) : content, true);
  } catch (error) {
    if (error instanceof FileProblem) return error;
    throw error;
  }
  throw new Error('It was taken for a good file.');
}

describe('the format of the beginning of a file', () => {
  it('is NDJSON for one object per line, also after blank lines and a byte order mark', () => {
    expect(sniff(bytes('\uFEFF\n\n{"a":1}\r\n{"a":2}\n'), true)).toEqual({
      format: 'ndjson',
      sample: [{ a: 1 }, { a: 2 }],
      bad: [],
    });
  });

  it('is JSON for an array of objects', () => {
    expect(sniff(bytes(' [{"a":1},\n{"a":2}]'), true)).toEqual({
      format: 'json',
      sample: [{ a: 1 }, { a: 2 }],
      bad: [],
    });
  });

  it('is JSON for an incomplete array, with the documents of the sample', () => {
    const { format, sample } = sniff(bytes('[{"a":1},{"a":{"b":2}},{"a":3'), false);
    expect(format).toBe('json');
    expect(sample).toEqual([{ a: 1 }, { a: { b: 2 } }]);
  });

  it('does not depend on a line cut off by the end of the sample', () => {
    expect(sniff(bytes('{"a":1}\n{"a":'), false)).toEqual({
      format: 'ndjson',
      sample: [{ a: 1 }],
      bad: [],
    });
  });

  it('is checked by the engine if the first document is longer than the sample', () => {
    expect(sniff(bytes(`{"a":"${'x'.repeat(SNIFF_BYTES)}`), false)).toEqual({
      format: 'ndjson',
      sample: [],
      bad: [],
    });
  });

  it('is CSV for rows with a line of names, with any separator', () => {
    expect(sniff(bytes('\n\nid;name\n1;a\n2;"b;c"\n3\n4;'), false)).toMatchObject({
      format: 'csv',
      sample: [
        { id: 1, name: 'a' },
        { id: 2, name: 'b;c' },
      ],
      bad: [{ line: 6, what: 'not a valid row' }],
      csv: { delimiter: ';' },
    });
    expect(sniff(bytes('name\nada\n'), true, 'people.csv').sample).toEqual([{ name: 'ada' }]);
  });

  it('is JSON for consecutive documents of several lines each', () => {
    const spread = '{\n  "a": {\n    "b": 1\n  }\n}\n{\n  "a": 2\n}\n{\n  "a"';
    expect(sniff(bytes(spread), false)).toEqual({
      format: 'json',
      sample: [{ a: { b: 1 } }, { a: 2 }],
      bad: [],
    });
  });

  it('does not depend on an invalid line among valid ones, which is rejected alone', () => {
    expect(sniff(bytes('{"broken\n\n{"a":1}\n7\n'), true)).toEqual({
      format: 'ndjson',
      sample: [{ a: 1 }],
      bad: [
        { line: 1, what: 'not JSON' },
        { line: 4, what: 'not a JSON object' },
      ],
    });
  });

  it('is text if the end of the sample cuts a character', () => {
    const whole = bytes('{"a":"é"}\n{"b":"é"}');
    expect(sniff(whole.slice(0, -3), false).sample).toEqual([{ a: 'é' }]);
  });
});

describe('an invalid file is reported with the problem, its place and the remedy', () => {
  it.each([
    ['', 'The file is empty.', null],
    ['  \n \n', 'The file is empty.', null],
    ['[]', 'The file is empty.', null],
    ['id,name,id\n1,a,2\n', 'The first row of CSV names the columns. Two columns are named “id”.', 1],
    ['hello\nworld', 'Not JSON: hello', 1],
    ['{\n  "a": 1,\n', 'One JSON object spans several lines.', 1],
    ['12\n13\n', 'A document must be a JSON object, found a number.', 1],
    ['[{"a":1}, 2]', 'A document must be a JSON object, found 2 as element 2.', 1],
  ])('%j', (content, what, line) => {
    const problem = problemWith(content);
    expect(problem.what).toBe(what);
    expect(problem.line).toBe(line);
    expect(problem.todo).not.toBe('');
  });

  it.each([
    [[0x1f, 0x8b, 8, 0], 'The file is compressed (gzip).'],
    [[0x50, 0x4b, 3, 4], 'The file is compressed (zip).'],
    [[0xff, 0xfe, 0x7b, 0], 'The file is UTF-16.'],
    [[0x41, 0x42, 0, 1], 'The file is not text: byte 3 is not UTF-8.'],
    [[0x7b, 0xff, 0x7d], 'The file is not text: byte 2 is not UTF-8.'],
    [[...bytes('SQLite format 3\0')], 'The file is a SQLite database or a Sandglass store.'],
  ])('bytes %j', (content, what) => {
    expect(problemWith(new Uint8Array(content)).what).toBe(what);
  });

  it.each([
    ['[{"a":1},\n {"a" 2}]', 2, 'Not JSON from column 7 on: expected “:”, found “2}]”.'],
    ['[{"a":1}\n{"a":2}]', 2, 'Not JSON from column 1 on: expected “,” or “]”, found “{"a":2}]”.'],
    ['[{"a":1},]', 1, 'Not JSON from column 10 on: expected a value, found “]”.'],
    ['[{"a":1}', 1, 'The array is incomplete: expected “,” or “]”.'],
  ])('the broken array %j is reported with its position', (content, line, what) => {
    const problem = problemWith(content);
    expect([problem.line, problem.what]).toEqual([line, what]);
  });

  it('an error in an incomplete array is reported', () => {
    expect(() => sniff(bytes('[{"a":1} {"a":2},{"a'), false)).toThrow(/column 10/);
    expect(sniff(bytes('[{"a":1},{"b":"x'), false).sample).toEqual([{ a: 1 }]);
  });

  it('a truncated array is reported with its last line', () => {
    expect(problemWith('[{"a":1},\n{"a":2}').line).toBe(2);
  });
});
