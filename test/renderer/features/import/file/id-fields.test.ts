import { describe, expect, it } from 'vitest';
import {
  allHaveId,
  collectionNameFrom,
  idFields,
} from '../../../../../renderer/features/import/file/id-fields.ts';

describe('candidates for _id', () => {
  it('are in every document, text or number, and unique; usual names first', () => {
    const sample = [
      { seq: 1, id: 'a', kind: 'x', tags: [], half: 1 },
      { seq: 2, id: 'b', kind: 'x', tags: [] },
    ];
    expect(idFields(sample)).toEqual(['id', 'seq']);
  });

  it('are empty without documents', () => {
    expect(idFields([])).toEqual([]);
    expect(allHaveId([])).toBe(false);
  });
});

describe('the collection name from a file name', () => {
  it.each([
    ['audit-2026.ndjson', 'audit-2026'],
    ['EXPORT.JSON', 'EXPORT'],
    ['archive.tar.gz', 'archive.tar.gz'],
    ['.json', 'imported'],
    [`${'x'.repeat(200)}.json`, 'x'.repeat(120)],
  ])('%s', (file, name) => {
    expect(collectionNameFrom(file)).toBe(name);
  });
});
