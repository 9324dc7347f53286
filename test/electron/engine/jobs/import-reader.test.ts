import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DocumentText } from '../../../../electron/engine/jobs/document-splitter.ts';
import { importReader } from '../../../../electron/engine/jobs/import-reader.ts';
import { importFormat } from '../../../../shared/contract/jobs.ts';
import { parseJson } from '../../../../shared/model/json/json.ts';
import { cutAt } from '../../../support/cut.ts';

type Format = Parameters<typeof importReader>[0];

function read(format: Format, ...pieces: string[]): DocumentText[] {
  const reader = importReader(format);
  return [...pieces.flatMap(piece => reader.push(piece)), ...reader.end()];
}

const fixture = (name: string) =>
  readFileSync(new URL(`../../../fixtures/imports/${name}`, import.meta.url), 'utf8');
const values = (found: readonly DocumentText[]) => found.map(({ text }) => parseJson(text));

describe('CSV', () => {
  it('names fields by the first row, and types unquoted values', () => {
    const found = read('csv', fixture('people.csv'));
    expect(values(found)).toEqual([
      {
        _id: 'p1',
        name: 'Ada',
        seats: 3,
        active: true,
        joined: '2026-01-31',
        geo: { city: 'Berlin', zip: '01067' },
        note: 'says "hi", often',
      },
      {
        _id: 'p2',
        name: '42',
        seats: -1.5,
        active: false,
        joined: '2026-01-31T10:00:00Z',
        geo: { zip: '10115' },
        note: 'two\nlines',
      },
      { _id: 'p3', name: 'Cleo', seats: 12345678901234567890n, geo: { city: 'Zürich', zip: 8001 } },
    ]);
    expect(found.map(({ line }) => line)).toEqual([2, 3, 5]);
    expect(found[1]?.text).toContain('"seats":-1.50');
  });

  it('detects the separator, and lists the rows that cannot be read', () => {
    expect(read('csv', fixture('semicolons.csv'))).toEqual([
      { line: 2, text: '{"id":1,"amount":"2,50"}' },
      { line: 4, text: '{"id":2,"amount":3}' },
      { line: 5, text: '', problem: 'It has 3 fields; the first row names 2.' },
      { line: 6, text: '', problem: 'A field in quotes is never closed.' },
    ]);
  });

  it('reads numbers as numbers if every value is quoted', () => {
    expect(values(read('csv', '"id","n"\n"a","1"\n"b","007"\n'))).toEqual([
      { id: 'a', n: 1 },
      { id: 'b', n: '007' },
    ]);
  });

  it('does not split a name with a dot if a part of it is also a column', () => {
    expect(values(read('csv', 'a,a.b,c.d\n1,2,3\n'))).toEqual([{ a: 1, 'a.b': 2, c: { d: 3 } }]);
  });

  it('ignores a byte order mark, and refuses invalid names', () => {
    expect(values(read('csv', '\uFEFF', 'a,b\n1,2'))).toEqual([{ a: 1, b: 2 }]);
    expect(() => read('csv', 'a,,b\n')).toThrow('Column 2 has no name');
    expect(() => read('csv', 'a,b,a\n')).toThrow('Two columns are named “a”');
  });

  it('reports text after a closing quote, and an empty row', () => {
    expect(read('csv', 'a,b\n"x"y,1\n,\n').map(({ problem }) => problem)).toEqual([
      'There is text after the closing quote of a field.',
      'All its fields are empty.',
    ]);
  });

  it('keeps an exported deadline as JSON', () => {
    expect(values(read('csv', '_id,$expiration\na,"{""deadlineAt"":1}"\n'))).toEqual([
      { _id: 'a', $expiration: { deadlineAt: 1 } },
    ]);
  });
});

