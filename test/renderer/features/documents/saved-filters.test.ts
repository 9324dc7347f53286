import { describe, expect, it } from 'vitest';
import { formatFilter } from '../../../../renderer/features/documents/filter/format-filter.ts';
import {
  filterOf,
  withoutSaved,
  withRecent,
  withSaved,
} from '../../../../renderer/features/documents/filter/saved-filters.ts';
import { DEFAULT_QUERY } from '../../../../renderer/features/documents/list/documents-query.ts';

const NONE = { saved: [], recent: [] };

describe('filters of a collection', () => {
  it('are saved by unique names, in alphabetical order', () => {
    const two = withSaved(withSaved(NONE, 'b', 'filter=1'), 'a', 'filter=2');
    expect(two.saved.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(withSaved(two, 'b', 'filter=3').saved.at(-1)).toEqual({ name: 'b', query: 'filter=3' });
    expect(withoutSaved(two, 'a').saved.map(({ name }) => name)).toEqual(['b']);
  });

  it('include at most ten recent ones, each once, the latest first', () => {
    let filters: ReturnType<typeof withRecent> = NONE;
    for (let i = 0; i < 12; i += 1) filters = withRecent(filters, `filter=${i}`);
    expect(filters.recent).toHaveLength(10);
    expect(withRecent(filters, 'filter=5').recent.slice(0, 2)).toEqual(['filter=5', 'filter=11']);
    expect(new Set(withRecent(filters, 'filter=5').recent).size).toBe(10);
  });

  it('do not contain the sort order', () => {
    expect(filterOf({ ...DEFAULT_QUERY, sort: '_id', order: 'desc' })).toBe('');
    expect(filterOf({ ...DEFAULT_QUERY, sort: '_id', filter: 'acme' })).toBe('filter=acme');
  });

  it('are described in words', () => {
    const filter = filterOf({
      ...DEFAULT_QUERY,
      filter: 'acme',
      state: 'overdue',
      dueTo: Date.UTC(2026, 10, 23, 14),
    });
    expect(formatFilter(filter, Date.UTC(2026, 10, 23, 10), 'utc')).toBe(
      'text “acme”, state Overdue, due before 14:00:00',
    );
  });
});
