import type { Database } from '../file/database.ts';
import type { CollectionsTable } from '../tables/collections.ts';
import { prepareDeleteRows } from '../tables/documents/documents.ts';
import { prepareKeySweep } from '../tables/documents/keys.ts';
import type { RowSet } from '../tables/documents/row-set.ts';
import { SweptKeysTable } from '../tables/documents/swept-keys.ts';

/** Rows that one statement frees. */
const RUN = 64;
const SLICE = 16;
/** Keys examined per read. */
const KEYS_PER_READ = 128;
/** If at least one key in this many is dead, scanning all keys is faster than looking up each dead one. */
const SCAN_RATIO = 8;
/** Removals whose keys are sorted together, and removals per slice of them. */
const SORTED_AT_ONCE = 100_000;
const SORTED_PER_SLICE = 500;

/** Removals whose keys are freed: above `after`, up to `through`. */
export interface Removals {
  readonly after: number;
  readonly through: number;
}

/**
 * Frees rows and keys of one collection, including a dropped one that may be restored. Works in slices, and in file
 * order, so that each page is written once for everything that left it.
 */
export class RowSweeper {
  readonly #collection: number;
  readonly #collections: CollectionsTable;
  readonly #deleteRows;
  readonly #keys;
  readonly #sorted: SweptKeysTable;

  constructor(db: Database, collections: CollectionsTable, collection: number) {
    this.#collection = collection;
    this.#collections = collections;
    this.#deleteRows = prepareDeleteRows(db, collection);
    this.#keys = prepareKeySweep(db, collection);
    this.#sorted = new SweptKeysTable(db);
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

  /** Deletes the keys of dead rows; the key of a newer document with the same `_id` stays. */
  *freeKeys(dead: RowSet, removals: Removals): Generator<void, void> {
    const living = this.#collections.documents(this.#collection);
    const isDense = living !== null && dead.size * SCAN_RATIO >= living + dead.size;
    if (isDense) yield* this.#freeKeysByScan(dead);
    else yield* this.#freeKeysByLookup(removals);
  }

  *#freeKeysByScan(dead: RowSet): Generator<void, void> {
    let after = '';
    let left = dead.size;
    while (left > 0) {
      const keys = this.#keys.after.all(after, KEYS_PER_READ);
      let first: string | null = null;
      let last = '';
      for (const [id, row] of keys) {
        if (dead.has(row)) {
          first ??= id;
          last = id;
          left -= 1;
        } else if (first !== null) {
          this.#keys.deleteBetween.run(first, last);
          first = null;
        }
      }
      if (first !== null) this.#keys.deleteBetween.run(first, last);
      after = keys.at(-1)?.[0] ?? after;
      yield;
      if (keys.length < KEYS_PER_READ) return;
    }
  }

  *#freeKeysByLookup({ after, through }: Removals): Generator<void, void> {
    for (let from = after; from < through; from += SORTED_AT_ONCE) {
      this.#sorted.clear();
      const until = Math.min(from + SORTED_AT_ONCE, through);
      for (let seq = from; seq < until; seq += SORTED_PER_SLICE) {
        this.#sorted.add(this.#collection, seq, Math.min(seq + SORTED_PER_SLICE, until));
        yield;
      }
      let place: [id: string, row: number] | undefined = ['', 0];
      while (place !== undefined) {
        const keys: [id: string, row: number][] = this.#sorted.after(place, SLICE);
        for (const [id, row] of keys) this.#keys.delete.run(id, row);
        place = keys.at(-1);
        yield;
      }
    }
    this.#sorted.clear();
  }
}
