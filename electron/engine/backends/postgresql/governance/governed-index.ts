import type { NeverReasonCount, TtlIndex } from '../../../../../shared/contract/ttl-indexes.ts';
import { hasSchedule, nextScheduled, tickInterval } from '../../../expiry/schedule/ticks.ts';
import { sqlStateOf } from '../connection/postgres-failure.ts';
import type { Session } from '../connection/session.ts';
import { earliestDeadline } from '../governed/batches/batch.ts';
import { type DeadlineSql, deadlineSql } from '../governed/deadline/deadline-sql.ts';
import type { TableDefinition } from '../governed/definition.ts';
import { type DeadlineDistribution, readDistribution } from '../governed/preview/deadline-distribution.ts';
import { exactPreview } from '../governed/preview/exact-preview.ts';
import { isServedByIndex } from '../governed/preview/index-advice.ts';
import { isExplicitSql } from '../governed/schema/expirations-table.ts';
import { type GovernedTable, readLeaves, tableSql } from '../governed/table-facts.ts';

/** A definition of a table, and its deadlines as SQL; null: the table does not fit it any more. */
export interface GovernedIndex {
  readonly table: GovernedTable;
  readonly definition: TableDefinition;
  readonly deadlines: DeadlineSql | null;
}

/** Figures of one TTL index: counts of a small table, and the server's statistics of a large one. Instants in epoch ms. */
export interface IndexFigures {
  /** Rows with a deadline. */
  readonly rows: number;
  readonly never: number;
  /** Exact up to `MOST_COUNTED`, where an index serves the deadline. */
  readonly overdue: number;
  readonly dueNextHour: number;
  /** Earliest deadline of all; null: none, or no index serves it. */
  readonly earliestAt: number | null;
}

/** Overdue rows are counted up to this; beyond, the statistics answer. */
const MOST_COUNTED = 10_000;
const HOUR_MS = 3_600_000;

export async function governedIndex(
  session: Session,
  table: GovernedTable,
  definition: TableDefinition,
): Promise<GovernedIndex> {
  try {
    return { table, definition, deadlines: await deadlineSql(session, table, definition.definition.source) };
  } catch (error) {
    if (sqlStateOf(error) === null && !isInvalid(error)) throw error;
    return { table, definition, deadlines: null };
  }
}

function isInvalid(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'INVALID_TTL_INDEX';
}

/** Reads the figures of an index: a few milliseconds, whatever the size of the table. */
export async function readIndexFigures(
  session: Session,
  { table, deadlines }: GovernedIndex,
  now: number,
): Promise<IndexFigures> {
  if (deadlines === null) return { rows: 0, never: 0, overdue: 0, dueNextHour: 0, earliestAt: null };
  if (await isSmall(session, table)) return exactFigures(session, table, deadlines);
  const distribution = await readDistribution(session, table, deadlines);
  const isServed = await isServedByIndex(session, table, deadlines);
  const earliest = isServed ? await earliestDeadline(session, { table, deadlines }) : null;
  const counted = isServed ? await countOverdue(session, table, deadlines) : null;
  const rows = distribution?.withDeadline ?? 0;
  return {
    rows: Math.max(rows, counted ?? 0),
    never: Math.max(0, Math.round(distribution?.rows ?? 0) - rows),
    overdue: overdueOf(counted, distribution, now),
    dueNextHour: distribution === null ? 0 : between(distribution, now, now + HOUR_MS),
    earliestAt: earliest?.at ?? null,
  };
}

/** Tables up to this size are counted: a few milliseconds. */
const SMALL_BYTES = 4 * 1024 * 1024;

async function isSmall(session: Session, table: GovernedTable): Promise<boolean> {
  const { rows } = await session.query<{ bytes: number }>(
    `SELECT sum(pg_relation_size(oid))::float8 AS bytes FROM unnest($1::oid[]) AS leaves(oid)`,
    [(await readLeaves(session, table)).map(({ oid }) => oid)],
  );
  return (rows[0]?.bytes ?? 0) <= SMALL_BYTES;
}

async function exactFigures(
  session: Session,
  table: GovernedTable,
  deadlines: DeadlineSql,
): Promise<IndexFigures> {
  const counts = await exactPreview(session, table, deadlines, { hasSchema: true });
  const { rows, never, dueAtOnce, nextHour } = counts;
  const earliest = await earliestDeadline(session, { table, deadlines });
  return {
    rows: rows - never.count,
    never: never.count,
    overdue: dueAtOnce,
    dueNextHour: nextHour,
    earliestAt: earliest?.at ?? null,
  };
}

function overdueOf(counted: number | null, distribution: DeadlineDistribution | null, now: number): number {
  if (counted !== null && counted < MOST_COUNTED) return counted;
  return Math.max(counted ?? 0, distribution?.countUntil(now) ?? 0);
}

function between(distribution: DeadlineDistribution, from: number, to: number): number {
  return Math.max(0, distribution.countUntil(to) - distribution.countUntil(from));
}

async function countOverdue(session: Session, table: GovernedTable, deadlines: DeadlineSql): Promise<number> {
  const { rows } = await session.query<{ count: number }>(
    `SELECT count(*)::int4 AS count FROM (SELECT FROM ${tableSql(table, 't')}
      WHERE ${deadlines.unestimated.dueBy('statement_timestamp()')} AND NOT ${isExplicitSql(table, 't')} LIMIT ${MOST_COUNTED}) AS due`,
  );
  return rows[0]?.count ?? 0;
}

/** Returns the index as the contract shows it. `bytesARow`: mean size of the table's rows. */
export function toTtlIndex(
  { table, definition: stored, deadlines }: GovernedIndex,
  figures: IndexFigures,
  { now, bytesARow }: { now: number; bytesARow: number },
): TtlIndex {
  const { definition, paused, createdAt, createdBy, lookedAt } = stored;
  const { rows, never, overdue, dueNextHour, earliestAt } = figures;
  const isOverdue = earliestAt !== null && earliestAt <= now;
  const reason: NeverReasonCount['reason'] = deadlines === null ? 'expression error' : 'missing field';
  return {
    ...definition,
    collection: table.collection,
    state: definition.schedule.mode === 'observe' ? 'observing' : 'ready',
    pending: null,
    successor: null,
    job: null,
    paused,
    createdAt,
    createdBy,
    documents: rows,
    bytes: Math.round(rows * bytesARow),
    overdue,
    oldestOverdueAt: isOverdue ? earliestAt : null,
    actionDueAt: isOverdue
      ? hasSchedule(definition)
        ? nextScheduled(definition, lookedAt + 1)
        : earliestAt
      : null,
    passEveryMs: tickInterval(definition, now),
    quarantined: 0,
    dueNextHour,
    nextDeadlineAt: isOverdue ? null : earliestAt,
    never: { count: never, reasons: never === 0 ? [] : [{ reason, count: never, examples: [] }] },
  };
}
