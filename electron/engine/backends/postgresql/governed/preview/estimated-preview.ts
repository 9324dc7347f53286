import type { Session } from '../../connection/session.ts';
import type { DeadlineSql } from '../deadline/deadline-sql.ts';
import type { WholePartition } from '../partitions/whole-partitions.ts';
import type { GovernedTable } from '../table-facts.ts';
import { readDistribution, removedUntil } from './deadline-distribution.ts';
import { FORECAST_BUCKET_MS, FORECAST_BUCKETS, type TablePreview } from './exact-preview.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

/**
 * Returns about what a TTL index would do, by the planner's statistics, in milliseconds whatever the size of the table.
 * Null: there are none; `ANALYZE` makes them. Expirations of single rows are not considered. `whole`: partitions
 * whose rows are removed with them.
 */
export async function estimatedPreview(
  session: Session,
  table: GovernedTable,
  deadlines: DeadlineSql,
  whole: readonly WholePartition[] = [],
): Promise<TablePreview | null> {
  const distribution = await readDistribution(session, table, deadlines);
  if (distribution === null) return null;
  const { rows: now } = await session.query<{ at: number }>(
    'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS at',
  );
  const at = now[0]?.at ?? Number.NaN;
  const countUntil = removedUntil(distribution, whole);
  const between = (from: number, to: number) => Math.max(0, countUntil(at + to) - countUntil(at + from));
  const rows = Math.round(distribution.rows);
  const never = Math.max(0, rows - distribution.withDeadline);
  const reasons = never === 0 ? [] : [{ reason: 'missing field' as const, count: never }];
  return {
    at,
    isEstimate: true,
    rows,
    dueAtOnce: countUntil(at),
    nextHour: between(0, HOUR_MS),
    nextDay: between(HOUR_MS, DAY_MS),
    nextWeek: between(DAY_MS, WEEK_MS),
    later: Math.max(0, distribution.withDeadline - countUntil(at + WEEK_MS)),
    never: { count: never, reasons },
    nextDeadlineAt: null,
    forecast: {
      bucketMs: FORECAST_BUCKET_MS,
      due: Array.from({ length: FORECAST_BUCKETS }, (_, i) =>
        between(i * FORECAST_BUCKET_MS, (i + 1) * FORECAST_BUCKET_MS),
      ),
    },
  };
}
