import { dropIndexTable, IndexTable } from '../../../deadline-index/index-table.ts';
import type { ExpiredInterval } from '../tables/removals/expired-interval.ts';
import type { Writer } from '../write/writer.ts';

/** Entries and counts that one slice deletes, and late entries that one puts back. */
const DELETED_PER_SLICE = 512;
const PUT_BACK_PER_SLICE = 128;

/**
 * Ends expired intervals whose rows are freed: deletes their entries and counts, puts late entries back into their index
 * table or, with a table that no index has any more, deletes them and the table. Written inside transactions of the caller.
 */
export class IntervalClearing {
  readonly #writer: Writer;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /** Yields slice by slice until no interval with freed rows is left. */
  *clearFreed(): Generator<void, void> {
    const { intervals } = this.#writer.tombstones;
    const next = () => intervals.all.find(({ freed }) => freed === 1);
    for (let interval = next(); interval !== undefined; interval = next()) {
      yield* this.#clear(interval);
      yield;
    }
  }

  *#clear({ first, table, through }: ExpiredInterval): Generator<void, void> {
    const { intervals } = this.#writer.tombstones;
    const isRetired = () => intervals.at(first)?.retired === 1;
    const isLast = () => !intervals.all.some(one => one.table === table && one.first !== first);
    const entries = new IndexTable(this.#writer.db, table, intervals);
    const end = isRetired() && isLast() ? Number.MAX_SAFE_INTEGER : through;
    while (entries.deleteExpired(end, DELETED_PER_SLICE)) yield;
    // While a later interval has the mark, late entries stay late.
    const canPutBack = () => isLast() && !isRetired();
    // No entry is below the mark any more. Without it, late entries are put back in any order and number.
    if (canPutBack()) this.#writer.tables.expiredIntervals.removeMark(first);
    while (canPutBack() && entries.putBackLate(PUT_BACK_PER_SLICE)) yield;
    while (isRetired() && isLast() && entries.deleteSomeLate(DELETED_PER_SLICE)) yield;
    const isUnused = isRetired() && isLast();
    this.#writer.tables.expiredIntervals.delete(first);
    if (isUnused) dropIndexTable(this.#writer.db, table);
  }
}
