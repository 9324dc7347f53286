import type { Database, Statement } from 'better-sqlite3';
import { COUNT_LEVELS } from './count-levels.ts';
import type { Entry } from './index-entry.ts';
import type { IndexTableLocation } from './index-table-statements.ts';

/**
 * Level in `counts_N` of the counts of late entries by second; those of wider spans follow. There may be as many late
 * entries as documents, so they are counted as all others are.
 */
export const LATE_LEVEL = COUNT_LEVELS.length;

/**
 * Returns where the late entries of an index table are read: living ones up to the reference time through which its
 * other entries are expired. They are kept apart, so that the expired ones need no change of their own. When these are
 * deleted, they are put back into the table part by part: until then, both have living entries of any reference time.
 */
export function lateEntriesOf(table: number): IndexTableLocation {
  return {
    entries: `(SELECT reference, row, bytes FROM late_entries WHERE index_table = ${table})`,
    counts: `counts_${table}`,
    numberColumn: null,
    firstLevel: LATE_LEVEL,
  };
}

/** Writes the late entries of one index table, without their counts, inside transactions of the caller. */
export class LateEntries {
  readonly #insert: Statement<[number, number, number]>;
  readonly #delete: Statement<[number, number]>;
  readonly #take: Statement<[number], Entry>;
  readonly #deleteAll: Statement<[]>;

  constructor(db: Database, table: number) {
    this.#insert = db.prepare(`INSERT INTO late_entries VALUES (${table}, ?, ?, ?)`);
    this.#delete = db.prepare(
      `DELETE FROM late_entries WHERE index_table = ${table} AND reference = ? AND row = ?`,
    );
    this.#take = db.prepare(
      `DELETE FROM late_entries WHERE index_table = ${table} RETURNING reference, row, bytes LIMIT ?`,
    );
    this.#deleteAll = db.prepare(`DELETE FROM late_entries WHERE index_table = ${table}`);
  }

  add(reference: number, row: number, bytes: number): void {
    this.#insert.run(reference, row, bytes);
  }

  /** Returns whether there was such an entry. */
  remove(reference: number, row: number): boolean {
    return this.#delete.run(reference, row).changes === 1;
  }

  /** Removes and returns up to `most` of them. */
  take(most: number): Entry[] {
    return this.#take.all(most);
  }

  deleteAll(): void {
    this.#deleteAll.run();
  }
}
