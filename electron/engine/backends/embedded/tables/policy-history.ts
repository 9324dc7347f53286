import {
  type DroppedIndex,
  type PolicyChange,
  storedDefinition,
} from '../../../../../shared/contract/ttl-indexes.ts';
import { parseJson } from '../../../../../shared/model/json/json.ts';
import { noSuchIndex } from '../../../../../shared/model/ttl-index.ts';
import type { Database, Statement } from '../file/database.ts';
import type { Reader } from '../read/reader.ts';

/** One change of an index; definitions as the column `ttl_indexes.definition` has them, null: there was none. */
export interface PolicyEntry {
  /** `collections.id`. */
  collection: number;
  /** Of the index. */
  name: string;
  /** Epoch ms. */
  at: number;
  by: string;
  change: PolicyChange['change'];
  before: string | null;
  after: string | null;
}

/** The `policy_history` table, written in the transaction of each change [X5]. */
export class PolicyHistory {
  readonly #insert: Statement<[PolicyEntry]>;

  constructor(db: Database) {
    this.#insert = db.prepare(
      `INSERT INTO policy_history (collection, name, at, by, change, before, after)
       VALUES (@collection, @name, @at, @by, @change, @before, @after)`,
    );
  }

  record(entry: PolicyEntry): void {
    this.#insert.run(entry);
  }
}

/**
 * Every change of the indexes that had this name, latest first, also where none has it now. Throws
 * COLLECTION_NOT_FOUND, and TTL_INDEX_NOT_FOUND where none ever had. Call inside a read transaction.
 */
export function readPolicyHistory(reader: Reader, collection: string, index: string): PolicyChange[] {
  const { id, indexes } = reader.collection(collection);
  const rows = reader.db
    .prepare<[number, string], PolicyEntry & { id: number }>(
      'SELECT * FROM policy_history WHERE collection = ? AND name = ? ORDER BY id DESC',
    )
    .all(id, index);
  // One that was made by an earlier version has no entry for its making.
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
 * The indexes whose latest change was that they were dropped, latest first, a hundred at most. Throws
 * COLLECTION_NOT_FOUND. Call inside a read transaction.
 */
export function readDroppedIndexes(reader: Reader, collection: string): DroppedIndex[] {
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
