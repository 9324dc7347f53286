import type { TableName } from '../../connection/quoting.ts';
import type { Session } from '../../connection/session.ts';
import type { DeadlineSql } from '../deadline/deadline-sql.ts';
import type { RowSource } from '../definition.ts';
import type { GovernedTable } from '../table-facts.ts';

/** A partition of a table that is partitioned by the range of its deadline. */
export interface Partition {
  readonly oid: number;
  readonly name: TableName;
  /** `FOR VALUES FROM ('2026-01-01') TO ('2026-02-01')`, as ATTACH PARTITION takes it. */
  readonly bound: string;
  /** By the server's statistics. */
  readonly rows: number;
  /** The tables that store its rows. */
  readonly leaves: readonly number[];
  /**
   * Instant at which all of its rows are due, epoch ms and as text; null: it is the default partition, or it has no lower or
   * no upper bound.
   */
  readonly deadlineAt: number | null;
  readonly deadline: string | null;
}

interface PartitionRow {
  oid: number;
  schema: string;
  table: string;
  bound: string;
  rows: number;
  leaves: number[];
}

const PARTITIONS = `
  SELECT c.oid, n.nspname AS schema, c.relname AS "table", pg_get_expr(c.relpartbound, c.oid) AS bound,
    leaves.rows, leaves.oids AS leaves
  FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace,
  LATERAL (SELECT coalesce(sum(greatest(l.reltuples, 0)), 0)::float8 AS rows, jsonb_agg(l.oid::bigint) AS oids
    FROM pg_catalog.pg_partition_tree(c.oid) p JOIN pg_catalog.pg_class l ON l.oid = p.relid WHERE p.isleaf) AS leaves
  WHERE i.inhparent = $1::oid AND NOT i.inhdetachpending`;

/** Returns whether the deadline is bounded by the only column or expression of a range partition key. */
export async function isPartitionedByDeadline(
  session: Session,
  table: GovernedTable,
  source: RowSource,
): Promise<boolean> {
  if (!table.isPartitioned) return false;
  const { rows } = await session.query<{ column: string | null; expression: string | null }>(
    `SELECT a.attname AS column, pg_get_expr(p.partexprs, p.partrelid) AS expression
      FROM pg_catalog.pg_partitioned_table p
      LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0] AND a.attnum > 0
      WHERE p.partrelid = $1::oid AND p.partstrat = 'r' AND p.partnatts = 1`,
    [table.oid],
  );
  const [key] = rows;
  if (key === undefined) return false;
  return source.kind === 'field' ? key.column === source.field : key.expression === source.expression;
}

/** Returns the partitions of a table that is partitioned by the deadline, earliest first. */
export async function readPartitions(
  session: Session,
  table: GovernedTable,
  deadlines: DeadlineSql,
): Promise<Partition[]> {
  const { rows } = await session.query<PartitionRow>(PARTITIONS, [table.oid]);
  const found = await deadlinesOf(session, rows, deadlines);
  return rows
    .map(({ schema, table: name, ...row }, i) => ({
      ...row,
      name: { schema, table: name },
      deadlineAt: found.get(i)?.at ?? null,
      deadline: found.get(i)?.text ?? null,
    }))
    .sort((a, b) => (a.deadlineAt ?? Number.POSITIVE_INFINITY) - (b.deadlineAt ?? Number.POSITIVE_INFINITY));
}

/** Returns the deadlines of the bounded ones, by their place. */
async function deadlinesOf(
  session: Session,
  partitions: readonly PartitionRow[],
  deadlines: DeadlineSql,
): Promise<Map<number, { at: number; text: string }>> {
  const bounded = partitions.flatMap(({ bound }, place) => {
    const range = rangeOf(bound);
    return range === null ? [] : [{ place, ...range }];
  });
  if (bounded.length === 0) return new Map();
  const { type } = deadlines;
  const { rows } = await session.query<{ place: number; at: number | null; text: string | null }>(
    `SELECT b.place, extract(epoch FROM b.deadline)::float8 * 1000 AS at, b.deadline::text AS text
      FROM (SELECT r.place, ${deadlines.deadlineOfRange(`r.lower::${type}`, `r.upper::${type}`)} AS deadline
        FROM jsonb_to_recordset($1::jsonb) AS r(place int, lower text, upper text)) AS b`,
    [JSON.stringify(bounded)],
  );
  return new Map(
    rows.flatMap(({ place, at, text }) =>
      at === null || text === null ? [] : [[place, { at, text }] as const],
    ),
  );
}

/** A value as `pg_get_expr` writes it: quoted, or a plain number. */
const VALUE = String.raw`('(?:[^']|'')*'|[-\d.]+)`;
const RANGE = new RegExp(String.raw`^FOR VALUES FROM \(${VALUE}\) TO \(${VALUE}\)$`);

/**
 * Returns the bounds of a partition as text; null: it is the default one, or has no lower or upper bound.
 * @internal
 */
export function rangeOf(bound: string): { lower: string; upper: string } | null {
  const [, lower, upper] = RANGE.exec(bound) ?? [];
  return lower === undefined || upper === undefined
    ? null
    : { lower: unquoted(lower), upper: unquoted(upper) };
}

function unquoted(value: string): string {
  return value.startsWith("'") ? value.slice(1, -1).replaceAll("''", "'") : value;
}
