import type { Database, Statement } from '../file/database.ts';
import type { RowSet } from '../tables/row-set.ts';

/** Rows that one statement frees. */
const RUN = 64;
const SLICE = 16;
/** Keys that are looked at in one read. */
const KEYS_A_READ = 128;
/** Where at least one key in so many is dead, looking at all of them is faster than looking each dead one up. */
const SCANNED_A_KEY = 8;
/** Removals whose keys are brought into their order at once, and a slice of that. */
const SORTED_AT_ONCE = 100_000;
const SORTED_A_SLICE = 500;

/** The removals whose keys are freed: above `after`, up to `through`. */
export interface Removals {
  readonly after: number;
  readonly through: number;
}

/**
 * Frees rows and keys of one collection, of one that was dropped and may come back, too. Each in its own order in the file,
 * so that a page is written once for all that left it, and a slice at a time.
 */
export class RowSweeper {
  readonly #collection: number;
  readonly #sql;

  constructor(db: Database, collection: number) {
    this.#collection = collection;
    this.#sql = prepare(db, collection);
  }

  *freeRows(dead: RowSet): Generator<void, void> {
    let freed = 0;
    for (const [first, last] of dead.runs(RUN)) {
      this.#sql.deleteRows.run(first, last);
      freed += last - first + 1;
      if (freed < SLICE) continue;
      freed = 0;
      yield;
    }
  }

  /** Keys that stand for a dead row; that of a document that came since under the same `_id` stays. */
  *freeKeys(dead: RowSet, removals: Removals): Generator<void, void> {
    const living = this.#sql.living.get(this.#collection);
    const isDense = living !== undefined && dead.size * SCANNED_A_KEY >= living + dead.size;
    if (isDense) yield* this.#freeKeysByScan(dead);
    else yield* this.#freeKeysByLookup(removals);
  }

  *#freeKeysByScan(dead: RowSet): Generator<void, void> {
    let after = '';
    let left = dead.size;
    while (left > 0) {
      const keys = this.#sql.keysAfter.all(after, KEYS_A_READ);
      let first: string | null = null;
      let last = '';
      for (const [id, row] of keys) {
        if (dead.has(row)) {
          first ??= id;
          last = id;
          left -= 1;
        } else if (first !== null) {
          this.#sql.deleteKeys.run(first, last);
          first = null;
        }
      }
      if (first !== null) this.#sql.deleteKeys.run(first, last);
      after = keys.at(-1)?.[0] ?? after;
      yield;
      if (keys.length < KEYS_A_READ) return;
    }
  }

  *#freeKeysByLookup({ after, through }: Removals): Generator<void, void> {
    for (let from = after; from < through; from += SORTED_AT_ONCE) {
      this.#sql.clearSorted.run();
      const until = Math.min(from + SORTED_AT_ONCE, through);
      for (let seq = from; seq < until; seq += SORTED_A_SLICE) {
        this.#sql.sort.run(seq, Math.min(seq + SORTED_A_SLICE, until), this.#collection);
        yield;
      }
      let place: [id: string, row: number] | undefined = ['', 0];
      while (place !== undefined) {
        const keys: [id: string, row: number][] = this.#sql.sorted.all(...place, SLICE);
        for (const [id, row] of keys) this.#sql.deleteKey.run(id, row);
        place = keys.at(-1);
        yield;
      }
    }
    this.#sql.clearSorted.run();
  }
}

function prepare(db: Database, collection: number) {
  const keys = `keys_${collection}`;
  db.exec(
    'CREATE TEMP TABLE IF NOT EXISTS swept_keys (id TEXT, row INTEGER, PRIMARY KEY (id, row)) WITHOUT ROWID',
  );
  const living: Statement<[number], number> = db
    .prepare<[number], number>('SELECT documents FROM collections WHERE id = ?')
    .pluck();
  const keysAfter: Statement<[string, number], [id: string, row: number]> = db
    .prepare<[string, number], [id: string, row: number]>(
      `SELECT id, row FROM ${keys} WHERE id > ? ORDER BY id LIMIT ?`,
    )
    .raw();
  const sorted: Statement<[string, number, number], [id: string, row: number]> = db
    .prepare<[string, number, number], [id: string, row: number]>(
      'SELECT id, row FROM temp.swept_keys WHERE (id, row) > (?, ?) ORDER BY id, row LIMIT ?',
    )
    .raw();
  return {
    living,
    keysAfter,
    sorted,
    deleteRows: db.prepare<[number, number]>(`DELETE FROM documents_${collection} WHERE row BETWEEN ? AND ?`),
    deleteKeys: db.prepare<[string, string]>(`DELETE FROM ${keys} WHERE id BETWEEN ? AND ?`),
    deleteKey: db.prepare<[string, number]>(`DELETE FROM ${keys} WHERE id = ? AND row = ?`),
    clearSorted: db.prepare<[]>('DELETE FROM temp.swept_keys'),
    sort: db.prepare<[number, number, number]>(
      `INSERT OR IGNORE INTO temp.swept_keys
       SELECT id, row FROM removals WHERE seq > ? AND seq <= ? AND collection = ? AND gone = 1`,
    ),
  };
}
