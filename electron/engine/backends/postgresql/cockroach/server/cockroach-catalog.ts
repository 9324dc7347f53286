import type { CatalogQueries, KeyColumn, TableEntry } from '../../catalog/table-entry.ts';
import type { Session } from '../../connection/session.ts';
import { readReloptions, type TtlParameters } from '../ttl/ttl-parameters.ts';

interface EntryRow {
  oid: number;
  schema: string;
  table: string;
  collection: string;
  key: KeyColumn[] | null;
  rows: number;
}

const SHOWN = `c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'crdb_internal', 'pg_extension')`;

/** Every table has a primary key: where none is declared, the hidden column `rowid`. */
const TABLES = `
  SELECT c.oid, n.nspname::text AS schema, c.relname::text AS "table",
    CASE WHEN n.nspname = 'public' THEN '' ELSE quote_ident(n.nspname::text) || '.' END || quote_ident(c.relname::text) AS collection,
    k.key, coalesce(s.estimated_row_count, 0)::float8 AS rows
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    LEFT JOIN crdb_internal.table_row_statistics s ON s.table_id = c.oid::int8
    LEFT JOIN (
      SELECT con.conrelid, jsonb_agg(jsonb_build_object('name', a.attname::text, 'type', format_type(a.atttypid, -1))
          ORDER BY array_position(con.conkey, a.attnum)) AS key
      FROM pg_catalog.pg_constraint con JOIN pg_catalog.pg_attribute a ON a.attrelid = con.conrelid AND a.attnum = ANY (con.conkey)
      WHERE con.contype = 'p' GROUP BY con.conrelid
    ) k ON k.conrelid = c.oid
  WHERE ${SHOWN}`;

/** The catalog of CockroachDB. It has no statistics of written rows, and sizes are those of ranges, which are not read. */
export const COCKROACH_CATALOG: CatalogQueries = {
  async tables(session) {
    const { rows } = await session.query<EntryRow>(TABLES);
    return rows.map(
      ({ oid, schema, table, collection, key, rows: count }): TableEntry => ({
        oid,
        name: { schema, table },
        collection,
        isPartitioned: false,
        hasPrimaryKey: key !== null,
        key: key ?? [],
        rows: Math.round(count),
        bytes: 0,
        written: 0,
        deleted: 0,
      }),
    );
  },
  async fingerprint(session) {
    const { rows } = await session.query<{ fingerprint: string }>(
      `SELECT count(*)::text || ' ' || coalesce(sum(c.oid::int8), 0)::text AS fingerprint
        FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE ${SHOWN}`,
    );
    return rows[0]?.fingerprint ?? '';
  },
};

/** Returns the TTL of each table that has one, by the OID of the table. */
export async function readTtls(session: Session): Promise<Map<number, TtlParameters>> {
  const { rows } = await session.query<{ oid: number; options: string[] }>(
    `SELECT c.oid, to_jsonb(c.reloptions) AS options FROM pg_catalog.pg_class c
      WHERE c.relkind = 'r' AND c.reloptions IS NOT NULL`,
  );
  return new Map(
    rows.flatMap(({ oid, options }) => {
      const ttl = readReloptions(options);
      return ttl === null ? [] : [[oid, ttl] as const];
    }),
  );
}
