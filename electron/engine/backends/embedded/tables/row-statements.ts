import type { Database } from 'better-sqlite3';

type SqlValue = string | number | null;
/** A row by its columns, as a leader sends it or a dropped collection keeps it. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** Inserts a row with the columns that `row` has. Only for the file that owns `table`. */
export function insertRow(db: Database, table: string, row: SqlRow): void {
  const names = Object.keys(row);
  db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`).run(
    ...Object.values(row),
  );
}

/** Updates the columns that `row` has, of the row with its `id`. Only for the file that owns `table`. */
export function updateRow(db: Database, table: string, { id, ...row }: SqlRow): void {
  const names = Object.keys(row);
  db.prepare(`UPDATE ${table} SET ${names.map(name => `${name} = ?`).join(', ')} WHERE id = ?`).run(
    ...Object.values(row),
    id ?? null,
  );
}
