import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatRejected } from '../../../../../renderer/features/import/file/bad-lines.ts';
import {
  bringsDeadlines,
  formatsOf,
  readAs,
} from '../../../../../renderer/features/import/file/sample-formats.ts';
import { sniff } from '../../../../../renderer/features/import/file/sniff.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../../../../fixtures/imports/${name}`, import.meta.url));
const seen = (name: string) => sniff(fixture(name), true, name);
const text = (given: string) => sniff(new TextEncoder().encode(given), true);

describe('the detected format', () => {
  it.each([
    ['people.csv', 'csv'],
    ['semicolons.csv', 'csv'],
    ['mongoexport-canonical.json', 'mongoexport'],
    ['mongoexport-relaxed.json', 'mongoexport'],
    ['mongoexport-pretty.json', 'mongoexport'],
    ['arangoexport.jsonl', 'ndjson'],
  ])('%s as %s', (name, format) => {
    expect(formatsOf(seen(name))[0]).toBe(format);
  });

  it('documents with a key and a revision are ArangoDB’s; for others it can be chosen', () => {
    expect(formatsOf(text('{"_key":"a","_id":"c/a","_rev":"_x"}\n{"_key":"b","_id":"c/b"}\n'))).toEqual([
      'arangoexport',
      'ndjson',
      'mongoexport',
    ]);
    expect(formatsOf(text('{"_key":"a"}\n'))).toEqual(['ndjson', 'mongoexport', 'arangoexport']);
  });

  it('the previewed documents equal the stored ones', () => {
    expect(readAs(seen('mongoexport-relaxed.json'), 'mongoexport', null).sample[0]).toMatchObject({
      _id: '507f1f77bcf86cd799439011',
      createdAt: '2026-01-01T00:00:00.123Z',
    });
    expect(readAs(seen('arangoexport.jsonl'), 'arangoexport', null).sample[0]).toEqual({
      _id: '4711',
      user: 'ada',
      price: 1.5,
    });
    expect(readAs(seen('semicolons.csv'), 'csv', ',').bad.map(({ line }) => line)).toEqual([2]);
  });

  it('the choice of deadlines is shown only if the file has some', () => {
    expect(bringsDeadlines([{ a: 1 }, { $expiration: null }])).toBe(true);
    expect(bringsDeadlines([{ a: 1 }])).toBe(false);
  });
});

describe('the report of rejected lines', () => {
  it('has one line each, columns separated by tabs, for any message', () => {
    expect(
      formatRejected([
        { line: 8, code: 'INVALID_DOCUMENT', message: 'Not JSON:\n\tno' },
        { line: 9, code: 'DOCUMENT_TOO_LARGE', message: 'It is too large.' },
      ]),
    ).toBe('8\tINVALID_DOCUMENT\tNot JSON: no\n9\tDOCUMENT_TOO_LARGE\tIt is too large.');
  });
});
