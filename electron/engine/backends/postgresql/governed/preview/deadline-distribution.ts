import type { Session } from '../../connection/session.ts';
import type { DeadlineSql } from '../deadline/deadline-sql.ts';
import type { WholePartition } from '../partitions/whole-partitions.ts';
import type { GovernedTable } from '../table-facts.ts';

/** Deadlines of a table by the planner's statistics; instants in epoch ms. */
interface Statistics {
  readonly rows: number;
  /** Share of rows without a value. */
  readonly nullShare: number;
  /** Frequent values: their deadlines (null: none) and shares. */
  readonly common: readonly { readonly at: number | null; readonly share: number }[];
  /** Deadlines of values between which there are equally many of the other rows, ascending. */
  readonly bounds: readonly (number | null)[];
}

/** Estimates how many rows have which deadline. */
export class DeadlineDistribution {
  readonly rows: number;
  /** Rows that have a deadline. */
  readonly withDeadline: number;
  readonly #common: readonly { readonly at: number; readonly rows: number }[];
  readonly #bounds: readonly number[];
  /** Rows that are neither null nor frequent. */
  readonly #others: number;

  /** @internal */
  constructor({ rows, nullShare, common, bounds }: Statistics) {
    const known = bounds.filter(at => at !== null);
    const commonShare = common.reduce((sum, { share }) => sum + share, 0);
    const hasDeadline = bounds.length === 0 ? 0 : known.length / bounds.length;
    this.rows = rows;
    this.#common = common.flatMap(({ at, share }) => (at === null ? [] : [{ at, rows: rows * share }]));
    this.#bounds = known.toSorted((a, b) => a - b);
    this.#others = rows * Math.max(0, 1 - nullShare - commonShare) * hasDeadline;
    this.withDeadline = this.countUntil(Number.POSITIVE_INFINITY);
  }

  /** Returns about how many rows have a deadline at or before an instant. */
  countUntil(at: number): number {
    const common = this.#common.reduce((sum, value) => sum + (value.at <= at ? value.rows : 0), 0);
    return Math.round(common + this.#others * this.#shareUntil(at));
  }

  /** Share of the rows between the bounds, as if each interval were filled evenly. */
  #shareUntil(at: number): number {
    const bounds = this.#bounds;
    const after = bounds.findIndex(bound => bound > at);
    if (after === 0 || bounds.length === 0) return 0;
    if (after === -1 || bounds.length === 1) return 1;
    const [from = 0, to = 0] = [bounds[after - 1], bounds[after]];
    return (after - 1 + (at - from) / (to - from)) / (bounds.length - 1);
  }
}

interface StatisticsRow {
  rows: number;
  nullShare: number;
  common: string[] | null;
  shares: number[] | null;
  bounds: string[] | null;
}

/**
 * The statistics of a column are those of the table with its partitions; those of an expression are those of an index on it.
 * `reltuples` is of the last VACUUM or ANALYZE: it is scaled to the present size, as the planner does.
 */
const STATISTICS = `
  SELECT sizes.rows, s.null_frac AS "nullShare", to_jsonb(s.most_common_vals::text::text[]) AS common,
    to_jsonb(s.most_common_freqs) AS shares, to_jsonb(s.histogram_bounds::text::text[]) AS bounds
  FROM (
    SELECT coalesce(sum(CASE WHEN c.relpages = 0 OR c.reltuples < 0 THEN greatest(c.reltuples, 0)
      ELSE c.reltuples * (pg_relation_size(c.oid) / current_setting('block_size')::float8) / c.relpages END), 0)::float8 AS rows
    FROM pg_catalog.pg_class c WHERE c.oid = $1::oid AND c.relkind = 'r'
      OR c.oid IN (SELECT p.relid FROM pg_catalog.pg_partition_tree($1::oid::regclass) p WHERE p.isleaf)
  ) AS sizes,
  LATERAL (
    SELECT st.* FROM pg_catalog.pg_stats st
    WHERE (st.schemaname, st.tablename) = ($2, $3) AND st.attname = $4
      OR $4 IS NULL AND EXISTS (SELECT FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
        WHERE i.indrelid = $1::oid AND c.relname = st.tablename AND st.schemaname = $2
          AND pg_get_expr(i.indexprs, i.indrelid) = $5)
    ORDER BY st.inherited DESC LIMIT 1
  ) AS s`;

/** Returns the estimate at once; null: the table was never analysed, or the user may not see its statistics. */
export async function readDistribution(
  session: Session,
  table: GovernedTable,
  deadlines: DeadlineSql,
): Promise<DeadlineDistribution | null> {
  const { oid, name } = table;
  const { column, expression } = deadlines;
  const { rows } = await session.query<StatisticsRow>(STATISTICS, [
    oid,
    name.schema,
    name.table,
    column,
    expression,
  ]);
  const [row] = rows;
  if (row === undefined) return null;
  const values = [...(row.common ?? []), ...(row.bounds ?? [])];
  const at = await deadlinesOfValues(session, deadlines, values);
  const common = (row.common ?? []).map((_, i) => ({ at: at[i] ?? null, share: row.shares?.[i] ?? 0 }));
  const bounds = (row.bounds ?? []).map((_, i) => at[common.length + i] ?? null);
  return new DeadlineDistribution({ rows: row.rows, nullShare: row.nullShare, common, bounds });
}

async function deadlinesOfValues(
  session: Session,
  deadlines: DeadlineSql,
  values: readonly string[],
): Promise<(number | null)[]> {
  const { rows } = await session.query<{ at: number | null }>(
    `SELECT extract(epoch FROM ${deadlines.deadlineOf('v.value')})::float8 * 1000 AS at
      FROM (SELECT place, text::${deadlines.type} AS value
        FROM jsonb_array_elements_text($1::jsonb) WITH ORDINALITY AS given(text, place)) AS v ORDER BY v.place`,
    [JSON.stringify(values)],
  );
  return rows.map(({ at }) => at);
}

/**
 * Returns about how many rows are removed up to an instant, epoch ms: those of whole partitions at the deadline of their
 * partition, the others spread as the deadlines of all rows.
 */
export function removedUntil(
  distribution: Pick<DeadlineDistribution, 'rows' | 'countUntil'>,
  whole: readonly Pick<WholePartition, 'deadlineAt' | 'rows'>[],
): (at: number) => number {
  if (whole.length === 0) return at => distribution.countUntil(at);
  const inPartitions = whole.reduce((sum, { rows }) => sum + rows, 0);
  const others = Math.max(0, 1 - inPartitions / Math.max(1, distribution.rows));
  return at => {
    const removed = whole.reduce((sum, { deadlineAt, rows }) => sum + (deadlineAt <= at ? rows : 0), 0);
    return Math.round(removed + others * distribution.countUntil(at));
  };
}
