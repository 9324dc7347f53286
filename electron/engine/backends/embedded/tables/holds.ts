import type { Database, Statement } from 'better-sqlite3';
import { insertRow, type SqlRow } from './row-statements.ts';

interface NewHoldRow {
  /** `collections.id`; 0: the whole store. */
  collection: number;
  cause: string;
  /** `ttl_indexes.id` of the held definition; 0: none. */
  source: number;
  /** Epoch ms. */
  since: number;
  by: string;
  due: number;
  documents: number;
  /** How long the store was closed, or how far the clock jumped, ms; null: neither. */
  durationMs: number | null;
}

/** The `holds` table: one row for each cause of a collection [R8, R9, R10]. */
export class HoldsTable {
  readonly #db: Database;
  readonly #sql;

  constructor(db: Database) {
    this.#db = db;
    this.#sql = prepare(db);
  }

  /** Inserts a hold, or updates the counts of an existing one, which keeps its instant and user. */
  put(hold: NewHoldRow): void {
    this.#sql.put.run(hold);
  }

  insertRow(row: SqlRow): void {
    insertRow(this.#db, 'holds', row);
  }

  delete(id: number): void {
    this.#sql.delete.run(id);
  }

  deleteOfIndex(source: number): void {
    this.#sql.deleteOfIndex.run(source);
  }

  deleteAll(): void {
    this.#sql.deleteAll.run();
  }

  /** Deletes up to `most` rows of a collection. Returns how many. */
  deleteSomeOfCollection(collection: number, most: number): number {
    return this.#sql.deleteSome.run(collection, most).changes;
  }
}

function prepare(db: Database) {
  const put: Statement<[NewHoldRow]> = db.prepare(
    `INSERT INTO holds (collection, cause, source, since, by, due, documents, duration_ms)
     VALUES (@collection, @cause, @source, @since, @by, @due, @documents, @durationMs)
     ON CONFLICT (collection, cause, source)
     DO UPDATE SET due = excluded.due, documents = excluded.documents, duration_ms = excluded.duration_ms`,
  );
  return {
    put,
    delete: db.prepare<[number]>('DELETE FROM holds WHERE id = ?'),
    deleteOfIndex: db.prepare<[number]>('DELETE FROM holds WHERE source = ?'),
    deleteAll: db.prepare<[]>('DELETE FROM holds'),
    deleteSome: db.prepare<[number, number]>('DELETE FROM holds WHERE collection = ? LIMIT ?'),
  };
}
