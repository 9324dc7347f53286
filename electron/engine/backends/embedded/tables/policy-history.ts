import type { Database, Statement } from 'better-sqlite3';
import type { PolicyChange } from '../../../../../shared/contract/ttl-indexes.ts';

/** One change of an index. Definitions have the format of `ttl_indexes.definition`; null if there was none. */
export interface PolicyEntry {
  /** `collections.id`. */
  collection: number;
  /** Name of the index. */
  name: string;
  /** Epoch ms. */
  at: number;
  by: string;
  change: PolicyChange['change'];
  before: string | null;
  after: string | null;
}

/** The `policy_history` table, written in the transaction of each change [X5]. */
export class PolicyHistoryTable {
  readonly #insert: Statement<[PolicyEntry]>;
  readonly #deleteSome: Statement<[number, number]>;

  constructor(db: Database) {
    this.#insert = db.prepare(
      `INSERT INTO policy_history (collection, name, at, by, change, before, after)
       VALUES (@collection, @name, @at, @by, @change, @before, @after)`,
    );
    this.#deleteSome = db.prepare('DELETE FROM policy_history WHERE collection = ? LIMIT ?');
  }

  record(entry: PolicyEntry): void {
    this.#insert.run(entry);
  }

  /** Deletes up to `most` rows of a collection. Returns how many. */
  deleteSomeOfCollection(collection: number, most: number): number {
    return this.#deleteSome.run(collection, most).changes;
  }
}
