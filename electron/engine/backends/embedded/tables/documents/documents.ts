import type { Database, Statement } from 'better-sqlite3';
import { ManyRows } from '../../../../deadline-index/multi-row-insert.ts';
import { preparedOnUse } from '../../../../deadline-index/prepared-on-use.ts';
import type { StoredAction, StoredBody } from './stored-json.ts';
import { ROW, type StoredRow } from './stored-row.ts';

/** The action that left a document as it is. */
export interface PrecedingAction {
  /** How many actions in a row had left the document due at once before it. */
  actionsBefore: number;
  /** Epoch ms. */
  at: number;
}

export function createDocumentsTable(db: Database, collection: number): void {
  db.exec(`
    CREATE TABLE documents_${collection} (
      row            INTEGER PRIMARY KEY,
      id             TEXT NOT NULL,
      updated_at     INTEGER NOT NULL,
      explicit_at    INTEGER,   -- explicit expiration: an instant, -1: never; NULL: none
      explicit_after INTEGER,   -- the duration in ms it was given as
      body           TEXT NOT NULL,
      explicit_action TEXT,     -- JSON of what happens then; NULL: it is deleted
      left_by        INTEGER    -- removals.seq of the action that left it as it is; NULL: it was written by hand since
    );
    -- Finds explicit expirations with another action than deletion.
    CREATE INDEX actions_${collection} ON documents_${collection} (explicit_at) WHERE explicit_action IS NOT NULL;
  `);
}

export function dropDocumentsTable(db: Database, collection: number): void {
  db.exec(`DROP TABLE documents_${collection}`);
}

/** The statements of one collection's `documents_N`, on the writer's connection; written inside its transactions. */
export function prepareDocuments(db: Database, collection: number) {
  const table = `documents_${collection}`;
  const lastRow: Statement<[], number> = db.prepare<[], number>(`SELECT max(row) FROM ${table}`).pluck();
  const isLeftBy: Statement<[number, number], number> = db
    .prepare<[number, number], number>(`SELECT 1 FROM ${table} WHERE row = ? AND left_by = ?`)
    .pluck();
  const leftBy: Statement<[number], number | null> = db
    .prepare<[number], number | null>(`SELECT left_by FROM ${table} WHERE row = ?`)
    .pluck();
  const precedingAction: Statement<[number], PrecedingAction> = db.prepare(
    `SELECT r.handed AS actionsBefore, r.removed_at AS at
     FROM ${table} AS d CROSS JOIN removals AS r ON r.seq = d.left_by WHERE d.row = ?`,
  );
  const withAction = preparedOnUse(() =>
    db
      .prepare<[number, number, number], [explicitAt: number, row: number]>(
        `SELECT explicit_at, row FROM ${table} INDEXED BY actions_${collection}
         WHERE explicit_action IS NOT NULL AND explicit_at > ? AND explicit_at <= ? ORDER BY explicit_at LIMIT ?`,
      )
      .raw(),
  );
  return {
    lastRow,
    isLeftBy,
    leftBy,
    precedingAction,
    /** Rows with another action than deletion at their explicit expiration, after one instant and up to another. */
    withAction,
    read: db.prepare<[number], StoredRow>(`SELECT ${ROW} FROM ${table} WHERE row = ?`),
    after: db.prepare<[number, number], StoredRow>(
      `SELECT ${ROW} FROM ${table} WHERE row > ? ORDER BY row LIMIT ?`,
    ),
    insert: db.prepare<[number, string, number, StoredBody, number | null]>(
      `INSERT INTO documents_${collection} (row, id, updated_at, body, left_by) VALUES (?, ?, ?, ?, ?)`,
    ),
    /** Row, `_id`, `updatedAt` and body of each. */
    insertMany: new ManyRows(db, `documents_${collection} (row, id, updated_at, body)`, 4),
    replace: db.prepare<[number, StoredBody, number | null, number]>(
      `UPDATE documents_${collection} SET updated_at = ?, body = ?, left_by = ? WHERE row = ?`,
    ),
    setExplicit: db.prepare<[number | null, number | null, StoredAction | null, number]>(
      `UPDATE documents_${collection}
       SET explicit_at = ?, explicit_after = ?, explicit_action = ?, left_by = NULL WHERE row = ?`,
    ),
    delete: db.prepare<[number]>(`DELETE FROM documents_${collection} WHERE row = ?`),
  };
}

/** Deletes rows from one through another, in the order of the file. */
export function prepareDeleteRows(db: Database, collection: number): Statement<[number, number]> {
  return db.prepare(`DELETE FROM documents_${collection} WHERE row BETWEEN ? AND ?`);
}

/** Deletes up to the given number of rows. */
export function prepareDeleteSomeDocuments(db: Database, collection: number): Statement<[number]> {
  return db.prepare(`DELETE FROM documents_${collection} LIMIT ?`);
}
