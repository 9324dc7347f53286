import type { Database, Statement } from 'better-sqlite3';
import type { FollowerRecord, FollowerToken } from '../../backend.ts';

export interface StoredFollower extends FollowerRecord {
  /** The token that registered it; null if a version registered it that did not record the token. */
  token: FollowerToken | null;
}

/** The `followers` table: registered followers and the revision that each has reached [V5]. */
export class FollowersTable {
  readonly #all: Statement<[], StoredFollower>;
  readonly #put: Statement<[StoredFollower]>;
  readonly #delete: Statement<[string]>;
  readonly #deleteAll: Statement<[]>;

  constructor(db: Database) {
    this.#all = db.prepare('SELECT name, revision, seen_at AS seenAt, token FROM followers');
    this.#put = db.prepare(
      'INSERT OR REPLACE INTO followers (name, revision, seen_at, token) VALUES (@name, @revision, @seenAt, @token)',
    );
    this.#delete = db.prepare('DELETE FROM followers WHERE name = ?');
    this.#deleteAll = db.prepare('DELETE FROM followers');
  }

  all(): StoredFollower[] {
    return this.#all.all();
  }

  put(follower: StoredFollower): void {
    this.#put.run(follower);
  }

  delete(name: string): void {
    this.#delete.run(name);
  }

  deleteAll(): void {
    this.#deleteAll.run();
  }
}
