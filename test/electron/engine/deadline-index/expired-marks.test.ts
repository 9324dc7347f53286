import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { migrate } from '../../../../electron/engine/backends/embedded/file/migrate.ts';
import { createNextIndexTable } from '../../../../electron/engine/backends/embedded/tables/next-index-table.ts';
import { evenEdges } from '../../../../electron/engine/deadline-index/bucket-edges.ts';
import type { Entry } from '../../../../electron/engine/deadline-index/index-entry.ts';
import { IndexTable } from '../../../../electron/engine/deadline-index/index-table.ts';
import { NOON } from '../../../support/engine.ts';

/** Reference times of a few instants, close together and days apart, so that a mark divides every kind of bucket. */
const reference = fc
  .tuple(
    fc.constantFrom(0, 1, 499, 999, 1_000, 61_000, 3_600_500, 86_400_000),
    fc.integer({ min: 0, max: 3 }),
  )
  .map(([base, more]) => NOON + base + more);
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      at: fc.array(reference, { minLength: 1, maxLength: 8 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), which: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('expire' as const), through: reference }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('cut' as const), count: fc.integer({ min: 1, max: 5 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('delete expired' as const),
      most: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('put back' as const),
      most: fc.integer({ min: 1, max: 3 }),
      times: fc.integer({ min: 1, max: 4 }),
    }),
  },
);

/** Nothing but living entries, in order. */
class Naive {
  entries: Entry[] = [];

  add(entries: readonly Entry[]): void {
    this.entries = [...this.entries, ...entries].sort((a, b) => a.reference - b.reference || a.row - b.row);
  }
  between(from: number, to: number): Entry[] {
    return this.entries.filter(entry => entry.reference >= from && entry.reference < to);
  }
}

/** Places of the entries that a statement reads. */
function entriesOf(db: Sqlite.Database, sql: string): Set<string> {
  return new Set(
    db
      .prepare<[], { reference: number; row: number }>(sql)
      .all()
      .map(({ reference: at, row }) => `${at} ${row}`),
  );
}

function tally(entries: readonly Entry[]) {
  return { documents: entries.length, bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0) };
}

