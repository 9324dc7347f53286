import type { PolicyChange } from '../../../../../shared/contract/ttl-indexes.ts';
import type { Database, Statement } from '../file/database.ts';

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
