import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsvColumnNames, csvWriter } from '../../../shared/model/export/csv-text.ts';
import { csvColumns } from '../../../shared/model/import/csv-documents.ts';
import { csvRows } from '../../../shared/model/import/csv-rows.ts';
import { isJsonObject, type JsonObject, parseJson, stringifyJson } from '../../../shared/model/json/json.ts';

const KEPT = '$expiration';

function written(documents: readonly JsonObject[]): string {
  const columns = new CsvColumnNames(KEPT);
  for (const document of documents) columns.add(document);
  const writer = csvWriter(columns.names, KEPT);
  return writer.header() + documents.map(writer.row).join('');
}

function readBack(text: string): unknown[] {
  const rows = csvRows(',', 1 << 20);
  const [header, ...others] = [...rows.push(text), ...rows.end()];
  const columns = csvColumns(header?.fields ?? [], KEPT);
  return others.map(row => {
    const read = columns.documentOf(row.fields);
    return 'text' in read ? parseJson(read.text) : read.problem;
  });
}

describe('documents as CSV', () => {
  it('have a column for each leaf, _id first and the members of an export last', () => {
    const text = written([
      { name: 'Ada', _id: 'a', $expiration: { deadlineAt: 1 }, geo: { city: 'Berlin' } },
      { _id: 'b', tags: [1, 'x'], empty: {}, note: null, on: true },
    ]);
    expect(text).toBe(
      [
        '_id,name,geo.city,tags,empty,note,on,$expiration',
        'a,Ada,Berlin,,,,,"{""deadlineAt"":1}"',
        'b,,,"[1,""x""]",{},,true,',
        '',
      ].join('\n'),
    );
  });

  it('have quotes around values that would be read as another type', () => {
    const document = {
      _id: '7',
      code: '007',
      n: '42',
      yes: 'true',
      none: '',
      gap: ' x',
      line: 'a\nb',
      e: '12e4',
    };
    const text = written([document]);
    expect(text.split('\n').slice(1).join('\n')).toBe('7,007,"42","true",""," x","a\nb",12e4\n');
    expect(readBack(text)).toEqual([document]);
  });

  it('are counted if they have a field that is not among the fixed columns', () => {
    const writer = csvWriter(['_id', 'a'], KEPT);
    expect(writer.row({ _id: 'x', a: 1, b: 2, c: 3 })).toBe('x,1\n');
    expect(writer.row({ _id: 'y' })).toBe('y,\n');
    expect(writer.incomplete).toBe(1);
  });

  it('are read back unchanged if they are flat with text, numbers and booleans', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9 "',;]{0,6}[a-z]$/);
    const value = fc.oneof(
      fc.string(),
      fc.constantFrom('', '1', '-1.5e+10', 'TRUE', 'a,b', '"', '\uFEFF'),
      fc.integer(),
      fc.bigInt(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(n => (Object.is(n, -0) ? 0 : n)),
      fc.boolean(),
    );
    const documents = fc.array(
      fc.record({ _id: fc.string({ minLength: 1 }), rest: fc.dictionary(name, value, { maxKeys: 5 }) }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(documents, given => {
        const flat = given.map(({ _id, rest }) => ({ _id, ...rest }));
        const expected = flat.map(one => {
          const plain = parseJson(stringifyJson(one));
          return isJsonObject(plain) ? plain : {};
        });
        expect(readBack(written(flat))).toEqual(expected);
      }),
    );
  });

  it('have escaped text where a spreadsheet would read a formula, and no other change', () => {
    const formulas = ['=1+1', '+a', '-b', '@SUM(A1)', '\t=1', ' =cmd', '＝1'];
    const rows = (formulasAsText: boolean) => {
      const writer = csvWriter(['_id', '=n'], KEPT, { formulasAsText });
      return [
        writer.header(),
        ...[...formulas, 'a=b', '1-2'].map(value => writer.row({ _id: value, '=n': -5 })),
      ];
    };
    expect(rows(false).slice(0, 2)).toEqual(['_id,=n\n', '=1+1,-5\n']);
    const [header, ...lines] = rows(true);
    expect(header).toBe("_id,'=n\n");
    for (const line of lines.slice(0, formulas.length)) expect(line).toMatch(/^"?'[^']*,-5\n$/);
    expect(lines.slice(formulas.length)).toEqual(['a=b,-5\n', '1-2,-5\n']);
  });
});
