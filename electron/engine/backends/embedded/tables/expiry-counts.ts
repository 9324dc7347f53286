import type { Database, Statement } from '../file/database.ts';
import { ACTUAL_LEVELS } from './count-levels.ts';

/**
 * Lets go of counts of what expired when their level keeps them no longer [X2]. A collection at a time, each level's
 * oldest by a seek: one look at all of them held the writer for 40 ms at five busy collections, every minute.
 */
export class ExpiredCounts {
  readonly #next: Statement<[number], number | null>;
  readonly #prune: Statement<[number, number, number, number]>;

  constructor(db: Database) {
    this.#next = db
      .prepare<[number], number | null>('SELECT min(collection) FROM actuals WHERE collection > ?')
      .pluck();
    this.#prune = db.prepare(
      'DELETE FROM actuals WHERE collection = ? AND level = ? AND bucket < ? ORDER BY bucket LIMIT ?',
    );
  }

  /** Inside a transaction, about `most` of what is too old at `now` (epoch ms); true: there may be more. */
  prune(now: number, most: number): boolean {
    let left = most;
    for (let after = 0; ; ) {
      const collection = this.#next.get(after) ?? null;
      if (collection === null) return false;
      for (const [level, { width, keepMs }] of ACTUAL_LEVELS.entries()) {
        left -= this.#prune.run(collection, level, Math.floor((now - keepMs) / width), left).changes;
        if (left <= 0) return true;
      }
      after = collection;
    }
  }
}
