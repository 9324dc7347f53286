import type { Database, Statement } from 'better-sqlite3';
import type { PurgeRecord } from '../../../../../shared/contract/expired.ts';
import type { PurgeMark } from '../../../../../shared/contract/replication.ts';

/** A purge without the columns of `purge_followers`. */
export type PurgeRow = Omit<PurgeRecord, 'followers' | 'notReached'>;

interface NewPurge {
  /** Epoch ms. */
  at: number;
  by: string;
  documents: number;
  revision: number;
  collection: string | null;
}

/** The `purges` table: the record of erasures, for audits [X4]. */
export class PurgesTable {
  readonly #insert: Statement<[NewPurge]>;
  readonly #settle: Statement<[number]>;
  readonly #all: Statement<[], PurgeRow>;
  readonly #latest: Statement<[], PurgeMark>;

  constructor(db: Database) {
    this.#insert = db.prepare(
      `INSERT INTO purges (erased_at, by, documents, revision, collection)
       VALUES (@at, @by, @documents, @revision, @collection)`,
    );
    this.#settle = db.prepare(
      `UPDATE purges SET purged_at = ? WHERE purged_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM purge_followers WHERE purge = purges.id AND state = 'pending')`,
    );
    this.#all = db.prepare(
      `SELECT id, collection, by, documents, erased_at AS erasedAt, purged_at AS purgedAt
       FROM purges ORDER BY id DESC`,
    );
    this.#latest = db.prepare('SELECT id, revision FROM purges ORDER BY id DESC LIMIT 1');
  }

  /** Returns its id. */
  insert(purge: NewPurge): number {
    return Number(this.#insert.run(purge).lastInsertRowid);
  }

  /** Completes purges for which no follower is pending, at `at`, epoch ms. */
  settle(at: number): void {
    this.#settle.run(at);
  }

  /** All purges, latest first. */
  all(): PurgeRow[] {
    return this.#all.all();
  }

  /** The latest purge; null if there is none. */
  latest(): PurgeMark | null {
    return this.#latest.get() ?? null;
  }
}
