import type { Database, Statement } from 'better-sqlite3';
import { insertRow, type SqlRow, updateRow } from './row-statements.ts';

/** The `collections` table: one row per collection, with its counts. Written inside transactions of the caller. */
export class CollectionsTable {
  readonly #db: Database;
  readonly #sql;

  constructor(db: Database) {
    this.#db = db;
    this.#sql = prepare(db);
  }

  /** Returns the number of the collection. `explicit` is the index table of its explicit expirations. */
  insert(name: string, at: number, explicit: number): number {
    return Number(this.#sql.insert.run(name, at, explicit).lastInsertRowid);
  }

  insertRow(row: SqlRow): void {
    insertRow(this.#db, 'collections', row);
  }

  updateRow(row: SqlRow): void {
    updateRow(this.#db, 'collections', row);
  }

  delete(id: number): void {
    this.#sql.delete.run(id);
  }

  /** Returns every column of a row; undefined if there is no such row. */
  row(id: number): unknown {
    return this.#sql.row.get(id);
  }

  ids(): number[] {
    return this.#sql.ids.all();
  }

  /** Returns the number of documents that the row records; null if there is no such row. */
  documents(id: number): number | null {
    return this.#sql.documents.get(id) ?? null;
  }

  documentsOfAll(): number {
    return this.#sql.documentsOfAll.get() ?? 0;
  }

  /** `pause` is JSON {by, since}; null if the collection is not paused. */
  setPaused(id: number, pause: string | null): void {
    this.#sql.setPaused.run(pause, id);
  }

  /** Records that rows up to `throughRow` have entries in the tables of governed documents; null: all rows. */
  setRecounted(id: number, throughRow: number | null): void {
    this.#sql.setRecounted.run(throughRow, id);
  }

  addCounts(id: number, documents: number, bytes: number): void {
    this.#sql.addCounts.run(documents, bytes, id);
  }

  /** Counts lag of explicit expirations from `at` (epoch ms) on, in one collection or, with null, in all [M1]. */
  resetLag(at: number, id: number | null): void {
    this.#sql.resetLag.run({ at, id });
  }
}

function prepare(db: Database) {
  const documents: Statement<[number], number> = db
    .prepare<[number], number>('SELECT documents FROM collections WHERE id = ?')
    .pluck();
  const documentsOfAll: Statement<[], number | null> = db
    .prepare<[], number | null>('SELECT sum(documents) FROM collections')
    .pluck();
  const ids: Statement<[], number> = db.prepare<[], number>('SELECT id FROM collections').pluck();
  return {
    documents,
    documentsOfAll,
    ids,
    row: db.prepare<[number], unknown>('SELECT * FROM collections WHERE id = ?'),
    insert: db.prepare<[string, number, number]>(
      'INSERT INTO collections (name, created_at, explicit) VALUES (?, ?, ?)',
    ),
    delete: db.prepare<[number]>('DELETE FROM collections WHERE id = ?'),
    setPaused: db.prepare<[string | null, number]>('UPDATE collections SET paused = ? WHERE id = ?'),
    setRecounted: db.prepare<[number | null, number]>(
      'UPDATE collections SET recounted_through_row = ? WHERE id = ?',
    ),
    addCounts: db.prepare<[number, number, number]>(
      'UPDATE collections SET documents = documents + ?, bytes = bytes + ? WHERE id = ?',
    ),
    resetLag: db.prepare<[{ at: number; id: number | null }]>(
      'UPDATE collections SET resumed_at = @at WHERE @id IS NULL OR id = @id',
    ),
  };
}
