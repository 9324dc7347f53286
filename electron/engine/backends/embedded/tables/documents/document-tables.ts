import type { Database } from 'better-sqlite3';
import { createWithTablesAhead } from '../tables-ahead.ts';
import { createDocumentsTable, dropDocumentsTable } from './documents.ts';
import { createKeysTable, dropKeysTable } from './keys.ts';

/**
 * The tables of one collection or one index, created with it or ahead of it (tables-ahead.ts) and dropped with it. Their
 * names contain only numbers, so no name that a person chose becomes SQL.
 *
 *   documents_N   row → document; a row number is used again only after its tombstone was swept (documents.ts)
 *   keys_N        _id → row (keys.ts)
 *   entries_N     (reference time, row, bytes): an index table, in deadline order (deadline-index/index-table.ts)
 *   counts_N      documents and bytes per second, minute, hour and day of that index table (index-table.ts)
 */
export function createDocumentTables(db: Database, collection: number): void {
  createWithTablesAhead(db, { table: 'documents', number: collection }, number => {
    createDocumentsTable(db, number);
    createKeysTable(db, number);
  });
}

export function dropDocumentTables(db: Database, collection: number): void {
  dropDocumentsTable(db, collection);
  dropKeysTable(db, collection);
}
