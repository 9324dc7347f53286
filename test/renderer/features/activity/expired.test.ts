import { describe, expect, it } from 'vitest';
import { freeName } from '../../../../renderer/features/activity/dropped/free-name.ts';
import {
  expiredSource,
  matches,
  readExpiredFilter,
  spanOf,
} from '../../../../renderer/features/activity/expired-model/expired-filter.ts';
import { isRestorable } from '../../../../renderer/features/activity/expired-model/expired-selection.ts';
import {
  formatNotErased,
  formatPurged,
  formatRestored,
  nameToType,
} from '../../../../renderer/features/activity/expired-model/format-expired.ts';
import { exportFileName } from '../../../../renderer/features/activity/export/export-file-name.ts';
import { ndjsonPages } from '../../../../renderer/features/activity/export/ndjson-export.ts';
import {
  failedEntries,
  isTaken,
  readRestoreDraft,
  restoreDraft,
  restoredCount,
} from '../../../../renderer/features/activity/restore/restore-plan.ts';
import { restoredLink } from '../../../../renderer/features/activity/restore/restored-link.ts';
import { formatErasure } from '../../../../shared/model/format-erasure.ts';
import { entry, job } from './build.ts';

const filterOf = (query: string) => readExpiredFilter(new URLSearchParams(query));

describe('the filter of the expired list', () => {
  it('reads the address and ignores invalid parts', () => {
    expect(filterOf('collection=carts&index=a&from=5&to=x&restorable=true&cause=other')).toEqual({
      collection: 'carts',
      index: 'a',
      from: 5,
      to: null,
      text: '',
      isRestorable: true,
      cause: null,
    });
    expect(filterOf('index=a').index).toBeNull();
    expect(filterOf('cause=deleted').cause).toBe('deleted');
    // The page of a collection names it itself.
    expect(readExpiredFilter(new URLSearchParams('index=a'), 'carts')).toMatchObject({
      collection: 'carts',
      index: 'a',
    });
  });
  it('includes the start of a span and excludes its end', () => {
    const filter = filterOf('from=2000&to=3000');
    expect([1, 2, 3].map(id => matches(entry(id), filter))).toEqual([false, true, false]);
  });
  it('limits a span to now, so that later expiries are not included', () => {
    expect(spanOf(filterOf('collection=carts&from=7'), 99)).toEqual({
      cause: 'any',
      collection: 'carts',
      removedFrom: 7,
      removedTo: 99,
    });
    expect(spanOf(filterOf('from=7'), 99)).toBeNull();
    expect(spanOf(filterOf('collection=carts&filter=u_'), 99)).toBeNull();
  });
});

it('an entry is restorable until its retention ends', () => {
  expect(isRestorable(entry(1, { restorable: null }), 0)).toBe(false);
  const kept = entry(1, { restorable: { until: 10, bytes: 1 } });
  expect([9, 10].map(at => isRestorable(kept, at))).toEqual([true, false]);
});

describe('a restore', () => {
  it('pins by default, and refuses an expiration that is due at once', () => {
    const draft = restoreDraft(0);
    expect(readRestoreDraft(draft, 0)).toEqual({ expiration: { never: true } });
    expect(readRestoreDraft({ ...draft, kind: 'after', after: '7d' }, 0)).toEqual({
      expiration: { after: 604_800 },
    });
    expect(readRestoreDraft({ ...draft, kind: 'after', after: '0s' }, 0)).toHaveProperty('problem');
    expect(readRestoreDraft({ ...draft, kind: 'at', at: 5 }, 5)).toHaveProperty('problem');
    expect(readRestoreDraft({ ...draft, kind: 'at', at: 6 }, 5)).toEqual({ expiration: { at: 6 } });
  });
  it('conflicts with a newer document, but not with the result of its own action', () => {
    expect(isTaken(entry(1), null)).toBe(false);
    expect(isTaken(entry(1), { updatedAt: 1_000 })).toBe(true);
    expect(isTaken(entry(1, { action: 'patch' }), { updatedAt: 1_000 })).toBe(false);
    expect(isTaken(entry(1, { action: 'patch' }), { updatedAt: 1_001 })).toBe(true);
  });
  it('states the number of documents before it starts', () => {
    const all = [entry(1), entry(2), entry(3)];
    const taken = new Set(['1', '2']);
    expect(restoredCount(all, taken, 'skip', {})).toBe(1);
    expect(restoredCount(all, taken, 'skip', { 1: 'replace' })).toBe(2);
    expect(restoredCount(all, taken, 'newId', { 1: 'skip' })).toBe(2);
  });
  it('keeps failed entries selected, the earlier of two with one _id', () => {
    const chosen = new Map([entry(9), entry(4, { _id: 'd9' }), entry(5)].map(each => [each.id, each]));
    const failed = [{ _id: 'd9', code: 'DOCUMENT_EXISTS', message: 'taken' }];
    const failures = failedEntries(chosen, job({ failed, failedCount: 1, succeeded: 2 }));
    expect([...failures.keys()]).toEqual(['4']);
  });
  it('states how many were restored, and links to them', () => {
    expect(formatRestored(job({ succeeded: 34, failedCount: 4 }))).toBe('34 restored, 4 not.');
    expect(formatRestored(job({ succeeded: 34, state: 'cancelled' }))).toBe('34 restored, then cancelled.');
    const took = { startedAt: 1_000, endedAt: 2_000 };
    expect(restoredLink('carts', [entry(1)], { never: true }, took)).toBe(
      '#/collections/carts/documents?filter=d1',
    );
    expect(restoredLink('carts', [], { never: true }, took)).toBe(
      '#/collections/carts/documents?state=pinned',
    );
    expect(restoredLink('carts', [], { after: 60 }, took)).toBe(
      '#/collections/carts/documents?dueFrom=61000&dueTo=62001',
    );
  });
});

