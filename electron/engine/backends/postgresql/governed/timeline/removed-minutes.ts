import type { Session } from '../../connection/session.ts';

/** Rows that the reaper removed in a minute by one rule, and their lag. */
export interface RemovedMinute {
  readonly oid: number;
  /** Name of the index, or `explicit`. */
  readonly name: string;
  /** Begin of the minute, epoch ms. */
  readonly at: number;
  readonly removed: number;
  readonly lagMsMean: number;
  readonly lagMsMax: number;
}

/** Returns what was removed from a table, or with null from all, in minutes that begin in a span, epoch ms [X2]. */
export async function readRemovedMinutes(
  session: Session,
  oid: number | null,
  { from, to }: { from: number; to: number },
): Promise<RemovedMinute[]> {
  const { rows } = await session.query<RemovedMinute>(
    `SELECT relation::oid AS oid, name, extract(epoch FROM minute)::float8 * 1000 AS at, removed::float8 AS removed,
        CASE WHEN removed = 0 THEN 0 ELSE lag_ms_sum / removed END AS "lagMsMean", lag_ms_max AS "lagMsMax"
      FROM sandglass.minutes
      WHERE ($1::oid IS NULL OR relation = $1::oid) AND minute >= to_timestamp($2::float8 / 1000)
        AND minute < to_timestamp($3::float8 / 1000)
      ORDER BY minute`,
    [oid, from, to],
  );
  return rows;
}
