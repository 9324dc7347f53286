import type { Database, Statement } from 'better-sqlite3';
import type { Entry, Tally } from './index-entry.ts';
import { preparedOnUse } from './prepared-on-use.ts';

type Row = [reference: number, row: number, bytes: number];

/**
 * Reads the late entries of one index table: living ones up to the reference time through which its other entries are
 * expired. They are few, and kept apart, so that the expired ones need no change of their own.
 */
export class LateEntriesReader {
  readonly #first: () => Statement<[number], number>;
  readonly #last: () => Statement<[], number | null>;
  readonly #bytes: () => Statement<[number, number], number>;
  readonly #before: () => Statement<[number], [documents: number, bytes: number | null]>;
  readonly #references: () => Statement<[number, number], number>;
  readonly #entries: () => Statement<[number, number, number, number], Row>;
  readonly #entriesBack: () => Statement<[number, number, number, number], Row>;

  constructor(db: Database, table: number) {
    const from = `FROM late_entries WHERE index_table = ${table}`;
    this.#first = preparedOnUse(() =>
      db
        .prepare<[number], number>(`SELECT reference ${from} AND reference >= ? ORDER BY reference LIMIT 1`)
        .pluck(),
    );
    this.#last = preparedOnUse(() => db.prepare<[], number | null>(`SELECT max(reference) ${from}`).pluck());
    this.#bytes = preparedOnUse(() =>
      db.prepare<[number, number], number>(`SELECT bytes ${from} AND reference = ? AND row = ?`).pluck(),
    );
    this.#before = preparedOnUse(() =>
      db
        .prepare<[number], [number, number | null]>(`SELECT count(*), sum(bytes) ${from} AND reference < ?`)
        .raw(),
    );
    this.#references = preparedOnUse(() =>
      db
        .prepare<[number, number], number>(`SELECT reference ${from} AND reference >= ? AND reference < ?`)
        .pluck(),
    );
    this.#entries = preparedOnUse(() =>
      db
        .prepare<[number, number, number, number], Row>(
          `SELECT reference, row, bytes ${from} AND (reference, row) > (?, ?) AND reference < ?
         ORDER BY reference, row LIMIT ?`,
        )
        .raw(),
    );
    this.#entriesBack = preparedOnUse(() =>
      db
        .prepare<[number, number, number, number], Row>(
          `SELECT reference, row, bytes ${from} AND (reference, row) < (?, ?) AND reference >= ?
         ORDER BY reference DESC, row DESC LIMIT ?`,
        )
        .raw(),
    );
  }

  /** Returns the earliest reference time at or after `from`; null if there is none. */
  first(from: number): number | null {
    return this.#first().get(from) ?? null;
  }

  last(): number | null {
    return this.#last().get() ?? null;
  }

  /** Returns the bytes of one entry's document; null if there is no such entry. */
  bytesOf(reference: number, row: number): number | null {
    return this.#bytes().get(reference, row) ?? null;
  }

  /** Counts entries with a reference time before `reference`. */
  before(reference: number): Tally {
    const [documents, bytes] = this.#before().get(reference) ?? [0, 0];
    return { documents, bytes: bytes ?? 0 };
  }

  /** Returns the reference times in [from, to). */
  references(from: number, to: number): number[] {
    return this.#references().all(from, to);
  }

  /** Returns up to `limit` entries after `(reference, row)` with a reference time before `to`, in order. */
  entries(after: { reference: number; row: number }, to: number, limit: number): Entry[] {
    return this.#entries().all(after.reference, after.row, to, limit).map(toEntry);
  }

  /** Like `entries`, backwards from before `(reference, row)` to the reference time `from`. */
  entriesBackwards(from: number, before: { reference: number; row: number }, limit: number): Entry[] {
    return this.#entriesBack().all(before.reference, before.row, from, limit).map(toEntry);
  }
}

/** Writes the late entries of one index table, inside transactions of the caller. */
export class LateEntries {
  readonly #insert: Statement<[number, number, number]>;
  readonly #delete: Statement<[number, number]>;
  readonly #deleteFrom: Statement<[number], Row>;
  readonly #last: Statement<[number], number>;
  readonly #deleteAll: Statement<[]>;

  constructor(db: Database, table: number) {
    this.#insert = db.prepare(`INSERT INTO late_entries VALUES (${table}, ?, ?, ?)`);
    this.#delete = db.prepare(
      `DELETE FROM late_entries WHERE index_table = ${table} AND reference = ? AND row = ?`,
    );
    this.#deleteFrom = db
      .prepare<[number], Row>(
        `DELETE FROM late_entries WHERE index_table = ${table} AND reference >= ? RETURNING reference, row, bytes`,
      )
      .raw();
    this.#last = db
      .prepare<[number], number>(
        `SELECT reference FROM late_entries WHERE index_table = ${table}
         ORDER BY reference DESC LIMIT 1 OFFSET ?`,
      )
      .pluck();
    this.#deleteAll = db.prepare(`DELETE FROM late_entries WHERE index_table = ${table}`);
  }

  add(reference: number, row: number, bytes: number): void {
    this.#insert.run(reference, row, bytes);
  }

  remove(reference: number, row: number): void {
    this.#delete.run(reference, row);
  }

  /**
   * Removes about `most` of the latest ones, and all with the reference time of the earliest of these. Returns them and
   * that reference time; null if there are none.
   */
  takeLatest(most: number): { from: number; entries: Entry[] } | null {
    const from = this.#last.get(most - 1) ?? (this.#last.get(0) === undefined ? null : 0);
    return from === null ? null : { from, entries: this.#deleteFrom.all(from).map(toEntry) };
  }

  deleteAll(): void {
    this.#deleteAll.run();
  }
}

function toEntry([reference, row, bytes]: Row): Entry {
  return { reference, row, bytes };
}
