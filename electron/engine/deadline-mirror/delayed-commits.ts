import type { Database, Statement } from 'better-sqlite3';
import type { Clock } from '../platform/clock.ts';

/** A transaction is committed this long after its beginning, or after COMMIT_AFTER_WRITES written rows. */
const COMMIT_AFTER_MS = 250;
const COMMIT_AFTER_WRITES = 100_000;

/**
 * Combines the writes of many calls into one transaction: a mirror is a cache, so after a crash the last of them are
 * read from the server again. A batch of a thousand keys changes three thousand random pages, each of which a commit
 * writes to the log.
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

  /** `onFailure` receives the error of a commit by the timer, for which no call waits; uncommitted changes are lost. */
  constructor(db: Database, clock: Pick<Clock, 'setTimer'>, onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
    this.#db = db;
    this.#clock = clock;
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#commit = db.prepare('COMMIT');
    this.#rollback = db.prepare('ROLLBACK');
  }

  /**
   * Runs `work`, which writes about `writes` rows. A transaction that it begins is committed after `afterMs`. If it
   * throws, all uncommitted changes are lost.
   */
  run(writes: number, work: () => void, afterMs = COMMIT_AFTER_MS): void {
    if (!this.#db.inTransaction) {
      this.#begin.run();
      this.#cancelTimer = this.#clock.setTimer(afterMs, () => this.#commitLater());
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

  /** Commits all changes. */
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
    // SQLite has rolled back by itself if the disk is full.
    if (this.#db.inTransaction) this.#rollback.run();
  }

  #end(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#writes = 0;
  }
}
