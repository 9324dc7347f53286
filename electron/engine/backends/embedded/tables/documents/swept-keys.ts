import type { Database, Statement } from 'better-sqlite3';
import { ManyRows } from '../../../../deadline-index/multi-row-insert.ts';

/** The key of a removed document. */
export interface SweptKey {
  /** `collections.id`. */
  readonly collection: number;
  readonly id: string;
  readonly row: number;
}

/** The temporary table in which the sweep sorts keys of many collections into the order of the file. */
export class SweptKeysTable {
  readonly #clear: Statement<[]>;
  readonly #add: ManyRows;
  readonly #collectionAfter: Statement<[number], number | null>;
  readonly #after: Statement<[number, string, number, number], [id: string, row: number]>;

  constructor(db: Database) {
    db.exec(
      `CREATE TEMP TABLE IF NOT EXISTS swept_keys
       (collection INTEGER, id TEXT, row INTEGER, PRIMARY KEY (collection, id, row)) WITHOUT ROWID`,
    );
    this.#clear = db.prepare('DELETE FROM temp.swept_keys');
    this.#add = new ManyRows(db, 'temp.swept_keys', 3, 'ON CONFLICT DO NOTHING');
    this.#collectionAfter = db
      .prepare<[number], number | null>('SELECT min(collection) FROM temp.swept_keys WHERE collection > ?')
      .pluck();
    this.#after = db
      .prepare<[number, string, number, number], [id: string, row: number]>(
        `SELECT id, row FROM temp.swept_keys
         WHERE collection = ? AND (id, row) > (?, ?) ORDER BY id, row LIMIT ?`,
      )
      .raw();
  }

  clear(): void {
    this.#clear.run();
  }

  add(keys: readonly SweptKey[]): void {
    this.#add.insert(keys.flatMap(({ collection, id, row }) => [collection, id, row]));
  }

  /** Returns the next collection with keys; null if there is none. */
  collectionAfter(collection: number): number | null {
    return this.#collectionAfter.get(collection) ?? null;
  }

  after(collection: number, [id, row]: [id: string, row: number], most: number): [id: string, row: number][] {
    return this.#after.all(collection, id, row, most);
  }
}
