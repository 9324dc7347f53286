import type { TableName } from '../connection/quoting.ts';
import type { Session } from '../connection/session.ts';

/** A column of a primary key. */
export interface KeyColumn {
  readonly name: string;
  /** As it is written in a cast. */
  readonly type: string;
}

/** A table that the user may read. A partitioned table is one table, with its partitions. */
export interface TableEntry {
  readonly oid: number;
  readonly name: TableName;
  /**
   * The collection: the table as it is written in SQL, without the schema `public`. `sessions`, `billing.invoices`,
   * `"Mixed Case"`.
   */
  readonly collection: string;
  readonly isPartitioned: boolean;
  readonly hasPrimaryKey: boolean;
  /** Columns of the primary key, in key order; without one, the place of a row, by which it can be read and not changed. */
  readonly key: readonly KeyColumn[];
  /** Rows, by the server's statistics; 0 also if there are none. */
  readonly rows: number;
  /** Bytes of the table without its indexes, as of its last VACUUM or ANALYZE. */
  readonly bytes: number;
  /** Rows inserted or updated since the server's statistics began, also by transactions that were rolled back. */
  readonly written: number;
  /** Rows deleted since then, by the reaper too. */
  readonly deleted: number;
}

/** How the tables of a product are read. */
export interface CatalogQueries {
  /** Returns the tables that the user may read, without those of the system and of Sandglass. */
  readonly tables: (session: Session) => Promise<TableEntry[]>;
  /** Returns a text that differs once a table was created or dropped: a short read of the catalog. */
  readonly fingerprint: (session: Session) => Promise<string>;
}

const PLACE: KeyColumn = { name: 'ctid', type: 'tid' };
/** Two partitions have rows at the same place. */
const TABLE_OID: KeyColumn = { name: 'tableoid', type: 'oid' };

interface EntryRow {
  oid: number;
  schema: string;
  table: string;
  collection: string;
  kind: string;
  key: KeyColumn[] | null;
  rows: number;
  bytes: number;
  written: number;
  deleted: number;
}

/**
 * Neither locks a table nor reads one: sizes are those of the catalog, since `pg_table_size` waits for a lock. The
 * figures of a partitioned table are the sums of its leaves.
 */
const TABLES = `
  WITH RECURSIVE shown AS (
    SELECT c.oid, n.nspname, c.relname, c.relkind
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence <> 't'
      AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast', 'sandglass')
      AND n.nspname NOT LIKE 'pg\\_temp\\_%'
      AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
  ), leaves AS (
    SELECT oid AS root, oid FROM shown
    UNION ALL
    SELECT l.root, i.inhrelid FROM leaves l JOIN pg_catalog.pg_inherits i ON i.inhparent = l.oid
      JOIN shown s ON s.oid = l.root AND s.relkind = 'p'
  ), sums AS (
    SELECT l.root,
      sum(CASE WHEN pg_stat_get_live_tuples(c.oid) > 0 THEN pg_stat_get_live_tuples(c.oid)
        ELSE greatest(c.reltuples, 0) END)::float8 AS rows,
      sum((c.relpages + coalesce(t.relpages, 0))::float8 * current_setting('block_size')::int4) AS bytes,
      sum(pg_stat_get_tuples_inserted(c.oid) + pg_stat_get_tuples_updated(c.oid))::float8 AS written,
      sum(pg_stat_get_tuples_deleted(c.oid))::float8 AS deleted
    FROM leaves l JOIN pg_catalog.pg_class c ON c.oid = l.oid AND c.relkind = 'r'
      LEFT JOIN pg_catalog.pg_class t ON t.oid = c.reltoastrelid
    GROUP BY l.root
  )
  SELECT s.oid, s.nspname AS schema, s.relname AS "table", s.relkind::text AS kind,
    CASE WHEN s.nspname = 'public' THEN '' ELSE quote_ident(s.nspname) || '.' END || quote_ident(s.relname) AS collection,
    (SELECT jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, -1)) ORDER BY k.place)
      FROM pg_catalog.pg_index i, unnest(i.indkey) WITH ORDINALITY AS k(attnum, place), pg_catalog.pg_attribute a
      WHERE i.indrelid = s.oid AND i.indisprimary AND k.place <= i.indnkeyatts
        AND a.attrelid = s.oid AND a.attnum = k.attnum) AS key,
    coalesce(f.rows, 0) AS rows, coalesce(f.bytes, 0) AS bytes, coalesce(f.written, 0) AS written,
    coalesce(f.deleted, 0) AS deleted
  FROM shown s LEFT JOIN sums f ON f.root = s.oid`;

/** Also differs once a table was renamed. */
async function readFingerprint(session: Session): Promise<string> {
  const { rows } = await session.query<{ fingerprint: string }>(
    `SELECT count(*) || ' ' || coalesce(sum(hashtextextended(relname, oid::bigint)), 0) AS fingerprint
      FROM pg_catalog.pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relpersistence <> 't'`,
  );
  return rows[0]?.fingerprint ?? '';
}

/**
 * Returns the tables that the user may read, without those of the system and of Sandglass, and without partitions that were
 * removed from their table and are kept until they are dropped.
 */
async function readTableEntries(session: Session): Promise<TableEntry[]> {
  const { rows } = await session.query<EntryRow>(TABLES);
  const kept = await readKeptPartitions(session);
  const shown = rows.filter(({ oid }) => !kept.has(oid));
  return shown.map(({ oid, schema, table, collection, kind, key, rows: count, bytes, written, deleted }) => ({
    oid,
    name: { schema, table },
    collection,
    isPartitioned: kind === 'p',
    hasPrimaryKey: key !== null,
    key: key ?? (kind === 'p' ? [TABLE_OID, PLACE] : [PLACE]),
    rows: Math.round(count),
    bytes,
    written,
    deleted,
  }));
}

const CAN_READ_KEPT = `SELECT EXISTS (SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = 'sandglass' AND c.relname = 'detached_partitions'
    AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')) AS found`;

/** Returns the OIDs of detached partitions: none where the user may not read the schema `sandglass`, or there is none. */
async function readKeptPartitions(session: Session): Promise<Set<number>> {
  const { rows: can } = await session.query<{ found: boolean }>(CAN_READ_KEPT);
  if (can[0]?.found !== true) return new Set();
  // One that was attached again, and detached by a person, is a table like others; earlier versions had no such column.
  const { rows } = await session.query<{ oid: number }>(
    `SELECT d.partition_oid AS oid FROM sandglass.detached_partitions d
      WHERE d.dropped_at IS NULL AND to_jsonb(d)->>'attached_at' IS NULL`,
  );
  return new Set(rows.map(({ oid }) => oid));
}

/** The catalog of PostgreSQL. */
export const POSTGRES_CATALOG: CatalogQueries = { tables: readTableEntries, fingerprint: readFingerprint };
