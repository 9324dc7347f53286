import type { Database, Statement } from 'better-sqlite3';
import { ManyRows } from '../../../../deadline-index/multi-row-insert.ts';

/** The temporary table in which the sweep sorts keys into the order of the file. */
export class SweptKeysTable {
  readonly #clear: Statement<[]>;
  readonly #add: ManyRows;
  readonly #after: Statement<[string, number, number], [id: string, row: number]>;

  constructor(db: Database) {
    db.exec(
      'CREATE TEMP TABLE IF NOT EXISTS swept_keys (id TEXT, row INTEGER, PRIMARY KEY (id, row)) WITHOUT ROWID',
    );
    this.#clear = db.prepare('DELETE FROM temp.swept_keys');
    this.#add = new ManyRows(db, 'temp.swept_keys', 2, 'ON CONFLICT DO NOTHING');
    this.#after = db
      .prepare<[string, number, number], [id: string, row: number]>(
        'SELECT id, row FROM temp.swept_keys WHERE (id, row) > (?, ?) ORDER BY id, row LIMIT ?',
      )
      .raw();
  }

  clear(): void {
    this.#clear.run();
  }

  add(keys: readonly { id: string; row: number }[]): void {
    this.#add.insert(keys.flatMap(({ id, row }) => [id, row]));
  }

  after([id, row]: [id: string, row: number], most: number): [id: string, row: number][] {
    return this.#after.all(id, row, most);
  }
}
