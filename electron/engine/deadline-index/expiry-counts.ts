import type { Database, Statement } from 'better-sqlite3';
import { EXPIRY_COUNT_LEVELS } from './count-levels.ts';

/**
 * The `expiry_counts` table: how many documents expired, by removal time and source [X2]. Written inside transactions
 * of the caller.
 */
export class ExpiryCountsTable {
  readonly #add: Statement<[number, number, number, number, number]>;
  readonly #next: Statement<[number], number | null>;
  readonly #prune: Statement<[number, number, number, number]>;
  readonly #deleteSome: Statement<[number, number]>;

  constructor(db: Database) {
    this.#add = db.prepare(
      `INSERT INTO expiry_counts (collection, level, bucket, source, documents) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET documents = documents + excluded.documents`,
    );
    this.#next = db
      .prepare<[number], number | null>('SELECT min(collection) FROM expiry_counts WHERE collection > ?')
      .pluck();
    this.#prune = db.prepare(
      'DELETE FROM expiry_counts WHERE collection = ? AND level = ? AND bucket < ? ORDER BY bucket LIMIT ?',
    );
    this.#deleteSome = db.prepare('DELETE FROM expiry_counts WHERE collection = ? LIMIT ?');
  }

  /** Counts documents that one source of a collection removed at `at`, epoch ms. */
  add(collection: number, source: number, at: number, documents: number): void {
    for (const [level, { width }] of EXPIRY_COUNT_LEVELS.entries())
      this.#add.run(collection, level, Math.floor(at / width), source, documents);
  }

  /** Deletes up to `most` rows of a collection. Returns how many. */
  deleteSomeOfCollection(collection: number, most: number): number {
    return this.#deleteSome.run(collection, most).changes;
  }

  /**
   * Deletes about `most` counts whose level keeps them no longer at `now` (epoch ms). Returns whether there may be
   * more. One collection at a time, with a seek to each level's oldest: a scan of all counts held the writer for 40 ms
   * every minute, with five busy collections.
   */
  prune(now: number, most: number): boolean {
    let left = most;
    for (let after = 0; ; ) {
      const collection = this.#next.get(after) ?? null;
      if (collection === null) return false;
      for (const [level, { width, keepMs }] of EXPIRY_COUNT_LEVELS.entries()) {
        left -= this.#prune.run(collection, level, Math.floor((now - keepMs) / width), left).changes;
        if (left <= 0) return true;
      }
      after = collection;
    }
  }
}
