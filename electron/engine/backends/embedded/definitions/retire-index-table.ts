import { dropIndexTable } from '../../../deadline-index/index-table.ts';
import type { Writer } from '../write/writer.ts';

/**
 * Drops the index table of an index that no longer has it. A table with expired intervals stays until these are swept:
 * its entries tell which documents expired. Its late entries, which nothing reads any more, leave with them. Call inside
 * a transaction.
 */
export function retireIndexTable({ db, tables, tombstones }: Writer, table: number): void {
  if (!tombstones.intervals.hasInterval(table)) {
    dropIndexTable(db, table);
    return;
  }
  tables.expiredIntervals.retire(table);
}
