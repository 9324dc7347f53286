import {
  type DroppedIndex,
  type PolicyChange,
  storedDefinition,
} from '../../../../../shared/contract/ttl-indexes.ts';
import { parseJson } from '../../../../../shared/model/json/json.ts';
import { noSuchIndex } from '../../../../../shared/model/ttl-index.ts';
import type { PolicyEntry } from '../tables/policy-history.ts';
import type { ReadConnection } from './read-connection.ts';

/**
 * Returns every change of the indexes of this name, latest first, even if none exists now. Throws COLLECTION_NOT_FOUND,
 * and TTL_INDEX_NOT_FOUND if none ever existed. Call inside a read transaction.
 */
export function readPolicyHistory(reader: ReadConnection, collection: string, index: string): PolicyChange[] {
  const { id, indexes } = reader.collection(collection);
  const rows = reader.db
    .prepare<[number, string], PolicyEntry & { id: number }>(
      'SELECT * FROM policy_history WHERE collection = ? AND name = ? ORDER BY id DESC',
    )
    .all(id, index);
  // An index made by an earlier version has no entry for its creation.
  if (rows.length === 0 && !indexes.some(({ name }) => name === index)) throw noSuchIndex(collection, index);
  return rows.map(row => ({
    id: row.id,
    index: row.name,
    at: row.at,
    by: row.by,
    change: row.change,
    before: decode(row.before),
    after: decode(row.after),
  }));
}

/**
 * Returns up to a hundred indexes whose latest change was a drop, latest first. Throws COLLECTION_NOT_FOUND. Call
 * inside a read transaction.
 */
export function readDroppedIndexes(reader: ReadConnection, collection: string): DroppedIndex[] {
  const { id } = reader.collection(collection);
  return reader.db
    .prepare<[number], DroppedIndex>(
      `SELECT name, at, by FROM policy_history
       WHERE id IN (SELECT max(id) FROM policy_history WHERE collection = ? GROUP BY name) AND change = 'drop'
       ORDER BY id DESC LIMIT 100`,
    )
    .all(id);
}

function decode(text: string | null): PolicyChange['before'] {
  return text === null ? null : storedDefinition.parse(parseJson(text));
}
