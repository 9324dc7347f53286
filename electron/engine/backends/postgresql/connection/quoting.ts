/** Returns an identifier as it is written in SQL, whatever characters it has. Throws for one that no identifier can be. */
export function quoteName(name: string): string {
  if (name === '' || name.includes('\0')) throw new Error('no identifier of PostgreSQL');
  return `"${name.replaceAll('"', '""')}"`;
}

/** A table by its schema and name. */
export interface TableName {
  readonly schema: string;
  readonly table: string;
}

/** Returns the qualified name of a table as it is written in SQL. */
export function quoteTable({ schema, table }: TableName): string {
  return `${quoteName(schema)}.${quoteName(table)}`;
}
