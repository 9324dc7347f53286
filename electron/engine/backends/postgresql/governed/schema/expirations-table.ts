import { inTransaction, type Session } from '../../connection/session.ts';
import { type GovernedTable, hasRowKeySql, rowKeySql, tableSql } from '../table-facts.ts';
import { lockTableSql } from './table-lock.ts';

/** Epoch ms, or that the row never expires. */
export type RowExpiration = number | 'never';

/**
 * The condition that a row, with alias `row`, has an expiration of its own, or is in a partition that was restored and has
 * one.
 */
export function isExplicitSql(
  table: Pick<GovernedTable, 'key' | 'oid' | 'isPartitioned'>,
  row: string,
): string {
  const ofTable = `SELECT FROM sandglass.expirations x WHERE x.relation = ${table.oid}::oid`;
  const isSpared = table.isPartitioned ? ` OR ${row}.tableoid = ANY (${sparedSql(table.oid)})` : '';
  // The first part is evaluated once: without any expiration nothing is looked up per row.
  return `(EXISTS (${ofTable}) AND EXISTS (${ofTable} AND x.row_key = ${rowKeySql(table, row)})${isSpared})`;
}

/** The tables that store the rows of restored partitions. */
function sparedSql(oid: number): string {
  return `ARRAY(SELECT unnest(d.spared) FROM sandglass.detached_partitions d
    WHERE d.relation = ${oid}::oid AND d.spared_until > statement_timestamp())`;
}

/** The instant until which the partition of a row was restored; null: for ever, or it was not. */
export function sparedUntilSql({ oid }: Pick<GovernedTable, 'oid'>, row: string): string {
  return `(SELECT nullif(d.spared_until, 'infinity') FROM sandglass.detached_partitions d
    WHERE d.relation = ${oid}::oid AND ${row}.tableoid = ANY (d.spared) AND d.spared_until > statement_timestamp() LIMIT 1)`;
}

/** The condition that partitions of the table were restored, and have an expiration of their own. */
export function hasSparedSql(oid: number): string {
  return `EXISTS (SELECT FROM sandglass.detached_partitions d
    WHERE d.relation = ${oid}::oid AND d.spared_until > statement_timestamp())`;
}

/** Why a TTL index does not govern a row with an expiration of its own, as text. */
export function explicitReasonSql(table: Pick<GovernedTable, 'key' | 'oid'>, row: string): string {
  return `coalesce((SELECT CASE WHEN x.expires_at IS NULL THEN 'pinned' ELSE 'set by hand' END FROM sandglass.expirations x
    WHERE x.relation = ${table.oid}::oid AND x.row_key = ${rowKeySql(table, row)}), 'pinned')`;
}

/**
 * Sets the expirations of rows, or clears them with null [E1]. Returns the row keys that no row has. The reaper removes
 * none of the others by an earlier rule: both take the lock of the table. `alongside` is done in the same transaction, for the
 * rows that exist.
 */
export async function setRowExpirations(
  session: Session,
  table: GovernedTable,
  rowKeys: readonly (readonly string[])[],
  {
    expiration,
    by,
    alongside,
  }: {
    expiration: RowExpiration | null;
    by: string;
    alongside?: ((present: readonly (readonly string[])[]) => Promise<void>) | undefined;
  },
): Promise<{ missing: string[][] }> {
  return inTransaction(session, async () => {
    await session.query(lockTableSql(table.oid));
    const found = await existing(session, table, rowKeys);
    const present = rowKeys.filter(key => found.has(JSON.stringify(key)));
    if (expiration === null)
      await session.query(
        `DELETE FROM sandglass.expirations WHERE relation = $1::oid AND row_key IN (${KEYS.replace('$n', '$2')})`,
        [table.oid, JSON.stringify(present)],
      );
    else await storeRowExpirations(session, table, present, { expiration, by });
    await alongside?.(present);
    return { missing: rowKeys.filter(key => !found.has(JSON.stringify(key))).map(key => [...key]) };
  });
}

/** Sets the expirations of rows that exist, in the running transaction. */
export async function storeRowExpirations(
  session: Session,
  { oid }: Pick<GovernedTable, 'oid'>,
  rowKeys: readonly (readonly string[])[],
  { expiration, by }: { expiration: RowExpiration; by: string },
): Promise<void> {
  await session.query(
    `INSERT INTO sandglass.expirations (relation, row_key, expires_at, owner_role, set_by)
      SELECT $1::oid, row_key, to_timestamp($3::float8 / 1000), current_user, $4 FROM (${KEYS.replace('$n', '$2')}) AS keys(row_key)
      ON CONFLICT (relation, row_key) DO UPDATE
      SET expires_at = excluded.expires_at, set_by = excluded.set_by, set_at = clock_timestamp()`,
    [oid, JSON.stringify(rowKeys), expiration === 'never' ? null : expiration, by],
  );
}

/** Row keys of a parameter: a JSON array of arrays of text, since arrays of arrays must be of one length in SQL. */
const KEYS = `SELECT DISTINCT (SELECT array_agg(part ORDER BY place) FROM jsonb_array_elements_text(k) WITH ORDINALITY AS p(part, place))
  FROM jsonb_array_elements($n::jsonb) AS keys(k)`;

/** Returns which of the row keys exist, as JSON texts, and keeps their rows from being deleted in this transaction. */
async function existing(
  session: Session,
  table: GovernedTable,
  rowKeys: readonly (readonly string[])[],
): Promise<Set<string>> {
  const { rows } = await session.query<{ key: string[] }>(
    `SELECT to_jsonb(keys.row_key) AS key FROM (${KEYS.replace('$n', '$1')}) AS keys(row_key)
      JOIN ${tableSql(table, 't')} ON ${hasRowKeySql(table, 't', 'keys.row_key')} FOR KEY SHARE OF t`,
    [JSON.stringify(rowKeys)],
  );
  return new Set(rows.map(({ key }) => JSON.stringify(key)));
}
