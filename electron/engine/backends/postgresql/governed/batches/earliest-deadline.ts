import type { Session } from '../../connection/session.ts';
import type { DeadlineSql } from '../deadline/deadline-sql.ts';
import { isExplicitSql } from '../schema/expirations-table.ts';
import { type GovernedTable, leafSql, readLeaves, rowKeySql } from '../table-facts.ts';
import type { BatchInput } from './batch.ts';
import { type RowKey, skippedSql } from './protected-rows.ts';
import { Statement } from './statement.ts';

/** Which rows are looked at. */
interface Sought {
  /** OIDs of leaves that are left out. */
  readonly except: readonly number[];
  /** Rows with an earlier deadline are left out, epoch ms; null: none. */
  readonly since: number | null;
  /** Keys of rows that are left out. */
  readonly skipped: readonly RowKey[];
}

/** A table that stores rows, and the earliest deadline among them. */
export interface EarliestDeadline {
  readonly leaf: number;
  /** Epoch ms by the server's clock. */
  readonly at: number;
}

/**
 * Returns the earliest deadline of the rows that the definition governs, in leaves other than `except`; null: there is
 * none. One seek in each of these leaves where an index serves it.
 */
export async function earliestDeadline(
  session: Session,
  { table, deadlines }: Pick<BatchInput, 'table' | 'deadlines'>,
  { except = [], since = null, skipped = [] }: Partial<Sought> = {},
): Promise<EarliestDeadline | null> {
  return earliestIn(session, table, deadlines, { except, since, skipped });
}

/** Returns the earliest deadline up to the cutoff in leaves other than `except`; null: none is due. */
export async function earliestDue(
  session: Session,
  { table, deadlines, cutoff }: Pick<BatchInput, 'table' | 'deadlines' | 'cutoff'>,
  { except, skipped }: Pick<Sought, 'except' | 'skipped'>,
): Promise<EarliestDeadline | null> {
  return earliestIn(session, table, deadlines, { except, since: null, skipped, cutoff });
}

/** Returns the condition of rows with a deadline at or after an instant, epoch ms; null: of every row. */
export function sinceSql(deadlines: DeadlineSql, since: number | null): string {
  // A millisecond less, for the digits that a number of ms lacks.
  return since === null ? 'true' : deadlines.notBefore(`(SELECT to_timestamp(${(since - 1) / 1_000}))`);
}

/**
 * Reads the leaves one by one, in one statement: with a condition on `tableoid` over the whole table, the server reads every row
 * of the leaves that the condition leaves out.
 */
async function earliestIn(
  session: Session,
  table: GovernedTable,
  deadlines: DeadlineSql,
  { except, since, skipped, cutoff }: Sought & { cutoff?: string },
): Promise<EarliestDeadline | null> {
  const leaves = (await readLeaves(session, table)).filter(({ oid }) => !except.includes(oid));
  if (leaves.length === 0) return null;
  const statement = new Statement();
  const isDue =
    cutoff === undefined ? [] : [deadlines.unestimated.dueBy(statement.param(cutoff, 'timestamptz'))];
  const conditions = [
    deadlines.unestimated.isInstant,
    ...isDue,
    sinceSql(deadlines, since),
    `NOT ${isExplicitSql(table, 't')}`,
    ...skippedSql(rowKeySql(table, 't'), skipped, statement),
  ].join(' AND ');
  const parts = leaves.map(
    leaf => `(SELECT ${leaf.oid}::oid AS leaf, extract(epoch FROM ${deadlines.deadline})::float8 * 1000 AS at
      FROM ${leafSql(leaf, 't')}
      WHERE ${conditions}
      ORDER BY ${deadlines.value} LIMIT 1)`,
  );
  const { rows } = await session.query<{ leaf: number; at: number | null }>(
    parts.join(' UNION ALL '),
    statement.params,
  );
  let earliest: EarliestDeadline | null = null;
  for (const { leaf, at } of rows)
    if (at !== null && (earliest === null || at < earliest.at)) earliest = { leaf, at };
  return earliest;
}
