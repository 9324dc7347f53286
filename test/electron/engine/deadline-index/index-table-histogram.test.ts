import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openForWriting } from '../../../../electron/engine/backends/embedded/file/database.ts';
import { createNextIndexTable } from '../../../../electron/engine/backends/embedded/tables/next-index-table.ts';
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
        expect(table.histogram(from, width, buckets)).toEqual(naive);
        const second = Math.floor(from / SECOND) * SECOND;
        expect(table.inSeconds(second, second + HOUR)).toBe(
          entries.filter(at => at >= second && at < second + HOUR).length,
        );
      }),
      { numRuns: 600 },
    );
    db.close();
  });
});
