import { SandglassError } from '../../../../../../shared/model/errors.ts';
import { quoteName, quoteTable } from '../../connection/quoting.ts';
import { inTransaction, type Session } from '../../connection/session.ts';
import type { DeadlineSql } from '../deadline/deadline-sql.ts';
import { type GovernedTable, tableSql } from '../table-facts.ts';

/** A foreign key that refers to the table. */
export interface ReferringKey {
  readonly name: string;
  /** The table with the foreign key, as it is written in SQL. */
  readonly from: string;
  readonly columns: readonly string[];
  /** `NO ACTION` and `RESTRICT` block the removal of a row that is referred to. */
  readonly onDelete: 'NO ACTION' | 'RESTRICT' | 'CASCADE' | 'SET NULL' | 'SET DEFAULT';
  /** Without an index on its columns, the referring table is read for every removed row. */
  readonly isIndexed: boolean;
  /** Rows that refer to rows that are due now; null: not counted. */
  readonly rows: number | null;
}

interface KeyRow extends Omit<ReferringKey, 'rows'> {
  schema: string;
  table: string;
  referred: string[];
}

const REFERRING = `
  SELECT k.conname AS name, k.conrelid::regclass::text AS from, n.nspname AS schema, c.relname AS "table",
    CASE k.confdeltype WHEN 'r' THEN 'RESTRICT' WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL'
      WHEN 'd' THEN 'SET DEFAULT' ELSE 'NO ACTION' END AS "onDelete",
    (SELECT jsonb_agg(a.attname ORDER BY u.place) FROM unnest(k.conkey) WITH ORDINALITY AS u(attnum, place)
      JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.attnum) AS columns,
    (SELECT jsonb_agg(a.attname ORDER BY u.place) FROM unnest(k.confkey) WITH ORDINALITY AS u(attnum, place)
      JOIN pg_catalog.pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.attnum) AS referred,
    EXISTS (SELECT FROM pg_catalog.pg_index i WHERE i.indrelid = k.conrelid AND i.indisvalid AND i.indpred IS NULL
      AND i.indkey[0] = ANY (k.conkey)) AS "isIndexed"
  FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_class c ON c.oid = k.conrelid
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE k.confrelid = $1::oid AND k.contype = 'f' AND k.conparentid = 0 ORDER BY k.conname`;

/** Returns the foreign keys that refer to the table, with counts for what is due now if deadlines are given. */
export async function readReferringKeys(
  session: Session,
  table: GovernedTable,
  deadlines: DeadlineSql | null,
): Promise<ReferringKey[]> {
  const { rows } = await session.query<KeyRow>(REFERRING, [table.oid]);
  const keys: ReferringKey[] = [];
  for (const { schema, table: from, referred, ...key } of rows) {
    const count =
      deadlines === null
        ? null
        : await countReferring(session, table, deadlines, {
            from: quoteTable({ schema, table: from }),
            columns: key.columns,
            referred,
          });
    keys.push({ ...key, rows: count });
  }
  return keys;
}

async function countReferring(
  session: Session,
  table: GovernedTable,
  deadlines: DeadlineSql,
  { from, columns, referred }: { from: string; columns: readonly string[]; referred: readonly string[] },
): Promise<number | null> {
  const list = (names: readonly string[], row: string) =>
    names.map(name => `${row}.${quoteName(name)}`).join(', ');
  const sql = `
    SELECT count(*)::float8 AS count FROM ${from} AS referring WHERE (${list(columns, 'referring')}) IN
      (SELECT ${list(referred, 't')} FROM ${tableSql(table, 't')} WHERE ${deadlines.dueBy('now()')})`;
  try {
    const { rows } = await inTransaction(
      session,
      () => session.query<{ count: number }>(sql),
      `BEGIN READ ONLY; SET LOCAL statement_timeout = ${COUNT_MS}`,
    );
    return rows[0]?.count ?? 0;
  } catch (error) {
    // Large tables are not counted; the foreign key is shown all the same.
    if (error instanceof SandglassError && error.code === 'BUSY') return null;
    throw error;
  }
}

/** Longest count of the rows that refer to what is due, ms. */
const COUNT_MS = 4_000;

/** A trigger that runs for removed rows, other than those of foreign keys. */
export interface DeleteTrigger {
  readonly name: string;
  readonly each: 'row' | 'statement';
}

export async function readDeleteTriggers(session: Session, { oid }: GovernedTable): Promise<DeleteTrigger[]> {
  // Bits of tgtype: 1 for each row, 8 on DELETE.
  const { rows } = await session.query<DeleteTrigger>(
    `SELECT tgname AS name, CASE WHEN tgtype & 1 = 1 THEN 'row' ELSE 'statement' END AS each
      FROM pg_catalog.pg_trigger
      WHERE tgrelid = $1::oid AND NOT tgisinternal AND tgenabled <> 'D' AND tgtype & 8 = 8 ORDER BY tgname`,
    [oid],
  );
  return rows;
}

/** How removals of the table reach its logical replicas. */
export interface ReplicationFacts {
  /** Publications that publish its deletes. */
  readonly publications: readonly string[];
  /** A removal fails: it is published, and has nothing that identifies the row. */
  readonly hasNoIdentity: boolean;
  /** Each removal publishes the whole row, as REPLICA IDENTITY FULL says. */
  readonly publishesWholeRows: boolean;
}

export async function readReplicationFacts(
  session: Session,
  { oid, key }: GovernedTable,
): Promise<ReplicationFacts> {
  const { rows } = await session.query<{ publications: string[]; identity: string }>(
    `SELECT (SELECT coalesce(jsonb_agg(p.pubname ORDER BY p.pubname), '[]') FROM pg_catalog.pg_publication p
        JOIN pg_catalog.pg_publication_tables pt ON pt.pubname = p.pubname
        WHERE p.pubdelete AND (pt.schemaname, pt.tablename) = (n.nspname, c.relname)) AS publications,
      c.relreplident::text AS identity
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = $1::oid`,
    [oid],
  );
  const { publications = [], identity = 'd' } = rows[0] ?? {};
  const identifies = identity === 'f' || identity === 'i' || (identity === 'd' && key.length > 0);
  const isPublished = publications.length > 0;
  return {
    publications,
    hasNoIdentity: isPublished && !identifies,
    publishesWholeRows: isPublished && identity === 'f',
  };
}
