import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openForWriting } from '../../../../electron/engine/backends/embedded/file/database.ts';
import { createNextIndexTable } from '../../../../electron/engine/backends/embedded/tables/next-index-table.ts';
import { timelineEdges } from '../../../../electron/engine/deadline-index/bucket-edges.ts';
import { cliffsOf } from '../../../../electron/engine/deadline-index/cliffs.ts';
import { deadlineFigures, earliest } from '../../../../electron/engine/deadline-index/deadline-figures.ts';
import {
  decodeReason,
  type Entry,
  encodeReason,
} from '../../../../electron/engine/deadline-index/index-entry.ts';
import { IndexTable } from '../../../../electron/engine/deadline-index/index-table.ts';
import { DAY, HOUR, MINUTE, NOON, SECOND } from '../../../support/engine.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';

function openIndexTable() {
  const db = openForWriting(temporaryStoreFile());
  // Each commit would be synced to the disk.
  db.pragma('synchronous = OFF');
  onTestFinished(() => void db.close());
  const number = createNextIndexTable(db);
  const clear = () => db.exec(`DELETE FROM entries_${number}; DELETE FROM counts_${number}`);
  const counts = () => db.prepare(`SELECT * FROM counts_${number} WHERE documents = 0 OR bytes = 0`).all();
  return { table: new IndexTable(db, number, null), db, number, clear, counts };
}

function fill(table: IndexTable, references: readonly number[]): void {
  table.addAll(references.map((reference, row) => ({ reference, row, bytes: 10 })));
  table.flushCounts();
}

const times = (count: number, at: number) => Array<number>(count).fill(at);
const byKey = (a: Entry, b: Entry) => a.reference - b.reference || a.row - b.row;
const REASON = encodeReason('missing field');
const references = fc.oneof(
  fc.integer({ min: 0, max: 3 * SECOND }).map(ms => NOON + ms),
  fc.integer({ min: -3 * HOUR, max: 3 * HOUR }).map(ms => NOON + ms),
  fc.integer({ min: -400 * DAY, max: 400 * DAY }).map(ms => NOON + ms),
  fc.constantFrom(0, 999, SECOND, NOON, NOON + DAY, REASON),
);
const changes = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('add' as const), references: fc.array(references, { maxLength: 70 }) }),
    fc.record({ kind: fc.constant('remove' as const), place: fc.nat() }),
    fc.record({ kind: fc.constant('cut' as const), entries: fc.nat(20) }),
  ),
  { maxLength: 6 },
);

