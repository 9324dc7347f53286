import type { Entry } from '../../../deadline-index/index-entry.ts';
import type { IndexTable } from '../../../deadline-index/index-table.ts';
import { SortedEntries } from '../../../deadline-index/sorted-entries.ts';

/** Entries written between two checks of the elapsed time. */
const WRITTEN_AT_ONCE = 64;

/**
 * Entries of rows that a build has read and not yet written. Written in the order of their index tables, each page of
 * a table is changed once for all entries that belong to it, instead of once for each. They are lost with the
 * process; the build then reads their rows again.
 */
export class GatheredEntries {
  /** True if an interrupted build may have written some of them before. */
  readonly #mayExist: boolean;
  readonly #byTable = new Map<IndexTable, SortedEntries>();
  /** Rows written since they were read: that write has entered them. */
  readonly #written = new Set<number>();
  /** True once no more rows are read: the entries are being written. */
  isRead = false;
  /** Rows read. */
  rows = 0;
  /** When reading began, elapsed ms. */
  readonly beganAt: number;

  constructor(beganAt: number, mayExist: boolean) {
    this.beganAt = beganAt;
    this.#mayExist = mayExist;
  }

  get size(): number {
    let size = 0;
    for (const entries of this.#byTable.values()) size += entries.size;
    return size;
  }

  add(table: IndexTable, entry: Entry): void {
    let entries = this.#byTable.get(table);
    if (entries === undefined) {
      entries = new SortedEntries();
      this.#byTable.set(table, entries);
    }
    entries.add(entry);
  }

  /** Drops the entries of a row that is being written. */
  drop(row: number): void {
    this.#written.add(row);
  }

  /** Writes some of the entries, inside a transaction of the caller. Returns whether there are more. */
  writeSome(): boolean {
    for (const [table, entries] of this.#byTable) {
      const some = entries.take(WRITTEN_AT_ONCE).filter(entry => this.#isMissing(table, entry));
      if (some.length > 0) table.addAll(some);
      if (entries.size > 0) return true;
      this.#byTable.delete(table);
    }
    return false;
  }

  #isMissing(table: IndexTable, { reference, row }: Entry): boolean {
    return !this.#written.has(row) && !(this.#mayExist && table.bytesOf(reference, row) !== null);
  }
}
