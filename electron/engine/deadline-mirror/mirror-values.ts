import type { Database, Statement } from 'better-sqlite3';

/** Every key of `mirror_values`. */
interface Values {
  /** Number of the last change of counts. */
  revision: number;
  /** Number of the latest scan. */
  scan: number;
  /** When a change was last written, epoch ms. */
  changedAt: number;
  /** 1 while a process has the file open; still 1 after a crash. */
  isOpen: number;
}

/** The `mirror_values` table: single numbers of a mirror. */
export class MirrorValues {
  readonly #get: Statement<[keyof Values], number>;
  readonly #set: Statement<[keyof Values, number]>;

  constructor(db: Database) {
    this.#get = db.prepare<[keyof Values], number>('SELECT value FROM mirror_values WHERE key = ?').pluck();
    this.#set = db.prepare(
      'INSERT INTO mirror_values (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
    );
  }

  /** Returns null for a value that was never set. */
  get(key: keyof Values): number | null {
    return this.#get.get(key) ?? null;
  }

  set(key: keyof Values, value: number): void {
    this.#set.run(key, value);
  }
}
