import { describe, expect, it, onTestFinished } from 'vitest';
import { openForWriting } from '../../../../electron/engine/backends/embedded/file/database.ts';
import { createNextIndexTable } from '../../../../electron/engine/backends/embedded/tables/next-index-table.ts';
import { timelineEdges } from '../../../../electron/engine/deadline-index/bucket-edges.ts';
import { ExpiryCountsTable } from '../../../../electron/engine/deadline-index/expiry-counts.ts';
import { ExpiryCountsReader } from '../../../../electron/engine/deadline-index/expiry-counts-reader.ts';
import { IndexTable } from '../../../../electron/engine/deadline-index/index-table.ts';
import { TimelineCounts } from '../../../../electron/engine/deadline-index/timeline-counts.ts';
import { DAY, HOUR, MINUTE, NOON, SECOND } from '../../../support/engine.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';

function openCounts() {
  const db = openForWriting(temporaryStoreFile());
  db.pragma('synchronous = OFF');
  onTestFinished(() => void db.close());
  const table = new ExpiryCountsTable(db);
  const reader = new ExpiryCountsReader(db);
  /** Documents by source, as a list of [bucket, documents]. */
  const each = (span: { from: number; to: number; buckets: number }, now: number, collection = 1) => {
    const found: [source: number, bucket: number, documents: number][] = [];
    reader.each(collection, timelineEdges(span), now, (...count) => found.push(count));
    return found;
  };
  const rows = () => db.prepare<[], number>('SELECT count(*) FROM expiry_counts').pluck().get();
  const indexTable = (references: readonly number[]) => {
    const index = new IndexTable(db, createNextIndexTable(db), null);
    index.addAll(references.map((reference, row) => ({ reference, row, bytes: 1 })));
    index.flushCounts();
    return index;
  };
  return { table, reader, each, rows, indexTable };
}

describe('[X2] expiry counts', () => {
  it('are added by source, and read from the level that fits the buckets', () => {
    const { table, reader, each } = openCounts();
    expect(reader.firstAt(1)).toBeNull();
    table.add(1, 7, NOON + 1_500, 2);
    table.add(1, 7, NOON + 1_999, 3);
    table.add(1, 8, NOON + 1_000, 1);
    table.add(2, 7, NOON + 1_000, 9);
    table.add(1, 7, NOON + HOUR, 4);
    expect(reader.firstAt(1)).toBe(NOON);
    expect(each({ from: NOON, to: NOON + 4 * SECOND, buckets: 4 }, NOON)).toEqual([
      [7, 1, 5],
      [8, 1, 1],
    ]);
    expect(each({ from: NOON + 2 * SECOND, to: NOON + 4 * SECOND, buckets: 2 }, NOON)).toEqual([]);
    expect(each({ from: NOON, to: NOON + 2 * HOUR, buckets: 2 }, NOON)).toEqual([
      [7, 0, 5],
      [8, 0, 1],
      [7, 1, 4],
    ]);
    // The hour that the span cuts is counted by seconds.
    expect(each({ from: NOON + 1_000, to: NOON + HOUR + 1_000, buckets: 1 }, NOON)).toEqual([
      [7, 0, 5],
      [8, 0, 1],
      [7, 0, 4],
    ]);
  });

  it('of seconds are kept for a day, of minutes for thirty and of hours for two years', () => {
    const { table, each, rows } = openCounts();
    const ages = [0, 2 * DAY, 40 * DAY, 800 * DAY];
    for (const age of ages) table.add(1, 7, NOON - age + 10 * MINUTE + 5 * SECOND, 1);
    table.add(2, 7, NOON - 800 * DAY, 1);
    expect(rows()).toBe(15);
    expect(table.prune(NOON, 2)).toBe(true);
    expect(rows()).toBe(13);
    while (table.prune(NOON, 2));
    expect(rows()).toBe(6);
    const minutes = (age: number) =>
      each({ from: NOON - age, to: NOON - age + HOUR, buckets: 60 }, NOON).map(([, bucket]) => bucket);
    // An hour that only the coarsest counts have is in its first minute.
    expect(ages.map(minutes)).toEqual([[10], [10], [0], []]);
    expect(table.deleteSomeOfCollection(1, 4)).toBe(4);
    expect(table.deleteSomeOfCollection(1, 4)).toBe(2);
    expect(rows()).toBe(0);
  });

  it('of a span over several levels are counted once, and an hour that begins before the span is left out', () => {
    const { table, each } = openCounts();
    const times = [40 * DAY, 30 * DAY + HOUR, 30 * DAY - HOUR, DAY + MINUTE, DAY - MINUTE, MINUTE];
    for (const age of times) table.add(1, 7, NOON - age, 1);
    const days = (from: number) =>
      each({ from, to: NOON, buckets: 7 }, NOON).reduce((sum, [, , n]) => sum + n, 0);
    expect(days(NOON - 41 * DAY)).toBe(6);
    expect(days(NOON - 40 * DAY)).toBe(6);
    expect(days(NOON - 40 * DAY + 30 * MINUTE)).toBe(5);
    expect(days(NOON - 30 * DAY)).toBe(4);
    expect(each({ from: NOON - 3 * MINUTE, to: NOON - 1_500, buckets: 1 }, NOON)).toEqual([[7, 0, 1]]);
    // Buckets of 90 minutes: neither the hours nor the minutes of their edges are cut.
    expect(each({ from: NOON - 3 * HOUR, to: NOON, buckets: 2 }, NOON)).toEqual([[7, 1, 1]]);
  });

  it('are kept to the end of their time', () => {
    const { table, rows } = openCounts();
    table.add(1, 7, NOON, 1);
    for (const [age, left] of [
      [DAY, 3],
      [DAY + SECOND, 2],
      [30 * DAY, 2],
      [30 * DAY + MINUTE, 1],
      [730 * DAY, 1],
      [730 * DAY + HOUR, 0],
    ] as const) {
      table.prune(NOON + age, 100);
      expect(rows()).toBe(left);
    }
  });
});

