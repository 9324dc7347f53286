import type { Database, Statement } from 'better-sqlite3';
import { READING_RULES_VERSION } from '../../../../../shared/model/reading-rules.ts';
import { insertRow, type SqlRow, updateRow } from './row-statements.ts';

/** A new index, without effect until its build has read every row. */
interface NewIndex {
  /** `collections.id`. */
  collection: number;
  name: string;
  /** JSON of the definition without its name. */
  definition: string;
  /** Epoch ms. */
  at: number;
  by: string;
  side: number;
  acting: boolean;
  /** A person has seen how many documents it makes due: the breaker does not trip [R8]. */
  expected: boolean;
}

/**
 * The `ttl_indexes` table. Rows of dropped indexes stay: history shows their names. Written inside transactions of the
 * caller.
 */
export class TtlIndexesTable {
  readonly #db: Database;
  readonly #sql;

  constructor(db: Database) {
    this.#db = db;
    this.#sql = prepare(db);
  }

  insert({ acting, expected, ...index }: NewIndex): void {
    this.#sql.insert.run({ ...index, acting: acting ? 1 : 0, expected: expected ? 1 : 0 });
  }

  insertRow(row: SqlRow): void {
    insertRow(this.#db, 'ttl_indexes', row);
  }

  updateRow(row: SqlRow): void {
    updateRow(this.#db, 'ttl_indexes', row);
  }

  /** Whether an index is there, not dropped, and has this index table. */
  has(id: number, table: number): boolean {
    return this.#sql.has.get(id, table) !== undefined;
  }

  delete(id: number): void {
    this.#sql.delete.run(id);
  }

  markDropped(id: number, at: number): void {
    this.#sql.markDropped.run(at, id);
  }

  markDroppedOfCollection(collection: number, at: number): void {
    this.#sql.markDroppedOfCollection.run(at, collection);
  }

  /** Records that rows up to `throughRow` have entries in its index table; null: all rows. */
  setBuilt(id: number, throughRow: number | null): void {
    this.#sql.setBuilt.run(throughRow, id);
  }

  /** Completes a build: the index makes documents due from `at` on. */
  finishBuild(id: number, at: number): void {
    this.#sql.finishBuild.run(at, id);
  }

  /** Replaces the index table of an outdated index by an empty one. `wasDue`: see the catalog. */
  beginRenewal(id: number, table: number, wasDue: number | null): void {
    this.#sql.beginRenewal.run(table, wasDue, id);
  }

  /** `effectiveAt` is when the definition starts to make documents due, epoch ms. */
  setDefinition(id: number, definition: string, effectiveAt: number, acting: boolean): void {
    this.#sql.setDefinition.run(definition, effectiveAt, acting ? 1 : 0, id);
  }

  /** `pause` is JSON {by, since}; null resumes the index. Lag is counted from `at` on [M1]. */
  setPaused(id: number, pause: string | null, at: number): void {
    this.#sql.setPaused.run(pause, at, id);
  }

  /** Withholds an index: it has no effect until it is confirmed [R8]. */
  withhold(id: number): void {
    this.#sql.withhold.run(id);
  }

  confirm(id: number): void {
    this.#sql.confirm.run(id);
  }

  /** `pending` is JSON of a held change; null if there is none [R8]. */
  setPending(id: number, pending: string | null): void {
    this.#sql.setPending.run(pending, id);
  }

  setExpected(id: number, expected: boolean): void {
    this.#sql.setExpected.run(expected ? 1 : 0, id);
  }

  /** Sets the index table of the documents that an index governs; null if it has none. */
  setGovernedTable(id: number, table: number | null): void {
    this.#sql.setGovernedTable.run(table, id);
  }

  /** Replaces the index table of an index, without a table of governed documents. */
  setTable(id: number, table: number): void {
    this.#sql.setTable.run(table, id);
  }

  /** Counts lag from `at` (epoch ms) on, in one collection or, with null, in all [M1]. */
  resetLag(at: number, collection: number | null): void {
    this.#sql.resetLag.run({ at, collection });
  }
}

function prepare(db: Database) {
  const insert: Statement<[Omit<NewIndex, 'acting' | 'expected'> & { acting: number; expected: number }]> =
    db.prepare(
      `INSERT INTO ttl_indexes
       (collection, name, definition, created_at, created_by, effective_at, built_through_row, side, acting, expected, rules)
     VALUES (@collection, @name, @definition, @at, @by, @at, 0, @side, @acting, @expected, ${READING_RULES_VERSION})`,
    );
  return {
    insert,
    has: db.prepare<[id: number, table: number], unknown>(
      'SELECT 1 FROM ttl_indexes WHERE id = ? AND side = ? AND dropped_at IS NULL',
    ),
    delete: db.prepare<[number]>('DELETE FROM ttl_indexes WHERE id = ?'),
    markDropped: db.prepare<[number, number]>(
      'UPDATE ttl_indexes SET dropped_at = ?, governed_side = NULL WHERE id = ?',
    ),
    markDroppedOfCollection: db.prepare<[number, number]>(
      'UPDATE ttl_indexes SET dropped_at = ?, governed_side = NULL WHERE collection = ? AND dropped_at IS NULL',
    ),
    setBuilt: db.prepare<[number | null, number]>(
      'UPDATE ttl_indexes SET built_through_row = ? WHERE id = ?',
    ),
    finishBuild: db.prepare<[number, number]>(
      'UPDATE ttl_indexes SET built_through_row = NULL, was_due = NULL, effective_at = ? WHERE id = ?',
    ),
    beginRenewal: db.prepare<[number, number | null, number]>(
      `UPDATE ttl_indexes
       SET side = ?, governed_side = NULL, built_through_row = 0, expected = 0, was_due = ?, rules = ${READING_RULES_VERSION} WHERE id = ?`,
    ),
    setDefinition: db.prepare<[string, number, number, number]>(
      'UPDATE ttl_indexes SET definition = ?, effective_at = ?, acting = ? WHERE id = ?',
    ),
    setPaused: db.prepare<[string | null, number, number]>(
      'UPDATE ttl_indexes SET paused = ?, effective_at = ? WHERE id = ?',
    ),
    withhold: db.prepare<[number]>('UPDATE ttl_indexes SET confirmed = 0, acting = 0 WHERE id = ?'),
    confirm: db.prepare<[number]>('UPDATE ttl_indexes SET confirmed = 1 WHERE id = ?'),
    setPending: db.prepare<[string | null, number]>('UPDATE ttl_indexes SET pending = ? WHERE id = ?'),
    setExpected: db.prepare<[number, number]>('UPDATE ttl_indexes SET expected = ? WHERE id = ?'),
    setGovernedTable: db.prepare<[number | null, number]>(
      'UPDATE ttl_indexes SET governed_side = ? WHERE id = ?',
    ),
    setTable: db.prepare<[number, number]>(
      'UPDATE ttl_indexes SET side = ?, governed_side = NULL WHERE id = ?',
    ),
    resetLag: db.prepare<[{ at: number; collection: number | null }]>(
      `UPDATE ttl_indexes SET effective_at = @at
       WHERE dropped_at IS NULL AND (@collection IS NULL OR collection = @collection)`,
    ),
  };
}
