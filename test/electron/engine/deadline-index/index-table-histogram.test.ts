import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openForWriting } from '../../../../electron/engine/backends/embedded/file/database.ts';
import { createNextIndexTable } from '../../../../electron/engine/backends/embedded/tables/next-index-table.ts';
import { evenEdges, timelineEdges } from '../../../../electron/engine/deadline-index/bucket-edges.ts';
import { IndexTable } from '../../../../electron/engine/deadline-index/index-table.ts';
import { DAY, HOUR, MINUTE, NOON, SECOND } from '../../../support/engine.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';

/** Many in one second, some in one hour, a few over years. */
const references = fc.array(
  fc.oneof(
    fc.integer({ min: 0, max: 2 * SECOND }).map(ms => NOON + ms),
    fc.integer({ min: -HOUR, max: HOUR }).map(ms => NOON + ms),
    fc.integer({ min: -400 * DAY, max: 400 * DAY }).map(ms => NOON + ms),
    fc.constantFrom(0, 1, 999, 1_000, NOON, NOON + SECOND - 1, NOON + DAY),
  ),
  { maxLength: 80 },
);
const spans = fc.record({
  from: fc.oneof(
    fc.constantFrom(-SECOND, 0, NOON, NOON - HOUR, NOON - 3 * DAY, NOON - 1, NOON - DAY + 345),
    fc.integer({ min: -800 * DAY, max: 2 * HOUR }).map(ms => NOON + ms),
    fc.double({ min: -HOUR, max: HOUR, noNaN: true }).map(ms => NOON + ms),
  ),
  width: fc.oneof(
    fc.constantFrom(1, 7, 100, 200, SECOND, 12 * SECOND, MINUTE, 6 * HOUR, DAY, 30 * DAY),
    fc.integer({ min: 1, max: 10 * DAY }),
    fc.double({ min: 0.5, max: 3 * HOUR, noNaN: true }),
  ),
  buckets: fc.constantFrom(1, 2, 60, 300),
});

/** Up to three instants with many documents: more than a part of a second is read in one round. */
const cliffs = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 2 * SECOND }),
    documents: fc.constantFrom(10, 5_000, 17_000, 30_000),
  }),
  { maxLength: 3 },
);

describe('a histogram of deadlines', () => {
  it('[X2] counts each span exactly, from any instant and of any width', () => {
    const db = openForWriting(temporaryStoreFile());
    // Each commit would be synced to the disk.
    db.pragma('synchronous = OFF');
    const number = createNextIndexTable(db);
    const table = new IndexTable(db, number, null);
    fc.assert(
      fc.property(references, spans, (entries, { from, width, buckets }) => {
        db.exec(`DELETE FROM entries_${number}; DELETE FROM counts_${number}`);
        for (const [row, reference] of entries.entries()) table.add(reference, row, 10);
        table.flushCounts();
        const naive = Array.from(
          { length: buckets },
          (_, i) => entries.filter(at => at >= from + width * i && at < from + width * (i + 1)).length,
        );
        expect(table.histogram(evenEdges(from, width, buckets))).toEqual(naive);
        expect(table.documentsBefore(from)).toBe(entries.filter(at => at < from).length);
        const second = Math.floor(from / SECOND) * SECOND;
        expect(table.inSeconds(second, second + HOUR)).toBe(
          entries.filter(at => at >= second && at < second + HOUR).length,
        );
      }),
      { numRuns: 600 },
    );
    db.close();
  });

  it('[X2, V1] counts a timeline to the document, whatever expired and was written late, with a cliff at an edge', () => {
    const db = openForWriting(temporaryStoreFile());
    db.pragma('synchronous = OFF');
    fc.assert(
      fc.property(
        cliffs,
        references,
        fc.record({
          from: fc.integer({ min: -2_500, max: 2_500 }),
          width: fc.integer({ min: 1, max: 9_000 }),
        }),
        fc.integer({ min: -1, max: 3_000 }),
        (atOnce, entries, { from, width }, mark) => {
          let through = -1;
          const table = new IndexTable(db, createNextIndexTable(db), {
            throughOf: () => through,
            hasInterval: () => through >= 0,
          });
          let row = 0;
          const add = (all: readonly number[]) => {
            table.addAll(all.map(reference => ({ reference, row: ++row, bytes: 1 })));
            table.flushCounts();
          };
          const expiring = [
            ...atOnce.flatMap(({ at, documents }) => Array<number>(documents).fill(NOON + at)),
            ...entries,
          ];
          add(expiring);
          if (mark >= 0) {
            table.takeCounts(NOON + mark, table.countThrough(NOON + mark));
            through = NOON + mark;
          }
          // Those at or below the mark are late ones.
          add(entries);
          const living = [...expiring.filter(at => at > through), ...entries];
          const span = { from: NOON + from, to: NOON + from + 3 * width, buckets: 3 };
          const edges = timelineEdges(span);
          const naive = edges
            .slice(1)
            .map((to, i) => living.filter(at => at >= (edges[i] ?? 0) && at < to).length);
          expect(table.histogram(edges)).toEqual(naive);
          expect(edges[0]).toBe(span.from);
          expect(edges[3]).toBe(span.to);
          expect(edges).toEqual([...new Set(edges)].sort((a, b) => a - b));
          expect(table.documentsBefore(span.from)).toBe(living.filter(at => at < span.from).length);
        },
      ),
      { numRuns: 60 },
    );
    db.close();
  });
});