describe('[X2] a timeline', () => {
  const series = (id: string) => ({ id, label: id.toUpperCase(), paused: null });
  const span = { from: NOON - 2 * MINUTE, to: NOON + 2 * MINUTE, buckets: 4 };

  it('has deadlines and expiries by series and bucket, with the overdue ones in the bucket of now', () => {
    const { table, reader, indexTable } = openCounts();
    const now = NOON + 30 * SECOND;
    table.add(1, 7, NOON - 90 * SECOND, 5);
    table.add(1, 9, NOON - 90 * SECOND, 2);
    const timeline = new TimelineCounts(span, now);
    timeline.addSeries({ ...series('a'), collections: 3 });
    timeline.addSeries(series('b'));
    const deadlines = [NOON - 30 * SECOND, NOON + 10 * SECOND, now, now + 1, NOON + MINUTE];
    const figures = timeline.addDeadlines('a', indexTable(deadlines.map(at => at - HOUR)), HOUR);
    timeline.addDeadlines('b', indexTable([NOON + 119 * SECOND, NOON + DAY]), 0);
    timeline.addExpired(reader, 1, source => (source === 7 ? 'a' : 'gone'));
    expect(figures).toMatchObject({ documents: 5, overdue: 3 });
    expect(timeline.answer()).toEqual({
      now,
      overdue: 3,
      oldestOverdueAt: NOON - 30 * SECOND,
      nextDeadlineAt: now + 1,
      // The hour of the first expiry.
      earliestAt: NOON - HOUR,
      latestAt: NOON + DAY,
      series: [
        { id: 'a', label: 'A', paused: null, overdue: 3, collections: 3 },
        { id: 'b', label: 'B', paused: null, overdue: 0 },
        { id: 'gone', label: 'gone', paused: null, overdue: 0 },
      ],
      bucketMs: MINUTE,
      buckets: [
        {
          fromAt: NOON - 2 * MINUTE,
          toAt: NOON - MINUTE,
          expired: 7,
          due: 0,
          byIndex: { a: { expired: 5, due: 0 }, gone: { expired: 2, due: 0 } },
        },
        { fromAt: NOON - MINUTE, toAt: NOON, expired: 0, due: 1, byIndex: { a: { expired: 0, due: 1 } } },
        {
          fromAt: NOON,
          toAt: NOON + MINUTE,
          expired: 0,
          due: 3,
          byIndex: { a: { expired: 0, due: 3, overdue: 2 } },
        },
        {
          fromAt: NOON + MINUTE,
          toAt: NOON + 2 * MINUTE,
          expired: 0,
          due: 2,
          byIndex: { a: { expired: 0, due: 1 }, b: { expired: 0, due: 1 } },
        },
      ],
      cliffs: [],
    });
  });

  it('without documents has no times', () => {
    const { reader, indexTable } = openCounts();
    const timeline = new TimelineCounts(span, NOON);
    timeline.addDeadlines('a', indexTable([]), 0);
    timeline.addExpired(reader, 1, () => 'a');
    expect(timeline.answer()).toMatchObject({
      overdue: 0,
      oldestOverdueAt: null,
      nextDeadlineAt: null,
      earliestAt: null,
      latestAt: null,
      buckets: [{ byIndex: {} }, { byIndex: {} }, { byIndex: {} }, { byIndex: {} }],
    });
  });

  it('of another time has the overdue documents in no bucket of now', () => {
    const { indexTable } = openCounts();
    for (const now of [span.to, span.to + 1, span.from + HOUR]) {
      const timeline = new TimelineCounts(span, now);
      timeline.addDeadlines('a', indexTable([NOON + 90 * SECOND]), 0);
      expect(timeline.answer()).toMatchObject({ overdue: 1, earliestAt: NOON + 90 * SECOND });
      expect(timeline.answer().buckets[3]?.byIndex).toEqual({ a: { expired: 0, due: 1 } });
    }
    const atItsStart = new TimelineCounts(span, span.from);
    atItsStart.addDeadlines('a', indexTable([span.from]), 0);
    expect(atItsStart.answer().buckets[0]?.byIndex).toEqual({ a: { expired: 0, due: 1, overdue: 1 } });
  });

  it('has its twenty largest cliffs, the largest first', () => {
    const { indexTable } = openCounts();
    const references = Array.from({ length: 22 }, (_, i) =>
      Array<number>(50 + i).fill(NOON + i * MINUTE),
    ).flat();
    const index = indexTable(references);
    for (const hours of [1, 7]) {
      const timeline = new TimelineCounts({ from: NOON, to: NOON + hours * HOUR, buckets: hours * 60 }, NOON);
      timeline.addDeadlines('a', index, 0);
      const { cliffs } = timeline.answer();
      expect(cliffs).toHaveLength(20);
      expect(cliffs[0]).toEqual({ at: NOON + 21 * MINUTE, count: 71, series: 'a' });
      expect(cliffs.at(-1)).toEqual({ at: NOON + 2 * MINUTE, count: 52, series: 'a' });
    }
  });

  it('of long buckets meets at whole seconds, from its first instant to its last', () => {
    const { indexTable } = openCounts();
    const cliff = NOON + 12 * SECOND;
    const late = new TimelineCounts({ from: NOON + 400, to: NOON + 36_400, buckets: 3 }, cliff + 300);
    const deadlines = [
      NOON + 399,
      NOON + 400,
      cliff - 1,
      cliff,
      cliff + 300,
      cliff + 301,
      NOON + 36_399,
      NOON + 36_400,
    ];
    late.addDeadlines('a', indexTable(deadlines), 0);
    const { bucketMs, buckets } = late.answer();
    expect(bucketMs).toBe(12 * SECOND);
    expect(buckets.map(({ fromAt, toAt, due }) => [fromAt - NOON, toAt - NOON, due])).toEqual([
      [400, 12_000, 2],
      [12_000, 24_000, 3],
      [24_000, 36_400, 1],
    ]);
    expect(buckets.map(({ byIndex }) => byIndex.a?.overdue)).toEqual([undefined, 2, undefined]);
    const short = new TimelineCounts({ from: NOON + 400, to: NOON + 1_600, buckets: 3 }, NOON);
    short.addDeadlines('a', indexTable([NOON + 799, NOON + 800, NOON + 1_599, NOON + 1_600]), 0);
    expect(short.answer().buckets.map(({ due }) => due)).toEqual([1, 1, 1]);
  });

  it('counts expiries of whole seconds in the bucket that has all of the second', () => {
    const { table, reader } = openCounts();
    for (const at of [11_999, 12_000, 12_999, 36_000]) table.add(1, 7, NOON + at, 1);
    const timeline = new TimelineCounts({ from: NOON + 400, to: NOON + 36_400, buckets: 3 }, NOON + HOUR);
    timeline.addExpired(reader, 1, () => 'a');
    expect(timeline.answer().buckets.map(({ expired }) => expired)).toEqual([1, 2, 1]);
  });

  it('is refused unless it ends after its beginning', () => {
    for (const to of [NOON, NOON - 1])
      expect(() => new TimelineCounts({ from: NOON, to, buckets: 1 }, NOON)).toThrow('`to` must be later');
  });
});
