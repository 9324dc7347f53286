import { quoteName } from '../../connection/quoting.ts';
import type { DeadlineSql } from '../deadline/deadline-sql.ts';
import type { TableDefinition } from '../definition.ts';
import { dollarQuoted, quoteText } from '../sql-text.ts';
import { type GovernedTable, tableSql } from '../table-facts.ts';

/** Rows of one statement, so that no transaction is long. */
const ROWS = 10_000;

/**
 * Returns the same policy as a job of the extension pg_cron, every minute, for a database without a running Sandglass: due
 * rows that nobody has locked are deleted by their deadline, at most 10,000 a minute. Expirations of single rows do not apply.
 */
export function pgCronStatement(
  table: GovernedTable,
  { definition }: Pick<TableDefinition, 'definition'>,
  deadlines: DeadlineSql,
): string {
  const statement = `DELETE FROM ${tableSql(table, 't')}
WHERE (${keyList(table)}) IN (
  SELECT ${keyList(table)} FROM ${tableSql(table, 't')}
  WHERE ${deadlines.dueBy('now()')}
  ORDER BY ${deadlines.value} LIMIT ${ROWS} FOR UPDATE SKIP LOCKED
)`;
  const name = `sandglass ${table.collection} ${definition.name}`;
  return `SELECT cron.schedule(${quoteText(name)}, '* * * * *', ${dollarQuoted(statement)});`;
}

function keyList({ key }: GovernedTable): string {
  return key.map(({ name }) => `t.${quoteName(name)}`).join(', ');
}