describe('an index table with a mark', () => {
  it('[V1, X2, D10] shows and counts living entries only: those above the mark, and late ones', () => {
    const db = new Sqlite(':memory:');
    migrate(db);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), reference, reference, (steps, from, to) => {
        let through = -1;
        let hasInterval = false;
        const marks = { throughOf: () => through, hasInterval: () => hasInterval };
        const table = new IndexTable(db, createNextIndexTable(db), marks);
        const naive = new Naive();
        let rows = 1;
        for (const one of steps) {
          if (one.kind === 'add') {
            const entries = one.at.map((at, i) => ({ reference: at, row: rows + i, bytes: 10 + (i % 7) }));
            rows += entries.length;
            naive.add(entries);
            table.addAll([...entries]);
          } else if (one.kind === 'remove') {
            const [entry] = naive.entries.splice(one.which % Math.max(1, naive.entries.length), 1);
            if (entry !== undefined) table.remove(entry.reference, entry.row, entry.bytes);
          } else if (one.kind === 'cut') {
            table.flushCounts();
            const first = table.entries(0, Number.MAX_SAFE_INTEGER, null, one.count);
            expect(first).toEqual(naive.entries.splice(0, one.count));
            table.cut(first);
          } else if (one.kind === 'delete expired') table.deleteExpired(through, one.most);
          else if (one.kind === 'put back') {
            while (table.deleteExpired(through, 100));
            through = -1;
            for (let i = 0; i < one.times && hasInterval; i += 1) hasInterval = table.putBackLate(one.most);
          } else if (one.through > through) {
            const late = entriesOf(
              db,
              `SELECT reference, row FROM late_entries WHERE index_table = ${table.number}`,
            );
            const expired = naive.entries.filter(
              ({ reference: at, row }) => at > through && at <= one.through && !late.has(`${at} ${row}`),
            );
            expect(table.hasMoreThan(0, one.through)).toBe(expired.length > 0);
            expect(table.hasMoreThan(expired.length, one.through)).toBe(false);
            const counted = table.countThrough(one.through);
            expect(counted).toMatchObject(tally(expired));
            table.takeCounts(one.through, counted);
            naive.entries = naive.entries.filter(entry => !expired.includes(entry));
            through = one.through;
            hasInterval = true;
          }
          table.flushCounts();
        }
        const all = naive.entries;
        expect(table.total()).toEqual(tally(all));
        expect(table.first()).toBe(all[0]?.reference ?? null);
        expect(table.last()).toBe(all.at(-1)?.reference ?? null);
        expect(table.first(from)).toBe(all.find(entry => entry.reference >= from)?.reference ?? null);
        expect(table.before(to)).toEqual(tally(naive.between(0, to)));
        expect(table.documentsBefore(to)).toBe(naive.between(0, to).length);
        expect(table.entries(0, to, null, 1_000)).toEqual(naive.between(0, to));
        expect(table.entries(from, to, null, 3)).toEqual(naive.between(from, to).slice(0, 3));
        expect(table.entriesBackwards(from, to, null, 4)).toEqual(
          naive.between(from, to).toReversed().slice(0, 4),
        );
        for (const [start, width] of [
          [NOON - 5, 250],
          [NOON, 1_000],
          [NOON - 7_000, 61_300],
          [from - 17, 43_200_000],
        ] as const) {
          const counted = Array.from(
            { length: 5 },
            (_, i) => naive.between(start + i * width, start + (i + 1) * width).length,
          );
          expect(table.histogram(evenEdges(start, width, 5)), `${start} by ${width}`).toEqual(counted);
        }
        const own = entriesOf(db, `SELECT reference, row FROM entries_${table.number}`);
        const aboveMark = all.filter(({ reference: at, row }) => at > through && own.has(`${at} ${row}`));
        for (let most = 0; most <= aboveMark.length; most++)
          expect(table.throughOfFirst(most), `the first ${most}`).toBe(
            (aboveMark[most]?.reference ?? Number.MAX_SAFE_INTEGER) - 1,
          );
        for (const { reference: at, row: of, bytes } of all) expect(table.bytesOf(at, of)).toBe(bytes);
      }),
      { numRuns: 300 },
    );
    db.close();
  });

  it('[V1, X2] counts late entries by their buckets, however many there are', () => {
    const db = new Sqlite(':memory:');
    migrate(db);
    const table = new IndexTable(db, createNextIndexTable(db), {
      throughOf: () => NOON,
      hasInterval: () => true,
    });
    table.addAll(Array.from({ length: 300 }, (_, row) => ({ reference: NOON - 5_000, row, bytes: 3 })));
    table.add(NOON + 1_000, 300, 3);
    table.flushCounts();
    // Counts that leave late entries out are made without reading them.
    db.exec('DELETE FROM late_entries WHERE row >= 1');
    expect(table.total()).toEqual({ documents: 301, bytes: 903 });
    expect(table.before(NOON)).toEqual({ documents: 300, bytes: 900 });
    expect(table.documentsBefore(NOON + 5_000)).toBe(301);
    expect(table.histogram(evenEdges(NOON - 6_000, 2_000, 5))).toEqual([300, 0, 0, 1, 0]);
    db.close();
  });

  it('[R3] reads ten thousand entries of a second at most to find where the first ones end', () => {
    const db = new Sqlite(':memory:');
    migrate(db);
    const table = new IndexTable(db, createNextIndexTable(db), null);
    const entry = (reference: number, row: number) => ({ reference, row, bytes: 1 });
    // 50 in the second before, then 60 in each millisecond of one second.
    table.addAll(Array.from({ length: 50 }, (_, i) => entry(NOON - 1, i)));
    table.addAll(Array.from({ length: 60_000 }, (_, i) => entry(NOON + Math.floor(i / 60), 100 + i)));
    expect(table.throughOfFirst(49)).toBe(NOON - 2);
    expect(table.throughOfFirst(50)).toBe(NOON - 1);
    expect(table.throughOfFirst(50 + 600)).toBe(NOON + 9);
    expect(table.throughOfFirst(50 + 659)).toBe(NOON + 9);
    expect(table.throughOfFirst(50 + 30_000)).toBe(NOON + Math.floor(10_000 / 60) - 1);
    expect(table.throughOfFirst(60_050)).toBeGreaterThan(NOON + 999);
    db.close();
  });
});
