import { SandglassError } from '../../../../../shared/model/errors.ts';
import { quoteName, quoteTable, type TableName } from '../connection/quoting.ts';
import type { Session } from '../connection/session.ts';

export interface Column {
  readonly name: string;
  /** As `format_type` writes it without length and precision: `timestamp with time zone`, `bigint`. */
  readonly type: string;
  /** Computed by the server, so that it is never written. */
  readonly isGenerated: boolean;
}

/** A table as the catalog has it. */
export interface GovernedTable {
  readonly oid: number;
  readonly name: TableName;
  /** The table as it is written in SQL, without the schema `public`: the name of its collection. */
  readonly collection: string;
  readonly isPartitioned: boolean;
  readonly columns: readonly Column[];
  /** Columns of the primary key, in key order; empty: the table has none. */
  readonly key: readonly Column[];
}

interface TableRow {
  oid: number;
  schema: string;
  name: string;
  collection: string;
  kind: string;
  columns: Column[];
  key: string[] | null;
}

const COLLECTION =
  "CASE WHEN n.nspname = 'public' THEN '' ELSE quote_ident(n.nspname) || '.' END || quote_ident(c.relname)";

const TABLE = `
  SELECT c.oid, n.nspname AS schema, c.relname AS name, ${COLLECTION} AS collection, c.relkind::text AS kind,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, -1),
        'isGenerated', a.attgenerated <> '') ORDER BY a.attnum), '[]')
      FROM pg_catalog.pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
    (SELECT jsonb_agg(a.attname ORDER BY k.place)
      FROM pg_catalog.pg_index i, unnest(i.indkey) WITH ORDINALITY AS k(attnum, place), pg_catalog.pg_attribute a
      WHERE i.indrelid = c.oid AND i.indisprimary AND k.place <= i.indnkeyatts
        AND a.attrelid = c.oid AND a.attnum = k.attnum) AS key
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p') AND `;

/** Returns the table of a collection, such as `sessions` or `billing."Old invoices"`. Throws COLLECTION_NOT_FOUND. */
export async function readTable(session: Session, collection: string): Promise<GovernedTable> {
  const { rows } = await session.query<TableRow>(`${TABLE} ${COLLECTION} = $1`, [collection]);
  const [row] = rows;
  if (row === undefined)
    throw new SandglassError('COLLECTION_NOT_FOUND', `There is no table named ${collection}.`, {
      collection,
    });
  return tableOf(row);
}

/** Returns the tables with these OIDs that still exist. */
export async function readTables(
  session: Session,
  oids: readonly number[],
): Promise<Map<number, GovernedTable>> {
  const { rows } = await session.query<TableRow>(`${TABLE} c.oid = ANY($1::oid[])`, [oids]);
  return new Map(rows.map(row => [row.oid, tableOf(row)]));
}

function tableOf({ oid, schema, name, collection, kind, columns, key }: TableRow): GovernedTable {
  const inKey = (key ?? []).flatMap(column => columns.find(found => found.name === column) ?? []);
  return { oid, name: { schema, table: name }, collection, isPartitioned: kind === 'p', columns, key: inKey };
}

/** A table that stores rows: the table itself, or a partition. */
export interface Leaf {
  readonly oid: number;
  readonly name: TableName;
}

/** Returns the tables that store the rows: all partitions of all levels, or else the table. */
export async function readLeaves(session: Session, table: GovernedTable): Promise<Leaf[]> {
  if (!table.isPartitioned) return [table];
  const { rows } = await session.query<{ oid: number; schema: string; name: string }>(
    `SELECT c.oid, n.nspname AS schema, c.relname AS name
      FROM pg_catalog.pg_partition_tree($1::oid::regclass) p
      JOIN pg_catalog.pg_class c ON c.oid = p.relid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE p.isleaf AND c.relkind = 'r'`,
    [table.oid],
  );
  return rows.map(({ oid, schema, name }) => ({ oid, name: { schema, table: name } }));
}

/** Returns the SQL of the row key as `text[]`, of the row with this alias. */
export function rowKeySql({ key }: Pick<GovernedTable, 'key'>, row: string): string {
  return `ARRAY[${key.map(({ name }) => `${row}.${quoteName(name)}::text`).join(', ')}]`;
}

/** Returns the condition that the row with alias `row` has the row key `rowKey`, by the index of the primary key. */
export function hasRowKeySql({ key }: Pick<GovernedTable, 'key'>, row: string, rowKey: string): string {
  return key
    .map(({ name, type }, i) => `${row}.${quoteName(name)} = (${rowKey})[${i + 1}]::${type}`)
    .join(' AND ');
}

/** Returns the table as it is written after FROM, without tables that inherit from it. */
export function leafSql(leaf: Leaf, row: string): string {
  return `ONLY ${quoteTable(leaf.name)} AS ${row}`;
}

/** Returns the table as it is written after FROM: with its partitions, and without other tables that inherit from it. */
export function tableSql({ isPartitioned, name }: GovernedTable, row: string): string {
  return `${isPartitioned ? '' : 'ONLY '}${quoteTable(name)} AS ${row}`;
}
