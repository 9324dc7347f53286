import type { Database, Statement } from 'better-sqlite3';
import type { PurgeRecord } from '../../../../../shared/contract/expired.ts';
import type { PurgeMark } from '../../../../../shared/contract/replication.ts';

/** A purge without the columns of `purge_followers`. */
export type PurgeRow = Omit<PurgeRecord, 'followers' | 'notReached'>;

interface NewPurge {
  by: string;
  /** Followers erase their history up to here. */
  revision: number;
  collection: string | null;
}

/**
 * The `purges` table: the record of erasures, for audits [X4]. `erased_at` is 0 until a purge is complete. The row of
 * an interrupted one stays and is not listed: followers erase for it, too.
 */
export class PurgesTable {
  readonly #insert: Statement<[NewPurge]>;
  readonly #complete: Statement<[documents: number, at: number, id: number]>;
  readonly #settle: Statement<[number]>;
  readonly #all: Statement<[], PurgeRow>;
  readonly #latest: Statement<[], PurgeMark>;

  constructor(db: Database) {
    this.#insert = db.prepare(
      `INSERT INTO purges (erased_at, by, documents, revision, collection)
       VALUES (0, @by, 0, @revision, @collection)`,
    );
    this.#complete = db.prepare('UPDATE purges SET documents = ?, erased_at = ? WHERE id = ?');
    this.#settle = db.prepare(
      `UPDATE purges SET purged_at = ? WHERE purged_at IS NULL AND erased_at > 0
       AND NOT EXISTS (SELECT 1 FROM purge_followers WHERE purge = purges.id AND state = 'pending')`,
    );
    this.#all = db.prepare(
      `SELECT id, collection, by, documents, erased_at AS erasedAt, purged_at AS purgedAt
       FROM purges WHERE erased_at > 0 ORDER BY id DESC`,
    );
    this.#latest = db.prepare('SELECT id, revision FROM purges ORDER BY id DESC LIMIT 1');
  }

  /** Returns its id. */
  insert(purge: NewPurge): number {
    return Number(this.#insert.run(purge).lastInsertRowid);
  }

  /** Records that this store's part of a purge was complete at `at`, epoch ms. */
  complete(id: number, documents: number, at: number): void {
    this.#complete.run(documents, at, id);
  }

  /** Records that complete purges for which no follower is pending are erased everywhere at `at`, epoch ms. */
  settle(at: number): void {
    this.#settle.run(at);
  }

  /** Complete purges, latest first. */
  all(): PurgeRow[] {
    return this.#all.all();
  }

  /** The latest purge, complete or not; null if there is none. */
  latest(): PurgeMark | null {
    return this.#latest.get() ?? null;
  }
}
