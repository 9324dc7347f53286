import { describe, expect, it } from 'vitest';
import {
  newerThan,
  withHead,
  withKnownOnly,
} from '../../../../../renderer/features/activity/history/history.ts';
import {
  HistoryPager,
  type HistorySource,
} from '../../../../../renderer/features/activity/history/history-pager.ts';

type Row = { at: number; text?: string };
const numberOf = ({ at }: Row) => at;
const rows = (...ats: number[]): Row[] => ats.map(at => ({ at }));

describe('a history in memory', () => {
  it('takes in what is newer and keeps what was read before', () => {
    const known = { rows: rows(5, 4, 3, 2), next: '2' };
    expect(withHead(known, { rows: rows(7, 6, 5), next: '5' }, numberOf)).toEqual({
      rows: rows(7, 6, 5, 4, 3, 2),
      next: '2',
    });
  });
  it('lets go of what lies behind a gap: no row is left out unsaid', () => {
    const known = { rows: rows(5, 4), next: '4' };
    expect(withHead(known, { rows: rows(20, 19), next: '19' }, numberOf)).toEqual({
      rows: rows(20, 19),
      next: '19',
    });
  });
  it('while held still changes only rows that are there', () => {
    const known = { rows: [{ at: 2, text: 'running' }, { at: 1 }], next: null };
    const head = { rows: [{ at: 3 }, { at: 2, text: 'drained' }], next: null };
    expect(withKnownOnly(known, head, numberOf).rows).toEqual([{ at: 2, text: 'drained' }, { at: 1 }]);
  });
  it('counts what is new, and says where there may be more', () => {
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
  it('reads on until enough is found, and stops for a question where too little is', async () => {
    const pager = new HistoryPager(store({ at: 100_000 }, ({ at }) => at <= 100));
    await pager.more();
    expect(pager.snapshot.get()).toMatchObject({ isWhole: false, rows: [] });
    expect(pager.snapshot.get().searched).toBeGreaterThan(4_000);
    expect(pager.snapshot.get().searched).toBeLessThan(10_000);
  });
  it('holds still, counts what waits, and takes it in on request', async () => {
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
  it('begun anew, takes in nothing that was asked for before', async () => {
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