describe('mongoexport', () => {
  const ADA = '507f1f77bcf86cd799439011';

  it('in canonical mode becomes plain JSON', () => {
    const [ada, bob] = values(read('mongoexport', fixture('mongoexport-canonical.json')));
    expect(ada).toEqual({
      _id: ADA,
      name: 'Ada',
      age: 36,
      views: 9007199254740993n,
      score: 1.5,
      rate: 'Infinity',
      price: 19.9,
      exact: '1.2345678901234567890',
      createdAt: '2026-01-01T00:00:00.123Z',
      tags: [1, 'two'],
      nested: { at: '1969-12-31T23:59:59.999Z' },
      re: { $regularExpression: { pattern: 'a', options: 'i' } },
    });
    expect(bob).toEqual({ _id: '7', name: 'Bob' });
  });

  it('in relaxed mode is read as an array, with the dates of old versions', () => {
    expect(values(read('mongoexport', fixture('mongoexport-relaxed.json')))).toEqual([
      { _id: ADA, name: 'Ada', age: 36, createdAt: '2026-01-01T00:00:00.123Z' },
      { _id: 'plain', createdAt: '2015-06-01T08:00:00.000Z', old: '2026-01-01T00:00:00.000Z' },
    ]);
  });

  it('with --pretty is read over several lines', () => {
    expect(values(read('mongoexport', fixture('mongoexport-pretty.json')))).toEqual([
      { _id: ADA, name: 'Ada' },
      { _id: '507f1f77bcf86cd799439012', name: 'Bob' },
    ]);
  });

  it('with a broken line is read without that line', () => {
    const found = read('mongoexport', '{"_id":"a"}\n{"_id":{"$oid":\n{"_id":"b"}\n');
    expect(found.map(({ line, text }) => [line, text])).toEqual([
      [1, '{"_id":"a"}'],
      [2, '{"_id":{"$oid":'],
      [3, '{"_id":"b"}'],
    ]);
  });
});

describe('arangoexport', () => {
  it('gets its key as _id and loses its internal fields; the rest is unchanged', () => {
    expect(read('arangoexport', fixture('arangoexport.jsonl')).map(({ text }) => text)).toEqual([
      '{"_id":"4711","user":"ada","price":1.50}',
      '{"_id":"4712","_from":"users/1","_to":"users/2"}',
      '{"_id":"4713","user":"no key"}',
    ]);
  });
});

describe('any cut of a file into pieces gives the same documents', () => {
  const files = [
    'people.csv',
    'semicolons.csv',
    'mongoexport-canonical.json',
    'mongoexport-relaxed.json',
    'mongoexport-pretty.json',
    'arangoexport.jsonl',
  ];
  const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 });

  it.each(files)('of %s, in any format', name => {
    const text = fixture(name);
    for (const format of importFormat.options) {
      const whole = outcome(format, [text]);
      expect(outcome(format, [...text])).toEqual(whole);
      fc.assert(
        fc.property(shares, at => {
          expect(outcome(format, cutAt(text, at))).toEqual(whole);
        }),
        { numRuns: 30 },
      );
    }
  });

  it('of CSV with any fields and any separator', () => {
    const field = fc.oneof(
      fc.string(),
      fc.constantFrom('', '"', '\r\n', 'a,b', ';', '1.50', 'true', '\uFEFFx'),
    );
    const rows = fc.array(fc.tuple(field, field, field), { maxLength: 6 });
    fc.assert(
      fc.property(
        rows,
        shares,
        fc.constantFrom(',', ';', '\t', '|'),
        fc.constantFrom('\n', '\r\n'),
        (given, at, by, end) => {
          const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
          const lines = [['a', 'b', 'c'].join(by), ...given.map(row => row.map(quoted).join(by))];
          const text = lines.map(line => line + end).join('');
          const found = values(read('csv', ...cutAt(text, at)));
          expect(found).toEqual(given.map(([a, b, c]) => ({ a, b, c })));
        },
      ),
    );
  });
});

function outcome(format: Format, pieces: readonly string[]): unknown {
  try {
    return read(format, ...pieces);
  } catch (error) {
    return String(error);
  }
}
