import { quoteName } from '../../connection/quoting.ts';
import type { Session } from '../../connection/session.ts';
import { type GovernedTable, type Leaf, leafSql, rowKeySql } from '../table-facts.ts';
import { Statement } from './statement.ts';

/** Rows of one range: a few milliseconds to read. */
const SLICE = 5_000;

/** Row keys after `after` and up to `until`; null: without a bound. */
export interface KeyRange {
  readonly after: readonly string[] | null;
  readonly until: readonly string[] | null;
}

/** Returns the next range of the primary key in a leaf: all if it has few rows. */
export async function nextKeyRange(
  session: Session,
  table: GovernedTable,
  leaf: Leaf,
  after: KeyRange['after'],
): Promise<KeyRange> {
  const statement = new Statement();
  const sql = `SELECT to_jsonb(${rowKeySql(table, 't')}) AS key FROM ${leafSql(leaf, 't')}
    WHERE ${keyRangeSql(table, 't', { after, until: null }, statement)}
    ORDER BY ${columnsSql(table, 't')} OFFSET ${SLICE - 1} LIMIT 1`;
  const { rows } = await session.query<{ key: string[] }>(sql, statement.params);
  return { after, until: rows[0]?.key ?? null };
}

/** The condition that a row's key is in the range, by the index of the primary key. */
export function keyRangeSql(
  table: GovernedTable,
  row: string,
  { after, until }: KeyRange,
  statement: Statement,
): string {
  const columns = columnsSql(table, row);
  const values = (key: readonly string[]) =>
    table.key.map(({ type }, i) => statement.param(key[i], `text::${type}`)).join(', ');
  const bounds = [
    ...(after === null ? [] : [`(${columns}) > (${values(after)})`]),
    ...(until === null ? [] : [`(${columns}) <= (${values(until)})`]),
  ];
  return bounds.length === 0 ? 'true' : bounds.join(' AND ');
}

function columnsSql({ key }: GovernedTable, row: string): string {
  return key.map(({ name }) => `${row}.${quoteName(name)}`).join(', ');
}
