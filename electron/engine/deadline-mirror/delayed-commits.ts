import type { Database, Statement } from 'better-sqlite3';
import type { Clock } from '../platform/clock.ts';

/** A transaction is committed this long after it began, ms, or after that many writes of rows. */
const COMMIT_AFTER_MS = 250;
const COMMIT_AFTER_WRITES = 50_000;

/**
 * One transaction for many calls: a mirror is a cache, and what its last quarter of a second held is read from the server
 * again. A batch of a thousand keys changes three thousand random pages, each of which a commit writes to the log.
 */
export class DelayedCommits {
  readonly #db: Database;
  readonly #clock: Pick<Clock, 'setTimer'>;
  readonly #begin: Statement<[]>;
  readonly #commit: Statement<[]>;
  readonly #rollback: Statement<[]>;
  readonly #onFailure: (error: unknown) => void;
  #writes = 0;
  #cancelTimer: (() => void) | null = null;

  /** `onFailure` gets the error of a commit that no call waits for; what was not committed is lost. */
  constructor(db: Database, clock: Pick<Clock, 'setTimer'>, onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
    this.#db = db;
    this.#clock = clock;
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#commit = db.prepare('COMMIT');
    this.#rollback = db.prepare('ROLLBACK');
  }

  /** Runs `work`, which writes about so many rows. If it throws, all that is not committed is lost. */
  run(writes: number, work: () => void): void {
    if (!this.#db.inTransaction) {
      this.#begin.run();
      this.#cancelTimer = this.#clock.setTimer(COMMIT_AFTER_MS, () => this.#commitLater());
    }
    try {
      work();
      this.#writes += writes;
      if (this.#writes >= COMMIT_AFTER_WRITES) this.commit();
    } catch (error) {
      this.#undo();
      throw error;
    }
  }

  /** Commits what was written. */
  commit(): void {
    this.#end();
    if (this.#db.inTransaction) this.#commit.run();
  }

  #commitLater(): void {
    try {
      this.commit();
    } catch (error) {
      this.#undo();
      this.#onFailure(error);
    }
  }

  #undo(): void {
    this.#end();
    // SQLite itself rolls back where the disk is full.
    if (this.#db.inTransaction) this.#rollback.run();
  }

  #end(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#writes = 0;
  }
}