describe('an index table', () => {
  it('[X1] counts and lists what a plain list of its entries does, after any additions and removals', () => {
    const { table, clear, counts } = openIndexTable();
    const at = fc.oneof(references, fc.constantFrom(NOON - 1, NOON + 1, NOON + SECOND, NOON + HOUR));
    fc.assert(
      fc.property(changes, at, at, fc.integer({ min: 1, max: 5 }), (steps, one, other, limit) => {
        clear();
        let all: Entry[] = [];
        let row = 0;
        for (const step of steps) {
          if (step.kind === 'add') {
            const added = step.references.map(reference => ({ reference, row: ++row, bytes: row * 10 }));
            const [first, ...others] = added;
            if (first !== undefined) table.add(first.reference, first.row, first.bytes);
            table.addAll(others);
            all = [...all, ...added].sort(byKey);
          } else if (step.kind === 'remove') {
            const removed = all[step.place % Math.max(1, all.length)];
            if (removed !== undefined) table.remove(removed.reference, removed.row, removed.bytes);
            // No such entry: nothing changes.
            table.remove(NOON, -5, 10);
            all = all.filter(entry => entry !== removed);
          } else {
            const removed = all.filter(({ reference }) => reference >= 0).slice(0, step.entries);
            table.cut(removed);
            all = all.filter(entry => !removed.includes(entry));
          }
        }
        table.flushCounts();
        const [from, to] = one <= other ? [one, other] : [other, one];
        const timed = all.filter(({ reference }) => reference >= 0);
        const tally = (entries: readonly Entry[]) => ({
          documents: entries.length,
          bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0),
        });
        const within = timed.filter(({ reference }) => reference >= from && reference < to);
        expect(counts()).toEqual([]);
        expect(table.isEmpty()).toBe(all.length === 0);
        expect(table.total()).toEqual(tally(timed));
        expect(table.before(to)).toEqual(tally(timed.filter(({ reference }) => reference < to)));
        expect(table.between(Math.max(0, from), Math.max(0, to))).toEqual(tally(within));
        expect(table.first()).toBe(timed[0]?.reference ?? null);
        expect(table.first(to)).toBe(timed.find(({ reference }) => reference >= to)?.reference ?? null);
        expect(table.last()).toBe(timed.at(-1)?.reference ?? null);
        const missing = all.filter(({ reference }) => reference === REASON);
        expect(table.reasons()).toEqual(
          missing.length === 0 ? [] : [{ reason: 'missing field', ...tally(missing) }],
        );
        expect(table.entriesOfReason('missing field', null, limit)).toEqual(missing.slice(0, limit));
        expect(table.entriesOfReason('missing field', missing[0]?.row ?? null, limit)).toEqual(
          missing.slice(1, limit + 1),
        );
        const span = [Math.max(0, from), Math.max(0, to)] as const;
        expect(table.entries(...span, null, limit)).toEqual(within.slice(0, limit));
        expect(table.entriesBackwards(...span, null, limit)).toEqual(within.toReversed().slice(0, limit));
        const [first, last] = [within[0], within.at(-1)];
        if (first === undefined || last === undefined) return;
        expect(table.entries(...span, first, limit)).toEqual(within.slice(1, limit + 1));
        expect(table.entriesBackwards(...span, last, limit)).toEqual(
          within.slice(0, -1).toReversed().slice(0, limit),
        );
        expect(table.bytesOf(first.reference, first.row)).toBe(first.bytes);
        expect(table.bytesOf(first.reference, -5)).toBeNull();
      }),
      { numRuns: 100 },
    );
  });

  it('[X1] takes a cursor outside its span for the edge of the span', () => {
    const { table } = openIndexTable();
    fill(table, [NOON, NOON + 1, NOON + 2]);
    const listed = (entries: readonly Entry[]) => entries.map(({ reference }) => reference - NOON);
    expect(listed(table.entries(NOON + 1, NOON + 9, { reference: NOON, row: 0 }, 9))).toEqual([1, 2]);
    expect(listed(table.entriesBackwards(NOON, NOON + 2, { reference: NOON + 2, row: 9 }, 9))).toEqual([
      1, 0,
    ]);
  });

  it('[X1] counts reasons at a level of their own, and documents of 1 January 1970', () => {
    const { table, db, number } = openIndexTable();
    fill(table, [REASON, ...times(50, 500)]);
    expect(db.prepare(`SELECT bucket FROM counts_${number} WHERE level = -1`).pluck().all()).toEqual([
      REASON,
    ]);
    expect(table.fullest(0, 0, MINUTE, 50)).toEqual([{ reference: 0, documents: 50 }]);
  });

  it('[E1] reads a negative number that is no reason as out of range', () => {
    expect(decodeReason(REASON)).toBe('missing field');
    expect(decodeReason(-99)).toBe('out of range');
  });
});

describe('[D10] the figures of an index', () => {
  it('count a document as overdue from its deadline on', () => {
    const { table } = openIndexTable();
    const figures = (now: number) => deadlineFigures(table, MINUTE, now);
    expect(figures(NOON)).toEqual({ documents: 0, overdue: 0, firstAt: null, nextAt: null });
    fill(table, [NOON, NOON, NOON + 1]);
    const [first, second] = [NOON + MINUTE, NOON + MINUTE + 1];
    const documents = 3;
    expect(figures(first - 1)).toEqual({ documents, overdue: 0, firstAt: first, nextAt: first });
    expect(figures(first)).toEqual({ documents, overdue: 2, firstAt: first, nextAt: second });
    expect(figures(second)).toEqual({ documents, overdue: 3, firstAt: first, nextAt: null });
    expect(earliest([null, 5, 3, null, 4])).toBe(3);
    expect(earliest([null])).toBeNull();
  });
});

