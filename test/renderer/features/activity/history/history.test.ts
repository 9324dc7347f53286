import { describe, expect, it } from 'vitest';
import {
  newerThan,
  withHead,
  withKnownOnly,
} from '../../../../../renderer/features/activity/history/history.ts';
import {
  HistoryPager,
  type HistorySource,
  MOST_LIVE_ROWS,
} from '../../../../../renderer/features/activity/history/history-pager.ts';

type Row = { at: number; text?: string };
const numberOf = ({ at }: Row) => at;
const rows = (...ats: number[]): Row[] => ats.map(at => ({ at }));

describe('a history in memory', () => {
  it('adds newer rows and keeps those read before', () => {
    const known = { rows: rows(5, 4, 3, 2), next: '2' };
    expect(withHead(known, { rows: rows(7, 6, 5), next: '5' }, numberOf)).toEqual({
      rows: rows(7, 6, 5, 4, 3, 2),
      next: '2',
    });
  });
  it('drops older rows after a gap, so that no row is missing in between', () => {
    const known = { rows: rows(5, 4), next: '4' };
    expect(withHead(known, { rows: rows(20, 19), next: '19' }, numberOf)).toEqual({
      rows: rows(20, 19),
      next: '19',
    });
  });
  it('updates only known rows while held', () => {
    const known = { rows: [{ at: 2, text: 'running' }, { at: 1 }], next: null };
    const head = { rows: [{ at: 3 }, { at: 2, text: 'drained' }], next: null };
    expect(withKnownOnly(known, head, numberOf).rows).toEqual([{ at: 2, text: 'drained' }, { at: 1 }]);
  });
  it('counts new rows, and states whether there may be more', () => {
    const known = { rows: rows(5), next: null };
    expect(newerThan(known, { rows: rows(7, 6, 5), next: '5' }, numberOf)).toEqual({
      count: 2,
      orMore: false,
    });
    expect(newerThan(known, { rows: rows(9, 8), next: '8' }, numberOf)).toEqual({ count: 2, orMore: true });
  });
});

/** Rows `newest`…1, paged. */
function store(newest: { at: number }, shows: (row: Row) => boolean = () => true): HistorySource<Row> {
  return {
    read: async (before, limit) => {
      const from = before === null ? newest.at : Number(before) - 1;
      const read = Array.from({ length: Math.min(limit, from) }, (_, i) => ({ at: from - i }));
      const last = read.at(-1);
      return { rows: read, next: last === undefined || last.at === 1 ? null : String(last.at) };
    },
    numberOf,
    shows,
    isBefore: () => false,
  };
}

describe('reading a history', () => {
  it('reads until enough rows match, and stops after ten pages with too few', async () => {
    const pager = new HistoryPager(store({ at: 100_000 }, ({ at }) => at <= 100));
    await pager.more();
    expect(pager.snapshot.get()).toMatchObject({ isWhole: false, rows: [] });
    expect(pager.snapshot.get().searched).toBeGreaterThan(4_000);
    expect(pager.snapshot.get().searched).toBeLessThan(10_000);
  });
  it('buffers and counts new rows while held, and shows them on request', async () => {
    const newest = { at: 50 };
    const pager = new HistoryPager(store(newest));
    await pager.more();
    newest.at = 53;
    await pager.refresh(true);
    expect(pager.snapshot.get()).toMatchObject({ waiting: { count: 3, orMore: false } });
    expect(pager.snapshot.get().rows[0]).toEqual({ at: 50 });
    pager.takeWaiting();
    expect(pager.snapshot.get().rows[0]).toEqual({ at: 53 });
    expect(pager.snapshot.get()).toMatchObject({ waiting: { count: 0 }, isWhole: true });
    expect(pager.snapshot.get().rows).toHaveLength(53);
  });
  it('keeps a bounded number of rows while new ones arrive, and reads older ones again without a gap', async () => {
    const newest = { at: 200 };
    const pager = new HistoryPager(store(newest));
    await pager.more();
    for (let read = 0; read < 200; read++) {
      newest.at += 150;
      await pager.refresh(false);
      expect(pager.snapshot.get().rows.length).toBeLessThanOrEqual(MOST_LIVE_ROWS);
    }
    await pager.more();
    const { rows } = pager.snapshot.get();
    expect(rows[0]).toEqual({ at: newest.at });
    expect(rows.map(({ at }) => at)).toEqual(rows.map((_, i) => newest.at - i));
  });
  it('discards pages requested before a restart', async () => {
    const slow = store({ at: 5_000 });
    let release: () => void = () => {};
    let reads = 0;
    const pager = new HistoryPager({
      ...slow,
      read: async (before, limit) => {
        const page = await slow.read(before, limit);
        reads += 1;
        if (reads === 2) await new Promise<void>(resolve => (release = resolve));
        return page;
      },
    });
    await pager.more();
    const older = pager.more();
    await Promise.resolve();
    pager.restart();
    release();
    await older;
    await expect.poll(() => pager.snapshot.get().isReading).toBe(false);
    expect(pager.snapshot.get().rows[0]).toEqual({ at: 5_000 });
    expect(pager.snapshot.get().rows).toHaveLength(200);
  });
});
