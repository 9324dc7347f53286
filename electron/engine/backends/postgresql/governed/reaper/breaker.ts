import { tripsBreaker } from '../../../../expiry/breaker.ts';
import type { Session } from '../../connection/session.ts';
import type { DeadlineSql } from '../deadline/deadline-sql.ts';
import type { TableDefinition } from '../definition.ts';
import { readDistribution } from '../preview/deadline-distribution.ts';
import { isServedByIndex } from '../preview/index-advice.ts';
import { confirmDefinition } from '../schema/definitions-table.ts';
import { isExplicitSql } from '../schema/expirations-table.ts';
import { placeHold } from '../schema/holds-table.ts';
import { type GovernedTable, readLeaves, tableSql } from '../table-facts.ts';

/** Those of a store of Sandglass, which a database has no settings for. */
const BREAKER = { breakerShare: 0.5, breakerDocuments: 10_000 };
/** Due rows are counted up to this. */
const MOST_COUNTED = 1_000_000;

/** Rows of a table that are due by a definition, and all of its rows. */
export interface DueShare {
  readonly due: number;
  readonly documents: number;
}

/**
 * Decides about a definition that nobody has confirmed, as one that was written by SQL: if it makes most of a large table
 * due at once it is held until a person confirms [R8]. `now`: epoch ms. Returns whether it may act.
 */
export async function passesBreaker(
  session: Session,
  table: GovernedTable,
  deadlines: DeadlineSql,
  definition: TableDefinition,
  now: number,
): Promise<boolean> {
  if (definition.isConfirmed) return true;
  const share = await readDueShare(session, table, deadlines, now);
  if (!tripsBreaker(share, BREAKER)) {
    await confirmDefinition(session, definition);
    return true;
  }
  const { due, documents: rows } = share;
  const { name } = definition.definition;
  const by = definition.createdBy;
  await placeHold(session, { oid: table.oid, name, cause: 'definition', by, due, rows, durationMs: null });
  return false;
}

/** Counts what is due by a definition: exactly where an index serves the deadline, else by the server's statistics. */
export async function readDueShare(
  session: Session,
  table: GovernedTable,
  deadlines: DeadlineSql,
  now: number,
): Promise<DueShare> {
  const documents = await estimatedRows(session, table);
  // The statistics of a table that was filled just now have no rows.
  const counts = documents <= BREAKER.breakerDocuments || (await isServedByIndex(session, table, deadlines));
  if (!counts) {
    const distribution = await readDistribution(session, table, deadlines);
    if (distribution !== null) return { due: distribution.countUntil(now), documents };
  }
  const { rows } = await session.query<{ due: number }>(
    `SELECT count(*)::float8 AS due FROM (SELECT FROM ${tableSql(table, 't')}
      WHERE ${deadlines.unestimated.dueBy('statement_timestamp()')} AND NOT ${isExplicitSql(table, 't')} LIMIT ${MOST_COUNTED}) AS due`,
  );
  const due = rows[0]?.due ?? 0;
  return { due, documents: Math.max(due, documents) };
}

async function estimatedRows(session: Session, table: GovernedTable): Promise<number> {
  const { rows } = await session.query<{ rows: number }>(
    `SELECT coalesce(sum(greatest(pg_stat_get_live_tuples(c.oid), c.reltuples, 0)), 0)::float8 AS rows
      FROM pg_catalog.pg_class c WHERE c.oid = ANY ($1::oid[])`,
    [(await readLeaves(session, table)).map(({ oid }) => oid)],
  );
  return rows[0]?.rows ?? 0;
}
