import type { Database } from 'better-sqlite3';
import { ExpiredIntervals } from '../../electron/engine/backends/embedded/tables/removals/expired-intervals.ts';
import { ExpiredIntervalsTable } from '../../electron/engine/backends/embedded/tables/removals/expired-intervals-table.ts';
import { RemovalsTable } from '../../electron/engine/backends/embedded/tables/removals/removals.ts';

/** The `removals` table of a file, without the writer of a store. */
export function removalsTable(db: Database): RemovalsTable {
  return new RemovalsTable(db, new ExpiredIntervalsTable(db, new ExpiredIntervals(db)));
}
