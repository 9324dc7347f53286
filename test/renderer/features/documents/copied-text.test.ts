import { describe, expect, it } from 'vitest';
import { copiedText, copiedValue } from '../../../../renderer/features/documents/copy/copied-text.ts';

const address = 'http://localhost:7263';
const one = { _id: "o'ne", n: 1, meta: { ip: 'x' } };
const two = { _id: 'two', n: 9007199254740993n };
const text = (
  format: Parameters<typeof copiedText>[0],
  documents: Parameters<typeof copiedText>[1]['documents'],
) => copiedText(format, { collection: 'a b', address, documents });

describe('copied documents', () => {
  it('are JSON: an object for one, a list for several, with all digits [C1]', () => {
    expect(JSON.parse(text('json', [one]))).toEqual(one);
    expect(text('json', [one, two])).toContain('"n": 9007199254740993');
  });

  it('are CSV with a column for each field', () => {
    expect(text('csv', [one, two])).toBe("_id,n,meta.ip\no'ne,1,x\ntwo,9007199254740993,\n");
  });

  it('are a call that writes them, quoted for a shell', () => {
    expect(text('rest', [one])).toContain(`-X PUT '${address}/api/collections/a%20b/documents/o'\\''ne'`);
    expect(text('rest', [one, two])).toContain(
      `-X POST '${address}/api/collections/a%20b/documents?mode=upsert'`,
    );
    expect(text('command', [two])).toBe(
      `printf '%s\\n' '{"_id":"two","n":9007199254740993}' | sandglass import --format ndjson --mode upsert - 'a b'`,
    );
  });

  it('are values without quotes, one by one', () => {
    expect([copiedValue('a'), copiedValue([1]), copiedValue(null), copiedValue(undefined)]).toEqual([
      'a',
      '[1]',
      'null',
      '',
    ]);
  });
});
