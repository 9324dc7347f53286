import type { Database } from 'better-sqlite3';

/** One table is created ahead of its use for so many that exist. */
const TABLES_FOR_ONE_AHEAD = 8;

/**
 * Creates the tables of a number, unless they exist, and with them those of the following numbers, an eighth as many as the
 * number itself. A change of the schema makes every other connection read the whole schema at its next statement (85 ms with
 * a thousand collections) and prepare each of its statements again, so a large schema is changed once for many collections.
 * `table` is the prefix of one of the tables that `create` creates.
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
