import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { TableEntry } from '../catalog/table-entry.ts';
import { sqlStateOf } from '../connection/postgres-failure.ts';
import { quoteName, quoteTable } from '../connection/quoting.ts';
import type { Session } from '../connection/session.ts';
import { keyOfId, noSuchRow, type RowKey } from './row-id.ts';

/** Returns those of the `_id`s that name a row. Call it outside of a transaction, which an invalid key would end. */
export async function existingIds(
  session: Session,
  entry: TableEntry,
  ids: readonly string[],
): Promise<Set<string>> {
  try {
    const keys = JSON.stringify(ids.map(id => keyOfId(entry, id)));
    const { rows } = await session.query<{ place: number }>(
      `SELECT k.place FROM ${keysSql} k JOIN ${quoteTable(entry.name)} t ON ${isRowOfKeySql(entry)}`,
      [keys],
    );
    return new Set(rows.flatMap(({ place }) => ids[place - 1] ?? []));
  } catch (error) {
    if (!namesNoRow(error)) throw error;
    if (ids.length <= 1) return new Set();
    const middle = Math.floor(ids.length / 2);
    const first = await existingIds(session, entry, ids.slice(0, middle));
    return new Set([...first, ...(await existingIds(session, entry, ids.slice(middle)))]);
  }
}

/** The keys of parameter `$1`, a JSON array of row keys, with their places from 1 on. */
export const keysSql =
  '(SELECT key, place::int4 AS place FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS e(key, place))';

/** Returns the condition that row `t` has the key `k.key` of `keysSql`. */
export function isRowOfKeySql({ key }: Pick<TableEntry, 'key'>): string {
  return key.map(({ name, type }, i) => `t.${quoteName(name)} = (k.key->>${i})::${type}`).join(' AND ');
}

/** Whether a text is no value of the key's type, or has too few parts. */
export function namesNoRow(error: unknown): boolean {
  if (error instanceof SandglassError && error.code === 'DOCUMENT_NOT_FOUND') return true;
  return sqlStateOf(error)?.startsWith('22') === true;
}

/** Runs `work` with the key that an `_id` names. Rejects with DOCUMENT_NOT_FOUND where no row can have it. */
export async function withKeyOf<Result>(
  entry: TableEntry,
  id: string,
  work: (key: RowKey) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(keyOfId(entry, id));
  } catch (error) {
    throw namesNoRow(error) ? noSuchRow(entry.collection, id) : error;
  }
}
