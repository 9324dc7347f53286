import type { NeverReasonCount, TtlIndex } from '../../../../../shared/contract/ttl-indexes.ts';
import { hasSchedule, nextScheduled, tickInterval } from '../../../expiry/schedule/ticks.ts';
import { sqlStateOf } from '../connection/postgres-failure.ts';
import type { Session } from '../connection/session.ts';
import { earliestDeadline, sinceSql } from '../governed/batches/earliest-deadline.ts';
import { type DeadlineSql, deadlineSql } from '../governed/deadline/deadline-sql.ts';
import type { TableDefinition } from '../governed/definition.ts';
import {
  readWholePartitions,
  removesWholePartitions,
  type WholePartition,
  withPartitions,
} from '../governed/partitions/whole-partitions.ts';
import { readDistribution, removedUntil } from '../governed/preview/deadline-distribution.ts';
import { exactPreview } from '../governed/preview/exact-preview.ts';
import { inIndexOrder, isServedByIndex } from '../governed/preview/index-advice.ts';
import { isExplicitSql } from '../governed/schema/expirations-table.ts';
import { type GovernedTable, leafSql, readLeaves } from '../governed/table-facts.ts';

/** A definition of a table, and its deadlines as SQL; null: the table does not fit it any more. */
export interface GovernedIndex {
  readonly table: GovernedTable;
  readonly definition: TableDefinition;
  readonly deadlines: DeadlineSql | null;
  /** Partitions that are removed as a whole, earliest first. */
  readonly partitions: readonly WholePartition[];
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
    const deadlines = await deadlineSql(session, table, definition.definition.source);
    const isWhole = await removesWholePartitions(session, table, definition.definition);
    const partitions = isWhole ? await readWholePartitions(session, table, deadlines) : [];
    return { table, definition, deadlines, partitions };
  } catch (error) {
    if (sqlStateOf(error) === null && !isInvalid(error)) throw error;
    return { table, definition, deadlines: null, partitions: [] };
  }
}

function isInvalid(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'INVALID_TTL_INDEX';
}

/**
 * Reads the figures of an index: a few milliseconds, whatever the size of the table. Rows of a partition that is removed as a
 * whole are not overdue before it is. `before`: the figures that were read last.
 */
export async function readIndexFigures(
  session: Session,
  { table, deadlines, partitions }: GovernedIndex,
  { now, before }: { now: number; before: IndexFigures | null },
): Promise<IndexFigures> {
  if (deadlines === null) return { rows: 0, never: 0, overdue: 0, dueNextHour: 0, earliestAt: null };
  const whole = partitions.filter(({ deadlineAt }) => deadlineAt > now);
  if (await isSmall(session, table)) return exactFigures(session, table, deadlines, whole);
  const distribution = await readDistribution(session, table, deadlines);
  const isServed = await isServedByIndex(session, table, deadlines);
  const seen = isServed ? await readByIndex(session, { table, deadlines, whole, now, before }) : null;
  const counted = seen?.overdue ?? null;
  const rows = distribution?.withDeadline ?? 0;
  const until = distribution === null ? () => 0 : removedUntil(distribution, whole);
  return {
    rows: Math.max(rows, counted ?? 0),
    never: Math.max(0, Math.round(distribution?.rows ?? 0) - rows),
    overdue: counted !== null && counted < MOST_COUNTED ? counted : Math.max(counted ?? 0, until(now)),
    dueNextHour: Math.max(0, until(now + HOUR_MS) - until(now)),
    earliestAt: seen === null ? (whole[0]?.deadlineAt ?? null) : seen.earliestAt,
  };
}

/**
 * Counts overdue rows up to `MOST_COUNTED`, and reads the earliest deadline. In a backlog it begins at the earliest one that was
 * read last: the entries of rows deleted since stay in the index until a vacuum, and are walked over otherwise. A row that is
 * written with an earlier deadline meanwhile is counted after the backlog.
 */
function readByIndex(
  session: Session,
  {
    table,
    deadlines,
    whole,
    now,
    before,
  }: {
    table: GovernedTable;
    deadlines: DeadlineSql;
    whole: readonly WholePartition[];
    now: number;
    before: IndexFigures | null;
  },
): Promise<Pick<IndexFigures, 'overdue' | 'earliestAt'>> {
  const read = async (since: number | null) => ({
    overdue: await countOverdue(session, table, deadlines, { except: leavesOf(whole), since }),
    earliestAt: await earliestOf(session, table, deadlines, { whole, since }),
  });
  return inIndexOrder(session, async () => {
    const since = before?.earliestAt ?? null;
    if (since !== null && since <= now) {
      const backlog = await read(since);
      if (backlog.overdue === MOST_COUNTED) return backlog;
    }
    return read(null);
  });
}

function leavesOf(partitions: readonly WholePartition[]): number[] {
  return partitions.flatMap(({ leaves }) => leaves);
}

/** Returns the earliest deadline of a row that is removed by itself, or of a partition; null: there is none. */
async function earliestOf(
  session: Session,
  table: GovernedTable,
  deadlines: DeadlineSql,
  { whole, since }: { whole: readonly WholePartition[]; since: number | null },
): Promise<number | null> {
  const row = await earliestDeadline(session, { table, deadlines }, { except: leavesOf(whole), since });
  const known = [row?.at, whole[0]?.deadlineAt].filter(at => at !== undefined);
  return known.length === 0 ? null : Math.min(...known);
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
  whole: readonly WholePartition[],
): Promise<IndexFigures> {
  const counts = await exactPreview(session, table, withPartitions(deadlines, whole), { hasSchema: true });
  const { rows, never, dueAtOnce, nextHour } = counts;
  return {
    rows: rows - never.count,
    never: never.count,
    overdue: dueAtOnce,
    dueNextHour: nextHour,
    earliestAt: await earliestOf(session, table, deadlines, { whole, since: null }),
  };
}

/** Counts overdue rows up to `MOST_COUNTED`, in leaves other than `except`. `since`: those with an earlier deadline are left out. */
async function countOverdue(
  session: Session,
  table: GovernedTable,
  deadlines: DeadlineSql,
  { except, since }: { except: readonly number[]; since: number | null },
): Promise<number> {
  const leaves = (await readLeaves(session, table)).filter(({ oid }) => !except.includes(oid));
  if (leaves.length === 0) return 0;
  const parts = leaves.map(
    leaf => `(SELECT 1 FROM ${leafSql(leaf, 't')}
      WHERE ${deadlines.unestimated.dueBy('statement_timestamp()')} AND ${sinceSql(deadlines, since)} AND NOT ${isExplicitSql(table, 't')}
      ORDER BY ${deadlines.value} LIMIT ${MOST_COUNTED})`,
  );
  const { rows } = await session.query<{ count: number }>(
    `SELECT count(*)::int4 AS count FROM (SELECT FROM (${parts.join(' UNION ALL ')}) AS leaves LIMIT ${MOST_COUNTED}) AS due`,
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
