import type { Database } from 'better-sqlite3';

/**
 * Creates the index of each table of documents that finds explicit expirations with another action than deletion: those
 * that only delete expire as an interval [E1].
 */
export function indexActions(db: Database): void {
  const tables = db
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'documents_[0-9]*'`,
    )
    .pluck();
  for (const table of tables.all())
    db.exec(
      `CREATE INDEX ${table.replace('documents', 'actions')} ON ${table} (explicit_at) WHERE explicit_action IS NOT NULL`,
    );
}
