import { describe, expect, it } from 'vitest';
import {
  CHANGES_KEPT,
  type FeedEntry,
  FeedLog,
  type FeedRow,
  ITEMS_A_ROW,
} from '../../../../../renderer/features/activity/feed/feed-log.ts';
import { formatDocuments, formatRow } from '../../../../../renderer/features/activity/feed/format-feed.ts';
import { end, expiry, write } from '../build.ts';

const logOf = () => new FeedLog(() => true);

function rows(entries: readonly FeedEntry[]): FeedRow[] {
  return entries.filter(entry => entry.kind !== 'gap');
}

describe('FeedLog', () => {
  it('groups the changes of one kind and one change set into one row', () => {
    const log = logOf();
    for (let position = 0; position < 1_204; position++) log.take(expiry(7, position, { lagMs: position }));
    log.take(end(7));
    const [row, ...others] = rows(log.entries());
    expect(others).toEqual([]);
    expect(row).toMatchObject({ count: 1_204, revision: 7, expiry: { index: 'idle_2h', lagMs: 1_203 } });
    expect(row?.items).toHaveLength(ITEMS_A_ROW);
    expect(row && formatRow(row)).toBe('1,204 documents expired from sessions by index idle_2h.');
    expect(row && formatDocuments(row)).toBe('d7_0 and 1,203 more');
  });

  it('[V4] shows a change set only when it is complete', () => {
    const log = logOf();
    log.take(expiry(3, 0));
    expect(log.entries()).toEqual([]);
    expect(log.take(end(3))).toBe(1);
    expect(rows(log.entries())).toHaveLength(1);
  });

  it('separates indexes, kinds and collections, newest first', () => {
    const log = logOf();
    log.take(expiry(1, 0));
    log.take(expiry(1, 1, { index: 'absolute_14d' }));
    log.take(write(1, 2, 'carts'));
    log.take(expiry(1, 3));
    log.take(end(1));
    log.take(write(2, 0));
    log.take(end(2));
    const shown = rows(log.entries()).map(row => [row.kind, row.collection, row.expiry?.index, row.count]);
    expect(shown).toEqual([
      ['insert', 'sessions', undefined, 1],
      ['insert', 'carts', undefined, 1],
      ['expire', 'sessions', 'absolute_14d', 1],
      ['expire', 'sessions', 'idle_2h', 2],
    ]);
  });

  it('drops the oldest rows beyond 2,000 named documents', () => {
    const log = logOf();
    for (let revision = 1; revision <= 3 * CHANGES_KEPT; revision++) {
      log.take(write(revision, 0));
      log.take(end(revision));
      if (revision % 500 === 0) log.entries();
    }
    const kept = rows(log.entries());
    expect(kept).toHaveLength(CHANGES_KEPT);
    expect(kept[0]?.revision).toBe(3 * CHANGES_KEPT);
  });

  it('is bounded while its rows are not read', () => {
    const log = logOf();
    for (let revision = 1; revision <= 3 * CHANGES_KEPT; revision++) {
      log.take(write(revision, 0));
      log.take(end(revision));
      expect(log.freshChanges).toBe(revision);
    }
    expect(log.entries()).toHaveLength(CHANGES_KEPT);
  });

  it('counts only matching changes', () => {
    const log = new FeedLog(change => change._id.endsWith('_1'));
    for (const position of [0, 1, 2]) log.take(expiry(1, position));
    log.take(end(1));
    expect(rows(log.entries())[0]).toMatchObject({ count: 1 });
  });

  it('reports revisions that were not read', () => {
    const log = logOf();
    log.take(expiry(1, 0));
    log.skip(1, 40);
    expect(log.entries()).toEqual([{ key: 'gap 1', kind: 'gap', from: 1, to: 40 }]);
  });
});
