import type { Database } from '../file/database.ts';
import { prepareDeleteRows } from '../tables/documents/documents.ts';
import { prepareKeySweep } from '../tables/documents/keys.ts';
import type { RowSet } from '../tables/documents/row-set.ts';
import type { SweptKeysTable } from '../tables/documents/swept-keys.ts';

/** Rows that one statement frees. */
const RUN = 64;
const SLICE = 16;
/** Keys examined per read. */
const KEYS_PER_READ = 256;

/**
 * Frees rows and keys of one collection, including a dropped one that may be restored. Works in slices, and in file
 * order, so that each page is written once for everything that left it.
 */
export class RowSweeper {
  readonly #collection: number;
  readonly #deleteRows;
  readonly #keys;
  readonly #sorted: SweptKeysTable;

  constructor(db: Database, collection: number, sorted: SweptKeysTable) {
    this.#collection = collection;
    this.#deleteRows = prepareDeleteRows(db, collection);
    this.#keys = prepareKeySweep(db, collection);
    this.#sorted = sorted;
  }

  *freeRows(dead: RowSet): Generator<void, void> {
    let freed = 0;
    for (const [first, last] of dead.runs(RUN)) {
      this.#deleteRows.run(first, last);
      freed += last - first + 1;
      if (freed < SLICE) continue;
      freed = 0;
      yield;
    }
  }

  /** Deletes the keys of dead rows in a scan of all keys. */
  *freeKeysByScan(dead: RowSet): Generator<void, void> {
    let after = '';
    for (let left = dead.size; left > 0; ) {
      const [last, json] = this.#keys.after.get(after, KEYS_PER_READ) ?? [null, '[]'];
      if (last === null) return;
      const rows: number[] = JSON.parse(json);
      const gone = rows.filter(row => dead.has(row));
      if (gone.length === rows.length) this.#keys.deleteAll.run(after, last);
      else if (gone.length > 0) this.#keys.deleteRows.run(after, last, JSON.stringify(gone));
      left -= gone.length;
      after = last;
      yield;
    }
  }

  /** Deletes the keys that are sorted, each by a lookup; that of a newer document with the same `_id` stays. */
  *freeSortedKeys(): Generator<void, void> {
    let place: [id: string, row: number] | undefined = ['', 0];
    while (place !== undefined) {
      const keys: [id: string, row: number][] = this.#sorted.after(this.#collection, place, SLICE);
      for (const [id, row] of keys) this.#keys.delete.run(id, row);
      place = keys.at(-1);
      yield;
    }
  }
}
