import { sqlStateOf } from '../../connection/postgres-failure.ts';
import { quoteTable } from '../../connection/quoting.ts';
import { inTransaction, type Session } from '../../connection/session.ts';
import { invalid } from '../definition.ts';
import type { GovernedTable } from '../table-facts.ts';

/** Classes of SQLSTATE that are about the statement: syntax or access, unsupported feature, data. */
const STATEMENT_ERRORS = ['42', '0A', '22'];

const HINT =
  "A timestamptz plus days depends on the time zone; (created_at AT TIME ZONE 'UTC' + interval '1 day') AT TIME ZONE 'UTC' does not.";

/**
 * Returns an SQL expression as the server writes it back, every function outside of pg_catalog with its schema. The server
 * itself judges it, as the expression of an index on an empty copy of the table, which is rolled back: an index takes
 * one immutable expression of the row's columns, without subqueries. Throws INVALID_TTL_INDEX with the server's message.
 */
export async function checkedExpression(
  session: Session,
  { name }: GovernedTable,
  expression: string,
): Promise<string> {
  try {
    return await inTransaction(session, () => asIndex(session, quoteTable(name), expression));
  } catch (error) {
    const state = sqlStateOf(error);
    if (state === null || !STATEMENT_ERRORS.includes(state.slice(0, 2)) || !(error instanceof Error))
      throw error;
    const hint = error.message.includes('IMMUTABLE') ? ` ${HINT}` : '';
    throw invalid(`PostgreSQL refuses the expression: ${error.message}.${hint}`);
  }
}

async function asIndex(session: Session, table: string, expression: string): Promise<string> {
  // A statement with a parameter is one command: what follows a semicolon is refused here, and cannot reach CREATE INDEX.
  await session.query(`SELECT (${expression}) FROM ${table} WHERE $1::boolean LIMIT 0`, [false]);
  await session.query(`CREATE TEMP TABLE sandglass_check (LIKE ${table}) ON COMMIT DROP`);
  await session.query(`CREATE INDEX ON pg_temp.sandglass_check ((${expression}))`);
  await session.query("SET LOCAL search_path = ''");
  const { rows } = await session.query<{ expression: string }>(
    `SELECT pg_get_expr(i.indexprs, i.indrelid) AS expression
      FROM pg_catalog.pg_index i
      WHERE i.indrelid = 'pg_temp.sandglass_check'::regclass AND i.indpred IS NULL AND i.indnatts = 1
        AND i.indexprs IS NOT NULL`,
  );
  await session.query('DROP TABLE pg_temp.sandglass_check');
  const [row] = rows;
  if (row === undefined) throw invalid('One expression of columns of the table is needed.');
  return row.expression;
}
