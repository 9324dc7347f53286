import type { Database, Statement } from 'better-sqlite3';

/** The temporary table in which the sweep sorts keys into the order of the file. */
export class SweptKeysTable {
  readonly #clear: Statement<[]>;
  readonly #add: Statement<[number, number, number]>;
  readonly #after: Statement<[string, number, number], [id: string, row: number]>;

  constructor(db: Database) {
    db.exec(
      'CREATE TEMP TABLE IF NOT EXISTS swept_keys (id TEXT, row INTEGER, PRIMARY KEY (id, row)) WITHOUT ROWID',
    );
    this.#clear = db.prepare('DELETE FROM temp.swept_keys');
    this.#add = db.prepare(
      `INSERT OR IGNORE INTO temp.swept_keys
       SELECT id, row FROM removals WHERE seq > ? AND seq <= ? AND collection = ? AND gone = 1`,
    );
    this.#after = db
      .prepare<[string, number, number], [id: string, row: number]>(
        'SELECT id, row FROM temp.swept_keys WHERE (id, row) > (?, ?) ORDER BY id, row LIMIT ?',
      )
      .raw();
  }

  clear(): void {
    this.#clear.run();
  }

  /** Adds the keys of one collection's removals after one and up to another. */
  add(collection: number, after: number, through: number): void {
    this.#add.run(after, through, collection);
  }

  after([id, row]: [id: string, row: number], most: number): [id: string, row: number][] {
    return this.#after.all(id, row, most);
  }
}
