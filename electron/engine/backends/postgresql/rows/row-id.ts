import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { TableEntry } from '../catalog/table-entry.ts';
import { quoteName } from '../connection/quoting.ts';

/** Text of each column of the primary key, in key order. */
export type RowKey = readonly string[];

/**
 * Returns the `_id` of a row: the text of its key, or of several columns a JSON array of texts. A text that is empty or
 * looks like such an array is an array of one.
 */
export function idOfKey(key: RowKey): string {
  const [first = ''] = key;
  return key.length === 1 && first !== '' && !first.startsWith('["') ? first : JSON.stringify(key);
}

/** Returns the key that an `_id` names. Throws DOCUMENT_NOT_FOUND: such a row cannot be. */
export function keyOfId({ key, collection }: Pick<TableEntry, 'key' | 'collection'>, id: string): RowKey {
  if (key.length === 1 && id !== '' && !id.startsWith('["')) return [id];
  const parts = partsOf(id);
  if (parts === null || parts.length !== key.length) throw noSuchRow(collection, id);
  return parts;
}

function partsOf(id: string): string[] | null {
  let value: unknown;
  try {
    value = JSON.parse(id);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  if (!Array.isArray(value) || value.length === 0) return null;
  const parts: unknown[] = value;
  return parts.every(part => typeof part === 'string') ? parts : null;
}

export function noSuchRow(collection: string, id: string): SandglassError {
  return new SandglassError('DOCUMENT_NOT_FOUND', `${collection} has no row ${id}.`, { collection, _id: id });
}

/** Throws NOT_SUPPORTED for a table without a primary key: its rows cannot be named. */
export function checkHasKey({ hasPrimaryKey, collection }: TableEntry): void {
  if (hasPrimaryKey) return;
  throw new SandglassError('NOT_SUPPORTED', `${collection} cannot be changed here. ${NO_KEY}`, {
    collection,
    reason: NO_KEY,
  });
}

const NO_KEY = 'The table has no primary key, so that its rows cannot be named.';

/** Returns the SQL of the key columns of a row with this alias. */
export function keyColumnsSql({ key }: Pick<TableEntry, 'key'>, row: string): string[] {
  return key.map(({ name }) => `${row}.${quoteName(name)}`);
}

/** Returns the SQL of a row key as `text[]`. */
export function rowKeySql(entry: Pick<TableEntry, 'key'>, row: string): string {
  return `ARRAY[${keyColumnsSql(entry, row)
    .map(column => `${column}::text`)
    .join(', ')}]`;
}

/** Returns the condition that a row has the key of the parameters `$first`, …; the index of the primary key serves it. */
export function hasKeySql(entry: Pick<TableEntry, 'key'>, row: string, first: number): string {
  return entry.key
    .map(({ name, type }, i) => `${row}.${quoteName(name)} = $${first + i}::text::${type}`)
    .join(' AND ');
}
