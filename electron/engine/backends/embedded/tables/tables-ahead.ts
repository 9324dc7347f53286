import type { Database } from 'better-sqlite3';

/** For this many tables in use, one more is created in advance. */
const TABLES_FOR_ONE_AHEAD = 8;

/**
 * Creates the tables of a number unless they exist, and with them those of the following numbers: an eighth of
 * `number`. After a change of the schema, every other connection reads the whole schema at its next statement (85 ms
 * with a thousand collections) and prepares its statements again, so a large schema is changed once for many
 * collections. `table` is the prefix of one of the tables that `create` creates.
 */
export function createWithTablesAhead(
  db: Database,
  { table, number }: { table: 'documents' | 'entries'; number: number },
  create: (number: number) => void,
): void {
  const columns = db.prepare<[string], number>('SELECT 1 FROM pragma_table_info(?) LIMIT 1').pluck();
  const exists = (n: number) => columns.get(`${table}_${n}`) !== undefined;
  if (exists(number)) return;
  const last = number + Math.floor(number / TABLES_FOR_ONE_AHEAD);
  for (let n = number; n <= last; n++) if (!exists(n)) create(n);
}
