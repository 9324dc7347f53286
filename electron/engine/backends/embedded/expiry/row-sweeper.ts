import type { Database } from '../file/database.ts';
import type { CollectionsTable } from '../tables/collections.ts';
import { prepareDeleteRows } from '../tables/documents/documents.ts';
import { prepareKeySweep } from '../tables/documents/keys.ts';
import type { RowSet } from '../tables/documents/row-set.ts';
import type { SweptKeysTable } from '../tables/documents/swept-keys.ts';
import type { RemovalsTable } from '../tables/removals/removals.ts';

/** Rows that one statement frees. */
const RUN = 64;
const SLICE = 16;
/** Keys examined per read. */
const KEYS_PER_READ = 256;
/** If at least one key in this many is dead, scanning all keys is faster than looking up each dead one. */
const SCAN_RATIO = 8;
/** Keys that are sorted together, and those of a slice; a few more if they are packed. */
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
  readonly #removals: RemovalsTable;
  readonly #deleteRows;
  readonly #keys;
  readonly #sorted: SweptKeysTable;

  constructor(
    db: Database,
    { collections, removals }: { collections: CollectionsTable; removals: RemovalsTable },
    { collection, sorted }: { collection: number; sorted: SweptKeysTable },
  ) {
    this.#collection = collection;
    this.#collections = collections;
    this.#removals = removals;
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

  /** Deletes the keys of dead rows; the key of a newer document with the same `_id` stays. */
  *freeKeys(dead: RowSet, removals: Removals): Generator<void, void> {
    const living = this.#collections.documents(this.#collection);
    const isDense = living !== null && dead.size * SCAN_RATIO >= living + dead.size;
    if (isDense) yield* this.#freeKeysByScan(dead);
    else yield* this.#freeKeysByLookup(removals);
  }

  *#freeKeysByScan(dead: RowSet): Generator<void, void> {
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

  *#freeKeysByLookup({ after, through }: Removals): Generator<void, void> {
    let from: number | null = after;
    while (from !== null && from < through) {
      this.#sorted.clear();
      for (let keys = 0; from !== null && keys < SORTED_AT_ONCE; ) {
        const read: ReturnType<RemovalsTable['keysAfter']> = this.#removals.keysAfter(
          this.#collection,
          from,
          {
            through,
            least: SORTED_PER_SLICE,
          },
        );
        this.#sorted.add(read?.keys ?? []);
        keys += read?.keys.length ?? 0;
        from = read?.last ?? null;
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
