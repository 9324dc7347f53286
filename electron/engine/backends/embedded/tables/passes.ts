import type { Database, Statement } from 'better-sqlite3';
import { DAY } from '../../../deadline-index/count-levels.ts';
import type { PassRecord } from '../../../expiry/expiry-store.ts';

/** The `passes` table: the history of passes [R7], kept for 90 days. */
export class PassesTable {
  #next: number;
  readonly #write: Statement<
    [
      number,
      number,
      number,
      number,
      number,
      string,
      number,
      string,
      number,
      number,
      string,
      string | null,
      number,
      number,
    ]
  >;
  readonly #prune: Statement<[number, number]>;
  readonly #deleteSome: Statement<[number, number]>;

  constructor(db: Database) {
    this.#next = (db.prepare<[], number | null>('SELECT max(id) FROM passes').pluck().get() ?? 0) + 1;
    this.#write = db.prepare(
      'INSERT OR REPLACE INTO passes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
    // Passes are numbered in the order of their start, so only the lowest are read: a scan of all would hold the
    // writer.
    this.#prune = db.prepare(
      'DELETE FROM passes WHERE ended_at < ? AND id IN (SELECT id FROM passes ORDER BY id LIMIT ?)',
    );
    this.#deleteSome = db.prepare('DELETE FROM passes WHERE collection = ? LIMIT ?');
  }

  nextId(): number {
    return this.#next++;
  }

  write(pass: PassRecord, collection: number): void {
    this.#write.run(
      pass.id,
      collection,
      pass.startedAt,
      pass.endedAt,
      pass.cutoff,
      pass.trigger,
      pass.removed,
      JSON.stringify(Object.fromEntries(pass.bySource)),
      pass.batches,
      pass.longestBatchMs,
      pass.ending,
      pass.error,
      pass.changed,
      pass.quarantined,
    );
  }

  /** Deletes up to `most` rows of a collection. Returns how many. */
  deleteSomeOfCollection(collection: number, most: number): number {
    return this.#deleteSome.run(collection, most).changes;
  }

  /**
   * Deletes passes that are too old at `now` (epoch ms), among the `most` oldest. Returns whether there may be more.
   */
  prune(now: number, most: number): boolean {
    return this.#prune.run(now - 90 * DAY, most).changes === most;
  }
}
