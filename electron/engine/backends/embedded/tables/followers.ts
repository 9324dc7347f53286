import type { Database, Statement } from 'better-sqlite3';
import type { FollowerRecord } from '../../backend.ts';

/** The `followers` table: how far each registered follower has come [V5]. */
export class FollowersTable {
  readonly #all: Statement<[], FollowerRecord>;
  readonly #put: Statement<[FollowerRecord]>;
  readonly #delete: Statement<[string]>;
  readonly #deleteAll: Statement<[]>;

  constructor(db: Database) {
    this.#all = db.prepare('SELECT name, revision, seen_at AS seenAt FROM followers');
    this.#put = db.prepare('INSERT OR REPLACE INTO followers VALUES (@name, @revision, @seenAt)');
    this.#delete = db.prepare('DELETE FROM followers WHERE name = ?');
    this.#deleteAll = db.prepare('DELETE FROM followers');
  }

  all(): FollowerRecord[] {
    return this.#all.all();
  }

  put(follower: FollowerRecord): void {
    this.#put.run(follower);
  }

  delete(name: string): void {
    this.#delete.run(name);
  }

  deleteAll(): void {
    this.#deleteAll.run();
  }
}