describe('[X2] a cliff', () => {
  const HOUR_SPAN = { from: NOON, to: NOON + HOUR, buckets: 60 };
  const cliffs = (references: readonly number[], span = HOUR_SPAN) => {
    const { table } = openIndexTable();
    fill(
      table,
      references.map(reference => reference - DAY),
    );
    const edges = timelineEdges(span);
    const counts = table.histogram(edges.map(edge => edge - DAY));
    return cliffsOf(table, DAY, { edges, counts }).map(({ at, count }) => [at - NOON, count]);
  };

  it('is a second with fifty expirations at least', () => {
    expect(cliffs(times(49, NOON + 5 * SECOND))).toEqual([]);
    expect(cliffs(times(50, NOON + 5 * SECOND + 999))).toEqual([[5 * SECOND, 50]]);
  });

  it('is each of many such seconds', () => {
    const seconds = Array.from({ length: 25 }, (_, i) => NOON + 2 * i * MINUTE);
    expect(cliffs(seconds.flatMap(at => times(60, at)))).toHaveLength(25);
  });

  it('has a quarter of its bucket at least', () => {
    const at = NOON + 10 * MINUTE;
    const rest = (documents: number) =>
      Array.from({ length: documents }, (_, i) => at + 31 * SECOND + (i % 29) * SECOND);
    expect(cliffs([...times(60, at), ...rest(180)])).toEqual([[10 * MINUTE, 60]]);
    expect(cliffs([...times(60, at), ...rest(181)])).toEqual([]);
  });

  it('has five times as many as the other seconds around it', () => {
    const at = NOON + 10 * MINUTE + 30 * SECOND;
    const around = (documents: number) =>
      Array.from({ length: documents }, (_, i) => at - 30 * SECOND + (i % 25) * SECOND);
    expect(cliffs([...times(60, at), ...around(708)], { ...HOUR_SPAN, buckets: 3_600 })).toEqual([
      [630 * SECOND, 60],
    ]);
    expect(cliffs([...times(60, at), ...around(709)], { ...HOUR_SPAN, buckets: 3_600 })).toEqual([]);
    const edges = [...times(400, at - 31 * SECOND), ...times(400, at + 30 * SECOND)];
    expect(
      cliffs([...times(60, at), ...edges], { ...HOUR_SPAN, buckets: 3_600 }).map(([ms]) => ms),
    ).toContain(630 * SECOND);
  });

  it('is searched in the fullest minutes or hours of a long span, and not in one of years', () => {
    const at = NOON + DAY + HOUR + 7 * SECOND;
    const long = (days: number) => ({ from: NOON, to: NOON + days * DAY, buckets: 30 });
    const documents = [...times(70, at), ...times(55, at + 20 * SECOND), ...times(60, at + 2 * HOUR)];
    const [first, sameMinute, later] = [at - NOON, at - NOON + 20 * SECOND, at - NOON + 2 * HOUR];
    const six = { from: NOON + DAY, to: NOON + DAY + 6 * HOUR, buckets: 360 };
    expect(cliffs(documents, six)).toEqual([
      [first, 70],
      [later, 60],
      [sameMinute, 55],
    ]);
    expect(cliffs(documents, long(15))).toEqual([
      [first, 70],
      [later, 60],
    ]);
    expect(cliffs(documents, long(900))).toEqual([
      [first, 70],
      [later, 60],
    ]);
    expect(cliffs(documents, long(901))).toEqual([]);
  });

  it('in the span only: seconds that it cuts are left out', () => {
    const span = { ...HOUR_SPAN, from: NOON + 1, to: NOON + HOUR + 1 };
    expect(cliffs([...times(60, NOON + 5), ...times(60, NOON + HOUR)], span)).toEqual([]);
    expect(cliffs(times(60, NOON))).toEqual([[0, 60]]);
    expect(cliffs(times(60, NOON + HOUR))).toEqual([]);
  });
});
