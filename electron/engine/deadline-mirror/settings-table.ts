import type { Database, Statement } from 'better-sqlite3';

/** The `mirror_settings` table: one JSON value, whose schema the callers define. */
export class MirrorSettingsTable {
  readonly #get: Statement<[], string>;
  readonly #set: Statement<[string]>;

  constructor(db: Database) {
    this.#get = db.prepare<[], string>('SELECT settings FROM mirror_settings').pluck();
    this.#set = db.prepare('INSERT OR REPLACE INTO mirror_settings (id, settings) VALUES (1, ?)');
  }

  /** Returns undefined before the first `set`. */
  get(): unknown {
    const text = this.#get.get();
    return text === undefined ? undefined : JSON.parse(text);
  }

  set(settings: object): void {
    this.#set.run(JSON.stringify(settings));
  }
}
