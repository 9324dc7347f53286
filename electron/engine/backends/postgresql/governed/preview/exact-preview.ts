import { NEVER_REASONS, type NeverReason } from '../../../../../../shared/model/reference-time.ts';
import type { Session } from '../../connection/session.ts';
import type { CountedDeadlines } from '../partitions/whole-partitions.ts';
import { explicitReasonSql, isExplicitSql } from '../schema/expirations-table.ts';
import { type GovernedTable, tableSql } from '../table-facts.ts';

/** What a TTL index would do, counted at one instant [X3]. Horizons do not overlap: `nextDay` begins after the next hour. */
export interface TablePreview {
  /** Epoch ms by the server's clock. */
  readonly at: number;
  /** Figures are those of the server's statistics; or they are counts. */
  readonly isEstimate: boolean;
  /** The sum of the horizons. */
  readonly rows: number;
  readonly dueAtOnce: number;
  readonly nextHour: number;
  readonly nextDay: number;
  readonly nextWeek: number;
  readonly later: number;
  readonly never: {
    readonly count: number;
    readonly reasons: readonly { reason: NeverReason; count: number }[];
  };
  /** Earliest deadline that is not due; epoch ms, null: there is none, or it is an estimate. */
  readonly nextDeadlineAt: number | null;
  /** Rows that become due per bucket from `at` on. */
  readonly forecast: { readonly bucketMs: number; readonly due: readonly number[] };
}

export const FORECAST_BUCKETS = 120;
export const FORECAST_BUCKET_MS = 6 * 3_600_000;

/** Groups beside the buckets of the forecast. */
export const DUE = -1;
export const NEVER = -2;

/** Rows whose deadlines lie in the same bucket of the forecast, or are due, or which have none. */
export interface Group {
  bucket: number;
  reason: string | null;
  count: number;
  inAnHour: number;
  earliest: number | null;
  at: number;
}

/**
 * Counts every row of the table, in one scan. The session is in a read-only transaction of one snapshot, with a statement
 * timeout. `hasSchema`: expirations of single rows may be set.
 */
export async function exactPreview(
  session: Session,
  table: GovernedTable,
  deadlines: CountedDeadlines,
  { hasSchema }: { hasSchema: boolean },
): Promise<TablePreview> {
  const groups = await countGroups(session, table, deadlines, { hasSchema, from: tableSql(table, 't') });
  return previewOf(groups, groups[0]?.at ?? (await serverNow(session)));
}

/** Counts the rows of `from`, which has them as `t`, by the bucket of their deadline. */
export async function countGroups(
  session: Session,
  table: GovernedTable,
  deadlines: CountedDeadlines,
  { hasSchema, from }: { hasSchema: boolean; from: string },
): Promise<Group[]> {
  const explicit = hasSchema ? isExplicitSql(table, 't') : 'false';
  const reason = hasSchema
    ? `CASE WHEN ${explicit} THEN ${explicitReasonSql(table, 't')} ELSE ${deadlines.reason} END`
    : deadlines.reason;
  const { rows } = await session.query<Group>(`
    WITH deadlines AS (
      SELECT CASE WHEN NOT ${explicit} THEN ${deadlines.deadline} END AS deadline, ${reason} AS reason
      FROM ${from}
    )
    SELECT CASE WHEN deadline IS NULL THEN ${NEVER} WHEN deadline <= now() THEN ${DUE}
        ELSE least(${FORECAST_BUCKETS}, floor(extract(epoch FROM deadline - now()) * 1000 / ${FORECAST_BUCKET_MS})) END::int AS bucket,
      CASE WHEN deadline IS NULL THEN reason END AS reason, count(*)::float8 AS count,
      count(*) FILTER (WHERE deadline <= now() + interval '1 hour')::float8 AS "inAnHour",
      extract(epoch FROM min(deadline))::float8 * 1000 AS earliest, extract(epoch FROM now())::float8 * 1000 AS at
    FROM deadlines GROUP BY 1, 2`);
  return rows;
}

/** Returns the instant of the session's transaction, epoch ms. */
export async function serverNow(session: Session): Promise<number> {
  const { rows } = await session.query<{ at: number }>(
    'SELECT extract(epoch FROM now())::float8 * 1000 AS at',
  );
  return rows[0]?.at ?? Number.NaN;
}

/** Returns the preview of groups that cover every row. */
export function previewOf(groups: readonly Group[], at: number): TablePreview {
  const due = Array.from({ length: FORECAST_BUCKETS }, (_, i) => countOf(groups, i, i));
  const pending = groups.filter(({ bucket }) => bucket >= 0);
  const nextHour = pending.reduce((sum, { inAnHour }) => sum + inAnHour, 0);
  const buckets = (ms: number) => ms / FORECAST_BUCKET_MS;
  const aDay = buckets(86_400_000);
  const aWeek = buckets(7 * 86_400_000);
  const reasons = NEVER_REASONS.flatMap(reason => {
    const ofReason = groups.filter(group => group.reason === reason);
    return ofReason.length === 0
      ? []
      : [{ reason, count: ofReason.reduce((sum, { count }) => sum + count, 0) }];
  });
  const earliest = pending.map(group => group.earliest ?? Number.POSITIVE_INFINITY);
  return {
    at,
    isEstimate: false,
    rows: groups.reduce((sum, { count }) => sum + count, 0),
    dueAtOnce: countOf(groups, DUE, DUE),
    nextHour,
    nextDay: countOf(groups, 0, aDay - 1) - nextHour,
    nextWeek: countOf(groups, aDay, aWeek - 1),
    later: countOf(groups, aWeek, FORECAST_BUCKETS),
    never: { count: countOf(groups, NEVER, NEVER), reasons },
    nextDeadlineAt: earliest.length === 0 ? null : Math.min(...earliest),
    forecast: { bucketMs: FORECAST_BUCKET_MS, due },
  };
}

function countOf(groups: readonly Group[], first: number, last: number): number {
  return groups
    .filter(({ bucket }) => bucket >= first && bucket <= last)
    .reduce((sum, { count }) => sum + count, 0);
}
