import { quoteTable } from '../../connection/quoting.ts';
import type { Session } from '../../connection/session.ts';

/** A removed row or partition as it is read back; instants in epoch ms. */
export interface StoredRemoval {
  /** Ascending in the order of removals. */
  readonly id: string;
  readonly oid: number;
  readonly name: string;
  readonly action: 'delete' | 'move';
  readonly key: string[];
  readonly deadlineAt: number;
  readonly dueSinceAt: number;
  readonly removedAt: number;
  /** Until when it can be restored, and its size in bytes; null: it cannot be. */
  readonly until: number | null;
  readonly bytes: number | null;
  readonly isRestored: boolean;
  /** The removed partition and its rows, estimated; null: it is a row. */
  readonly partition: string | null;
  readonly partitionRows: number | null;
}

const ms = (column: string) => `extract(epoch FROM ${column})::float8 * 1000`;

/** Removed rows as `r`, the partition that was detached as `d`, and its own table as `p` while that exists. */
const FROM = `sandglass.removed r JOIN pg_catalog.pg_class c ON c.oid = r.relation
  LEFT JOIN sandglass.detached_partitions d ON d.id = r.detached
  LEFT JOIN pg_catalog.pg_class p ON p.oid = d.partition_oid AND NOT p.relispartition AND d.attached_at IS NULL`;

const IS_RESTORABLE = `(r."row" IS NOT NULL OR p.oid IS NOT NULL) AND r.keep_until > clock_timestamp()`;

/** Returns removals, latest first: of a table, or of all. `before`: the id of the last one of the page before. */
export async function readRemovals(
  session: Session,
  { oid, before, limit }: { oid: number | null; before: string | null; limit: number },
): Promise<StoredRemoval[]> {
  const { rows } = await session.query<StoredRemoval>(
    `SELECT r.id::text, r.relation::oid AS oid, r.name, r.action, to_jsonb(r.row_key) AS key, ${ms('r.deadline')} AS "deadlineAt",
        ${ms('r.due_since')} AS "dueSinceAt", ${ms('r.removed_at')} AS "removedAt",
        CASE WHEN ${IS_RESTORABLE} THEN ${ms('r.keep_until')} END AS until,
        CASE WHEN p.oid IS NULL THEN octet_length(r."row"::text) ELSE pg_total_relation_size(p.oid) END::float8 AS bytes,
        r.restored_at IS NOT NULL AS "isRestored", d.partition, d.rows_estimated::float8 AS "partitionRows"
      FROM ${FROM}
      WHERE ($1::oid IS NULL OR r.relation = $1::oid) AND ($2::bigint IS NULL OR r.id < $2::bigint)
      ORDER BY r.id DESC LIMIT $3`,
    [oid, before, limit],
  );
  return rows;
}

/** A part of the removals of all tables, or of one, that can be restored. */
export interface RemovalSpan {
  readonly oid: number | null;
  readonly name: string | null;
  /** Epoch ms: from inclusive, to exclusive. */
  readonly from: number | null;
  readonly to: number | null;
  readonly throughId: number | null;
}

/** Returns the ids of a page of restorable removals; `cursor`: the last id of the page before. */
export async function findRestorable(
  session: Session,
  { oid, name, from, to, throughId }: RemovalSpan,
  { cursor, order, limit }: { cursor: number | null; order: 'asc' | 'desc'; limit: number },
): Promise<number[]> {
  const isAfter = order === 'asc' ? 'r.id > $7::bigint' : 'r.id < $7::bigint';
  const { rows } = await session.query<{ id: number }>(
    `SELECT r.id::float8 AS id FROM ${FROM}
      WHERE ${IS_RESTORABLE} AND ($1::oid IS NULL OR r.relation = $1::oid) AND ($2::text IS NULL OR r.name = $2)
        AND ($3::float8 IS NULL OR r.removed_at >= to_timestamp($3::float8 / 1000))
        AND ($4::float8 IS NULL OR r.removed_at < to_timestamp($4::float8 / 1000))
        AND ($5::bigint IS NULL OR r.id <= $5::bigint) AND ($7::bigint IS NULL OR ${isAfter})
      ORDER BY r.id ${order} LIMIT $6`,
    [oid, name, from, to, throughId, limit, cursor],
  );
  return rows.map(({ id }) => id);
}

export async function lastRemovalId(session: Session): Promise<number> {
  const { rows } = await session.query<{ id: number }>(
    'SELECT coalesce(max(id), 0)::float8 AS id FROM sandglass.removed',
  );
  return rows[0]?.id ?? 0;
}

/** A removal that can be restored, locked until the end of the transaction. */
export interface LockedRemoval {
  readonly id: string;
  readonly oid: number;
  readonly key: string[];
  /** Null: it is a row. */
  readonly partition: DetachedPartition | null;
}

export interface DetachedPartition {
  readonly id: string;
  /** The table as it is written in SQL. */
  readonly name: string;
  readonly bound: string;
}

/** Locks the removals with these ids that can be restored now. */
export async function lockRemovals(
  session: Session,
  ids: readonly string[],
): Promise<Map<string, LockedRemoval>> {
  const { rows } = await session.query<
    Omit<LockedRemoval, 'partition'> & {
      partitionId: string | null;
      schema: string;
      table: string;
      bound: string;
    }
  >(
    `SELECT r.id::text, r.relation::oid AS oid, to_jsonb(r.row_key) AS key,
        d.id::text AS "partitionId", n.nspname AS schema, p.relname AS "table", d.bound
      FROM ${FROM} LEFT JOIN pg_catalog.pg_namespace n ON n.oid = p.relnamespace
      WHERE r.id = ANY ($1::bigint[]) AND ${IS_RESTORABLE} ORDER BY r.id FOR UPDATE OF r`,
    [ids],
  );
  return new Map(
    rows.map(({ partitionId, schema, table, bound, ...removal }) => [
      removal.id,
      {
        ...removal,
        partition:
          partitionId === null ? null : { id: partitionId, name: quoteTable({ schema, table }), bound },
      },
    ]),
  );
}

/** Returns the names of the columns in the copy of a row. */
export async function readCopiedColumns(session: Session, id: string): Promise<Set<string>> {
  const { rows } = await session.query<{ name: string }>(
    'SELECT json_object_keys("row") AS name FROM sandglass.removed WHERE id = $1::bigint',
    [id],
  );
  return new Set(rows.map(({ name }) => name));
}

/** Records that a removal was restored, and deletes its copy. */
export async function recordRestored(session: Session, id: string, by: string): Promise<void> {
  await session.query(
    'UPDATE sandglass.removed SET "row" = NULL, restored_at = clock_timestamp(), restored_by = $2 WHERE id = $1::bigint',
    [id, by],
  );
}

/** Rows that one statement deletes at most: a few milliseconds. */
const PART = 2_000;

/** Deletes a part of the removals that are past the time for which they are kept. Returns whether there may be more. */
export async function deleteOldRemovals(session: Session): Promise<boolean> {
  const { rowCount } = await session.query(
    `DELETE FROM sandglass.removed WHERE ctid = ANY (ARRAY(SELECT ctid FROM sandglass.removed
      WHERE keep_until <= clock_timestamp() ORDER BY keep_until LIMIT ${PART}))`,
  );
  return rowCount === PART;
}
