import type { NeverReason } from '../../../../../../shared/model/reference-time.ts';
import { quoteTable, type TableName } from '../../connection/quoting.ts';
import type { Session } from '../../connection/session.ts';
import {
  DUE,
  FORECAST_BUCKET_MS,
  FORECAST_BUCKETS,
  NEVER,
  previewOf,
  type TablePreview,
} from '../../governed/preview/exact-preview.ts';

const HOUR_MS = 3_600_000;
const MISSING: NeverReason = 'missing field';

/** Rows whose deadlines lie in one hour. */
export interface HourCount {
  /** Beginning of the hour, epoch ms. */
  readonly at: number;
  readonly rows: number;
}

/** Counts of a table's deadlines, as of `at`; epoch ms by the server's clock. */
export interface DeadlineFigures {
  readonly at: number;
  /** Rows with a deadline, and without. */
  readonly rows: number;
  readonly never: number;
  readonly overdue: number;
  readonly dueNextHour: number;
  /** Null: no row has a deadline. */
  readonly earliestAt: number | null;
  readonly latestAt: number | null;
  /** The earliest one after `at`; null: there is none. */
  readonly nextAt: number | null;
  /** Ascending. */
  readonly hours: readonly HourCount[];
}

interface HourRow {
  hour: number | null;
  rows: number;
  overdue: number;
  nextHour: number;
  earliest: number | null;
  latest: number | null;
  next: number | null;
  at: number;
}

/** The deadlines of the rows of a table, each in a column `deadline`. */
function deadlinesSql(table: TableName, deadline: string): string {
  return `(SELECT ${deadline} AS deadline FROM ${quoteTable(table)} AS t)`;
}

/** Last instant of the year 9999, beyond which no deadline is expected; infinity is beyond as well [D5]. */
const LAST = "'9999-12-31 23:59:59+00'::timestamptz";

/** Counts every row of the table in one scan, by the hours of their deadlines. */
export async function countDeadlines(
  session: Session,
  table: TableName,
  deadline: string,
): Promise<DeadlineFigures> {
  const { rows } = await session.query<HourRow>(
    `SELECT extract(epoch FROM date_trunc('hour', d.deadline))::float8 * 1000 AS hour, count(*)::float8 AS rows,
        count(*) FILTER (WHERE d.deadline <= now())::float8 AS overdue,
        count(*) FILTER (WHERE d.deadline > now() AND d.deadline <= now() + interval '1 hour')::float8 AS "nextHour",
        extract(epoch FROM min(d.deadline))::float8 * 1000 AS earliest,
        extract(epoch FROM max(d.deadline))::float8 * 1000 AS latest,
        extract(epoch FROM min(d.deadline) FILTER (WHERE d.deadline > now()))::float8 * 1000 AS next, extract(epoch FROM now())::float8 * 1000 AS at
      FROM (SELECT CASE WHEN e.deadline <= ${LAST} THEN e.deadline END AS deadline FROM ${deadlinesSql(table, deadline)} AS e) AS d
      GROUP BY 1`,
  );
  return figuresOf(rows, rows[0]?.at ?? (await serverNow(session)));
}

async function serverNow(session: Session): Promise<number> {
  const { rows } = await session.query<{ at: number }>(
    'SELECT extract(epoch FROM now())::float8 * 1000 AS at',
  );
  return rows[0]?.at ?? Number.NaN;
}

function figuresOf(rows: readonly HourRow[], at: number): DeadlineFigures {
  const dated = rows.flatMap(row => (row.hour === null ? [] : [{ ...row, hour: row.hour }]));
  const sum = (of: readonly HourRow[], part: 'rows' | 'overdue' | 'nextHour') =>
    of.reduce((total, row) => total + row[part], 0);
  const instants = (part: 'earliest' | 'latest' | 'next') => dated.flatMap(row => row[part] ?? []);
  const next = instants('next');
  return {
    at,
    rows: sum(dated, 'rows'),
    never: sum(rows, 'rows') - sum(dated, 'rows'),
    overdue: sum(dated, 'overdue'),
    dueNextHour: sum(dated, 'nextHour'),
    earliestAt: dated.length === 0 ? null : Math.min(...instants('earliest')),
    latestAt: dated.length === 0 ? null : Math.max(...instants('latest')),
    nextAt: next.length === 0 ? null : Math.min(...next),
    hours: dated.map(({ hour, rows: count }) => ({ at: hour, rows: count })).toSorted((a, b) => a.at - b.at),
  };
}

