import type { Database } from 'better-sqlite3';
import { createDocumentsTable, dropDocumentsTable } from './documents.ts';
import { createKeysTable, dropKeysTable } from './keys.ts';

/**
 * The tables that come and go with a collection and with an index. Their names hold only numbers, so no name a
 * person chose ever reaches SQL.
 *
 *   documents_N   row → document; a row's number is used again only when its tombstone is swept (documents.ts)
 *   keys_N        _id → row (keys.ts)
 *   entries_N     (reference time, row, bytes): a side table, in deadline order (side-table.ts)
 *   counts_N      documents and bytes per second, minute, hour and day of that side table (side-table.ts)
 */
export function createDocumentTables(db: Database, collection: number): void {
  createDocumentsTable(db, collection);
  createKeysTable(db, collection);
}

export function dropDocumentTables(db: Database, collection: number): void {
  dropDocumentsTable(db, collection);
  dropKeysTable(db, collection);
}
