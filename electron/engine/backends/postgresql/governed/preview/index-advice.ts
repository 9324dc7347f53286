import { quoteTable } from '../../connection/quoting.ts';
import { inTransaction, type Session } from '../../connection/session.ts';
import type { DeadlineSql } from '../deadline/deadline-sql.ts';
import { type GovernedTable, tableSql } from '../table-facts.ts';

interface PlanNode {
  'Node Type': string;
  Plans?: PlanNode[];
}

/**
 * Returns whether an index gives the earliest deadline without reading the table: whether the planner finds such a plan
 * when it must not read or sort the table, however small that is now.
 */
export async function isServedByIndex(
  session: Session,
  table: GovernedTable,
  deadlines: DeadlineSql,
): Promise<boolean> {
  return inIndexOrder(session, async () => {
    const { rows } = await session.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      // As the reaper looks, without the expirations of single rows: the schema need not exist.
      `EXPLAIN (FORMAT JSON, COSTS OFF) SELECT FROM ${tableSql(table, 't')}
        WHERE ${deadlines.isInstant} ORDER BY ${deadlines.value} LIMIT 1`,
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan;
    return plan !== undefined && !nodesOf(plan).some(sorts);
  });
}

/** Runs `act` in a transaction whose statements read rows in the order of an index that has it, whatever their number. */
export function inIndexOrder<Result>(session: Session, act: () => Promise<Result>): Promise<Result> {
  return inTransaction(
    session,
    act,
    'BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off',
  );
}

function sorts({ 'Node Type': type }: PlanNode): boolean {
  return type === 'Sort' || type === 'Incremental Sort';
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/**
 * Returns the statement that makes the index which the reaper's scan needs. On a partitioned table it blocks writes, since
 * PostgreSQL has no CONCURRENTLY there.
 */
export function indexAdvice({ name, isPartitioned }: GovernedTable, deadlines: DeadlineSql): string {
  const concurrently = isPartitioned ? '' : 'CONCURRENTLY ';
  return `CREATE INDEX ${concurrently}ON ${quoteTable(name)} (${deadlines.indexed})`;
}