/** Returns the next deadline of a count, epoch ms; null: there is none, or it has passed since. */
export function nextDeadline(figures: DeadlineFigures | null, now: number): number | null {
  const nextAt = figures?.nextAt ?? null;
  return nextAt !== null && nextAt > now ? nextAt : null;
}

/** A span of instants, epoch ms, in equal buckets. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly buckets: number;
}

/** Counts the rows with a deadline in each bucket. */
export async function countBuckets(
  session: Session,
  table: TableName,
  deadline: string,
  { from, to, buckets }: Span,
): Promise<number[]> {
  const at = 'extract(epoch FROM d.deadline)::float8 * 1000';
  const { rows } = await session.query<{ bucket: number; count: number }>(
    `SELECT floor((${at} - $1::float8) / $2::float8)::float8 AS bucket, count(*)::float8 AS count
      FROM ${deadlinesSql(table, deadline)} AS d
      WHERE ${at} >= $1::float8 AND ${at} < $3::float8 GROUP BY 1`,
    [from, (to - from) / buckets, to],
  );
  const counts = new Map(rows.map(({ bucket, count }) => [bucket, count]));
  return Array.from({ length: buckets }, (_, i) => counts.get(i) ?? 0);
}

/** Spreads the rows of each hour evenly over the buckets that it meets. */
export function spreadHours(hours: readonly HourCount[], { from, to, buckets }: Span): number[] {
  const bucketMs = (to - from) / buckets;
  const due: number[] = Array.from({ length: buckets }, () => 0);
  for (const { at, rows } of hours) {
    const first = Math.max(0, Math.floor((at - from) / bucketMs));
    const last = Math.min(buckets - 1, Math.ceil((at + HOUR_MS - from) / bucketMs) - 1);
    for (let i = first; i <= last; i++) {
      const begin = from + i * bucketMs;
      const overlap = Math.min(at + HOUR_MS, begin + bucketMs) - Math.max(at, begin);
      due[i] = (due[i] ?? 0) + (rows * Math.max(0, overlap)) / HOUR_MS;
    }
  }
  return due.map(Math.round);
}

interface GroupRow {
  bucket: number;
  count: number;
  inAnHour: number;
  earliest: number | null;
  at: number;
}

/** Counts the effect of a deadline on every row of the table, in one scan [X3]. */
export async function previewDeadlines(
  session: Session,
  table: TableName,
  deadline: string,
): Promise<TablePreview> {
  // The parameter makes it one statement: what follows a semicolon in an expression is refused.
  const { rows } = await session.query<GroupRow>(
    `SELECT (CASE WHEN d.deadline IS NULL OR d.deadline > ${LAST} THEN ${NEVER} WHEN d.deadline <= now() THEN ${DUE}
          ELSE least($1::float8, floor(extract(epoch FROM d.deadline - now())::float8 * 1000 / ${FORECAST_BUCKET_MS})) END)::float8 AS bucket,
        count(*)::float8 AS count,
        count(*) FILTER (WHERE d.deadline <= now() + interval '1 hour')::float8 AS "inAnHour",
        extract(epoch FROM min(d.deadline))::float8 * 1000 AS earliest, extract(epoch FROM now())::float8 * 1000 AS at
      FROM ${deadlinesSql(table, deadline)} AS d GROUP BY 1`,
    [FORECAST_BUCKETS],
  );
  const groups = rows.map(row => ({ ...row, reason: row.bucket === NEVER ? MISSING : null }));
  return previewOf(groups, rows[0]?.at ?? (await serverNow(session)));
}
