import type { Database, Statement } from 'better-sqlite3';
import type { PurgeRecord } from '../../../../../shared/contract/expired.ts';

export type FollowerState = PurgeRecord['followers'][number];

export interface UnconfirmedFollower {
  follower: string;
  /** The first purge that the follower has not confirmed. */
  first: number;
  /** Number of purges that wait for the follower; 0 if it was removed. */
  pending: number;
}

/** The `purge_followers` table: followers that have erased purged data, and those that have not yet [X4]. */
export class PurgeFollowersTable {
  readonly #unconfirmed: Statement<[], UnconfirmedFollower>;
  readonly #all: Statement<[], FollowerState & { purge: number }>;
  readonly #expect: Statement<[number, string, number]>;
  readonly #confirm: Statement<[number, string, number]>;
  readonly #forget: Statement<[number, string]>;

  constructor(db: Database) {
    this.#unconfirmed = db.prepare(
      `SELECT follower, min(purge) AS first, sum(state = 'pending') AS pending
       FROM purge_followers WHERE state <> 'confirmed' GROUP BY follower`,
    );
    this.#all = db.prepare(
      'SELECT purge, follower AS name, state, at FROM purge_followers ORDER BY purge, follower',
    );
    this.#expect = db.prepare(`INSERT INTO purge_followers VALUES (?, ?, 'pending', ?)`);
    this.#confirm = db.prepare(
      `UPDATE purge_followers SET state = 'confirmed', at = ?
       WHERE follower = ? AND purge <= ? AND state <> 'confirmed'`,
    );
    this.#forget = db.prepare(
      `UPDATE purge_followers SET state = 'forgotten', at = ? WHERE follower = ? AND state = 'pending'`,
    );
  }

  unconfirmed(): UnconfirmedFollower[] {
    return this.#unconfirmed.all();
  }

  all(): (FollowerState & { purge: number })[] {
    return this.#all.all();
  }

  /** Records that `purge` is pending for a follower since `at`, epoch ms. */
  expect(purge: number, follower: string, at: number): void {
    this.#expect.run(purge, follower, at);
  }

  /** Records that a follower has erased every purge up to and including one. */
  confirmThrough(follower: string, purge: number, at: number): void {
    this.#confirm.run(at, follower, purge);
  }

  forget(follower: string, at: number): void {
    this.#forget.run(at, follower);
  }
}