describe('a purge', () => {
  it('requires the collection’s name, and the store’s with several collections', () => {
    const of = (...entries: ReturnType<typeof entry>[]) => ({
      chosen: new Map(entries.map(each => [each.id, each])),
    });
    expect(nameToType(of(entry(1), entry(2)), 'app')).toEqual({ name: 'sessions', of: 'collection' });
    expect(nameToType(of(entry(1), entry(2, { collection: 'carts' })), 'app')).toEqual({
      name: 'app',
      of: 'store',
    });
    expect(nameToType({ everything: true }, 'app')).toEqual({ name: 'app', of: 'store' });
  });
  it('reports no erasure after a cancel', () => {
    expect(formatPurged(job({ done: 3, kind: 'purge' }))).toContain('3 documents purged');
    expect(formatPurged(job({ kind: 'purge', state: 'cancelled' }))).toContain('not erased from the file');
    expect(formatNotErased([])).toBe('Copies in backups and exports are not erased.');
    expect(formatNotErased(['a', 'b', 'c', 'd'])).toMatch(
      /Pending until erased by followers a, b, c and 1 more\.$/,
    );
  });
  it('[X4] names pending followers, and reports no erasure on a removed follower', () => {
    const text = (purgedAt: number | null, ...states: ('pending' | 'confirmed' | 'forgotten')[]) =>
      formatErasure({ purgedAt, followers: states.map((state, i) => ({ name: `f${i}`, state })) });
    expect(text(null, 'pending', 'confirmed', 'pending')).toBe('Erased here, pending on f0, f2.');
    expect(text(null, 'pending', 'forgotten')).toBe(
      'Erased here, pending on f0. Forgotten, not confirmed: f1.',
    );
    expect(text(1)).toBe('Erased here; copies in backups and exports are not.');
    expect(text(1, 'confirmed')).toBe('Erased here and on f0; copies in backups and exports are not.');
    expect(text(1, 'confirmed', 'forgotten')).toBe(
      'Erased here and on f0; copies in backups and exports are not. Forgotten, not confirmed: f1.',
    );
  });
});

it('a dropped collection is restored under a free name', () => {
  expect(freeName('a', new Set())).toBe('a');
  expect(freeName('a', new Set(['a']))).toBe('a_restored');
  expect(freeName('a', new Set(['a', 'a_restored']))).toBe('a_restored_2');
  const long = 'x'.repeat(120);
  expect(freeName(long, new Set([long])).length).toBeLessThanOrEqual(120);
});

describe('an export', () => {
  it('writes the rows of the list, one per line, page by page', async () => {
    const all = Array.from({ length: 2_500 }, (_, i) => entry(2_500 - i));
    const source = expiredSource(filterOf('from=1000000&filter=7'), async ({ before, limit }) => {
      const from = before === undefined ? 0 : all.findIndex(({ id }) => id === before) + 1;
      const expired = all.slice(from, from + limit);
      return { expired, next: expired.length < limit ? null : (expired.at(-1)?.id ?? null) };
    });
    const lines: string[] = [];
    let pages = 0;
    for await (const { text } of ndjsonPages(source, new AbortController().signal)) {
      pages += 1;
      lines.push(...text.split('\n').filter(Boolean));
    }
    const expected = all.filter(({ removedAt, _id }) => removedAt >= 1_000_000 && _id.includes('7'));
    expect(lines.map(line => JSON.parse(line))).toEqual(expected);
    expect(pages).toBe(2);
  });
  it('has a file name that is valid on every file system', () => {
    expect(exportFileName('my app/1.sandglass', 'expired', 0)).toBe(
      'my-app-1-expired-1970-01-01T000000Z.ndjson',
    );
  });
});
