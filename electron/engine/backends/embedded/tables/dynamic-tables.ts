import type { Database } from '../file/database.ts';

/**
 * The tables that come and go with a collection and with an index. Their names hold only numbers, so no name a
 * person chose ever reaches SQL.
 *
 *   documents_N   row → document; a row's number is used again only when its tombstone is swept
 *   keys_N        _id → row
 *   entries_N     (reference time, row, bytes): a side table, in deadline order
 *   counts_N      documents and bytes per second, minute, hour and day of that side table
 */
export function createDocumentTables(db: Database, collection: number): void {
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
    CREATE TABLE keys_${collection} (id TEXT PRIMARY KEY, row INTEGER NOT NULL) WITHOUT ROWID;
  `);
}

export function dropDocumentTables(db: Database, collection: number): void {
  db.exec(`DROP TABLE documents_${collection}; DROP TABLE keys_${collection};`);
}

/** Makes a side table and answers its number. */
export function createSideTable(db: Database): number {
  const next =
    db.prepare<[], number>(`SELECT value FROM meta WHERE key = 'nextSideTable'`).pluck().get() ?? 1;
  db.prepare(`UPDATE meta SET value = ? WHERE key = 'nextSideTable'`).run(next + 1);
  db.exec(`
    CREATE TABLE entries_${next} (
      reference INTEGER NOT NULL, row INTEGER NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY (reference, row)
    ) WITHOUT ROWID;
    CREATE TABLE counts_${next} (
      level INTEGER NOT NULL, bucket INTEGER NOT NULL, documents INTEGER NOT NULL, bytes INTEGER NOT NULL,
      PRIMARY KEY (level, bucket)
    ) WITHOUT ROWID;
  `);
  return next;
}

export function emptySideTable(db: Database, side: number): void {
  db.exec(`DELETE FROM entries_${side}; DELETE FROM counts_${side};`);
}

export function dropSideTable(db: Database, side: number): void {
  db.exec(`DROP TABLE entries_${side}; DROP TABLE counts_${side};`);
}
