import type { Database, Statement } from '../file/database.ts';
import type { StoredAction, StoredBody } from '../tables/stored-json.ts';
import { ROW, type StoredRow } from '../tables/stored-row.ts';

/** The action that left a document as it is. */
export interface HandOver {
  /** How many actions in a row had left the document due at once before it. */
  handed: number;
  /** Epoch ms. */
  at: number;
}

/** What is asked of a collection's rows and keys on the writer's connection. */
export function prepareCollection(db: Database, collection: number) {
  const documents = `documents_${collection}`;
  const keys = `keys_${collection}`;
  const rowOf: Statement<[string], number> = db
    .prepare<[string], number>(`SELECT row FROM ${keys} WHERE id = ?`)
    .pluck();
  const lastRow: Statement<[], number> = db.prepare<[], number>(`SELECT max(row) FROM ${documents}`).pluck();
  const isLeftBy: Statement<[number, number], number> = db
    .prepare<[number, number], number>(`SELECT 1 FROM ${documents} WHERE row = ? AND left_by = ?`)
    .pluck();
  const handOver: Statement<[number], HandOver> = db.prepare(
    `SELECT r.handed, r.removed_at AS at FROM ${documents} AS d CROSS JOIN removals AS r ON r.seq = d.left_by WHERE d.row = ?`,
  );
  return {
    rowOf,
    lastRow,
    isLeftBy,
    handOver,
    forgetHandOver: db.prepare<[number]>(
      `UPDATE removals SET handed = 0 WHERE seq = (SELECT left_by FROM ${documents} WHERE row = ?)`,
    ),
    read: db.prepare<[number], StoredRow>(`SELECT ${ROW} FROM ${documents} WHERE row = ?`),
    rowsAfter: db.prepare<[number, number], StoredRow>(
      `SELECT ${ROW} FROM ${documents} WHERE row > ? ORDER BY row LIMIT ?`,
    ),
    insert: db.prepare<[number, string, number, StoredBody, number | null]>(
      `INSERT INTO ${documents} (row, id, updated_at, body, left_by) VALUES (?, ?, ?, ?, ?)`,
    ),
    putKey: db.prepare<[string, number]>(
      `INSERT INTO ${keys} VALUES (?, ?) ON CONFLICT DO UPDATE SET row = excluded.row`,
    ),
    replace: db.prepare<[number, StoredBody, number | null, number]>(
      `UPDATE ${documents} SET updated_at = ?, body = ?, left_by = ? WHERE row = ?`,
    ),
    setExplicit: db.prepare<[number | null, number | null, StoredAction | null, number]>(
      `UPDATE ${documents} SET explicit_at = ?, explicit_after = ?, explicit_action = ?, left_by = NULL WHERE row = ?`,
    ),
    deleteRow: db.prepare<[number]>(`DELETE FROM ${documents} WHERE row = ?`),
    deleteKey: db.prepare<[string, number]>(`DELETE FROM ${keys} WHERE id = ? AND row = ?`),
    tally: db.prepare<[number, number, number]>(
      'UPDATE collections SET documents = documents + ?, bytes = bytes + ? WHERE id = ?',
    ),
  };
}
