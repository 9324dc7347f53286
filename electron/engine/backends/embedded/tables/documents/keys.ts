import type { Database, Statement } from 'better-sqlite3';
import { ManyRows } from '../../../../deadline-index/multi-row-insert.ts';

export function createKeysTable(db: Database, collection: number): void {
  db.exec(`CREATE TABLE keys_${collection} (id TEXT PRIMARY KEY, row INTEGER NOT NULL) WITHOUT ROWID`);
}

export function dropKeysTable(db: Database, collection: number): void {
  db.exec(`DROP TABLE keys_${collection}`);
}

/** The statements of one collection's `keys_N`, on the writer's connection; written inside its transactions. */
export function prepareKeys(db: Database, collection: number) {
  const rowOf: Statement<[string], number> = db
    .prepare<[string], number>(`SELECT row FROM keys_${collection} WHERE id = ?`)
    .pluck();
  return {
    rowOf,
    put: db.prepare<[string, number]>(
      `INSERT INTO keys_${collection} VALUES (?, ?) ON CONFLICT DO UPDATE SET row = excluded.row`,
    ),
    /** Takes `_id` and row of each key; an existing key stays unchanged. */
    insertMany: new ManyRows(db, `keys_${collection}`, 2, 'ON CONFLICT DO NOTHING'),
    delete: db.prepare<[string, number]>(`DELETE FROM keys_${collection} WHERE id = ? AND row = ?`),
  };
}

/** The statements of the sweep, which deletes keys in key order. */
export function prepareKeySweep(db: Database, collection: number) {
  const after: Statement<[string, number], [last: string | null, rows: string]> = db
    .prepare<[string, number], [string | null, string]>(
      `SELECT max(id), json_group_array(row) FROM
         (SELECT id, row FROM keys_${collection} WHERE id > ? ORDER BY id LIMIT ?)`,
    )
    .raw();
  const between = `DELETE FROM keys_${collection} WHERE id > ? AND id <= ?`;
  return {
    /** The last of some keys after one, and the JSON array of their rows: no `_id` of them is read into JavaScript. */
    after,
    deleteAll: db.prepare<[string, string]>(between),
    /** Deletes those of the rows in a JSON array. */
    deleteRows: db.prepare<[string, string, string]>(
      `${between} AND row IN (SELECT value FROM json_each(?))`,
    ),
    delete: db.prepare<[string, number]>(`DELETE FROM keys_${collection} WHERE id = ? AND row = ?`),
  };
}

/** Deletes up to the given number of rows. */
export function prepareDeleteSomeKeys(db: Database, collection: number): Statement<[number]> {
  return db.prepare(`DELETE FROM keys_${collection} LIMIT ?`);
}
