import type { Preview } from '../../../../../shared/contract/ttl-indexes.ts';
import type { Session } from '../connection/session.ts';
import type { DeadlineSql } from '../governed/deadline/deadline-sql.ts';
import type { TablePreview } from '../governed/preview/exact-preview.ts';
import { type GovernedTable, rowKeySql, tableSql } from '../governed/table-facts.ts';
import { idOfKey } from '../rows/row-id.ts';

/** What the contract's preview has beside the counts. */
export interface PreviewFacts {
  readonly kind: Preview['kind'];
  readonly revision: number;
  readonly bytesARow: number;
  readonly elapsedMs: number;
  readonly samples: Preview['samples'];
  /** Null: rows are removed one by one. */
  readonly partitions: NonNullable<Preview['partitions']> | null;
}

/** Returns the preview as the contract shows it; bytes are those of as many rows of mean size. */
export function toPreview(counts: TablePreview, facts: PreviewFacts): Preview {
  const { kind, revision, bytesARow, elapsedMs, samples, partitions } = facts;
  const {
    at,
    isEstimate,
    rows,
    dueAtOnce,
    nextHour,
    nextDay,
    nextWeek,
    later,
    never,
    nextDeadlineAt,
    forecast,
  } = counts;
  const bytes = (of: number) => Math.round(of * bytesARow);
  return {
    revision,
    at,
    ...(isEstimate && { isEstimate: true as const }),
    kind,
    documents: rows,
    dueAtOnce,
    nextHour,
    nextDay,
    nextWeek,
    later,
    never: { count: never.count, reasons: never.reasons.map(reason => ({ ...reason, examples: [] })) },
    bytes: {
      dueAtOnce: bytes(dueAtOnce),
      nextHour: bytes(nextHour),
      nextDay: bytes(nextDay),
      nextWeek: bytes(nextWeek),
      later: bytes(later),
      never: bytes(never.count),
    },
    drainMs: null,
    nextDeadlineAt,
    ...(partitions !== null && { partitions }),
    forecast: { bucketMs: forecast.bucketMs, due: [...forecast.due] },
    samples,
    unreadable: { count: 0, values: [], offers: [] },
    elapsedMs,
  };
}

/** Returns the counts of no index: every row never expires by it. */
export function withoutIndex(counts: TablePreview): TablePreview {
  const { rows } = counts;
  return {
    ...counts,
    dueAtOnce: 0,
    nextHour: 0,
    nextDay: 0,
    nextWeek: 0,
    later: 0,
    never: { count: rows, reasons: rows === 0 ? [] : [{ reason: 'no TTL index', count: rows }] },
    nextDeadlineAt: null,
    forecast: { ...counts.forecast, due: counts.forecast.due.map(() => 0) },
  };
}

/** Returns three rows with their deadlines. */
export async function readSamples(
  session: Session,
  table: GovernedTable,
  deadlines: Pick<DeadlineSql, 'value' | 'deadline' | 'reason'>,
): Promise<Preview['samples']> {
  const { rows } = await session.query<{
    key: string[];
    value: string | null;
    at: number | null;
    reason: 'missing field' | 'out of range' | 'wrong unit suspected';
  }>(
    `SELECT to_jsonb(${rowKeySql(table, 't')}) AS key, (${deadlines.value})::text AS value,
        extract(epoch FROM ${deadlines.deadline})::float8 * 1000 AS at, ${deadlines.reason} AS reason
      FROM ${tableSql(table, 't')} LIMIT 3`,
  );
  return rows.map(({ key, value, at, reason }) => ({
    _id: idOfKey(key),
    value,
    reads: [],
    referenceAt: null,
    deadlineAt: at,
    reason: at === null ? reason : null,
  }));
}
