import { describe, expect, it } from 'vitest';
import {
  allHaveId,
  collectionNameFrom,
  idFields,
} from '../../../../../renderer/features/import/file/id-fields.ts';

describe('fields that could be the _id', () => {
  it('are in every document, text or number, and never twice; usual names first', () => {
    const sample = [
      { seq: 1, id: 'a', kind: 'x', tags: [], half: 1 },
      { seq: 2, id: 'b', kind: 'x', tags: [] },
    ];
    expect(idFields(sample)).toEqual(['id', 'seq']);
  });

  it('are none where nothing was seen', () => {
    expect(idFields([])).toEqual([]);
    expect(allHaveId([])).toBe(false);
  });
});

describe('the collection a file suggests', () => {
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
