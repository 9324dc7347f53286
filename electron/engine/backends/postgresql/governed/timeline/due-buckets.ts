import type { Session } from '../../connection/session.ts';
import type { DeadlineSql } from '../deadline/deadline-sql.ts';
import type { CountedDeadlines, WholePartition } from '../partitions/whole-partitions.ts';
import { readDistribution, removedUntil } from '../preview/deadline-distribution.ts';
import { isExplicitSql } from '../schema/expirations-table.ts';
import { type GovernedTable, tableSql } from '../table-facts.ts';

/** A span of instants, epoch ms, in equal buckets; each begins with its first instant. */
export interface BucketSpan {
  readonly from: number;
  readonly to: number;
  readonly buckets: number;
}

/** Rows per bucket, and before and after all of them. */
export interface DueBuckets {
  readonly isEstimate: boolean;
  readonly before: number;
  readonly due: readonly number[];
  readonly after: number;
}

/**
 * Counts the rows with a deadline in each bucket, in microseconds: one scan of the deadline's index where there is one.
 * `hasSchema`: expirations of single rows may be set.
 */
export async function countDue(
  session: Session,
  table: GovernedTable,
  deadlines: CountedDeadlines,
  { from, to, buckets }: BucketSpan,
  { hasSchema }: { hasSchema: boolean },
): Promise<DueBuckets> {
  const explicit = hasSchema ? `AND NOT ${isExplicitSql(table, 't')}` : '';
  const { rows } = await session.query<{ bucket: number; count: number }>(
    `WITH deadlines AS (
      SELECT extract(epoch FROM ${deadlines.deadline}) * 1000 AS at
      FROM ${tableSql(table, 't')} WHERE ${deadlines.isInstant} ${explicit}
    )
    SELECT width_bucket(at, $1::numeric, $2::numeric, $3::int) AS bucket, count(*)::float8 AS count
    FROM deadlines GROUP BY 1`,
    [from, to, buckets],
  );
  const counts = new Map(rows.map(({ bucket, count }) => [bucket, count]));
  return {
    isEstimate: false,
    before: counts.get(0) ?? 0,
    due: Array.from({ length: buckets }, (_, i) => counts.get(i + 1) ?? 0),
    after: counts.get(buckets + 1) ?? 0,
  };
}

/**
 * Returns the same by the planner's statistics, in milliseconds; null: there are none. `whole`: partitions whose rows are
 * removed with them.
 */
export async function estimateDue(
  session: Session,
  table: GovernedTable,
  deadlines: DeadlineSql,
  { from, to, buckets }: BucketSpan,
  whole: readonly WholePartition[] = [],
): Promise<DueBuckets | null> {
  const distribution = await readDistribution(session, table, deadlines);
  if (distribution === null) return null;
  const countUntil = removedUntil(distribution, whole);
  const edges = Array.from({ length: buckets + 1 }, (_, i) => countUntil(from + ((to - from) * i) / buckets));
  return {
    isEstimate: true,
    before: edges[0] ?? 0,
    due: edges.slice(1).map((until, i) => until - (edges[i] ?? 0)),
    after: Math.max(0, distribution.withDeadline - (edges.at(-1) ?? 0)),
  };
}
