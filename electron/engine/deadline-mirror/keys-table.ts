import type { Database, Statement } from 'better-sqlite3';
import { ManyRows } from '../deadline-index/multi-row-insert.ts';

/** A key as it is stored. */
export interface StoredKey {
  row: number;
  collection: number;
  id: string;
  /** Deadline, epoch ms; negative: never expires. */
  reference: number;
  type: string;
  /** Null: not measured. */
  bytes: number | null;
  /** When it was last found changed, epoch ms. */
  updatedAt: number;
  /** The latest scan when it was last put. */
  scan: number;
}

const COLUMNS = 'row, collection, id, reference, type, bytes, updated_at AS updatedAt, scan';

/** The `mirrored_keys` table. */
export class MirroredKeys {
  readonly #byId: Statement<[string], StoredKey>;
  readonly #byRow: Statement<[number], StoredKey>;
  readonly #after: Statement<[collection: number, id: string, limit: number], StoredKey>;
  readonly #before: Statement<[collection: number, id: string, limit: number], StoredKey>;
  readonly #last: Statement<[collection: number, limit: number], StoredKey>;
  readonly #from: Statement<[collection: number, id: string, limit: number], StoredKey>;
  readonly #upTo: Statement<[collection: number, id: string, limit: number], StoredKey>;
  readonly #part: Statement<[after: number, limit: number], { last: number | null }>;
  readonly #notOfScan: Statement<[after: number, last: number, scan: number], StoredKey>;
  readonly #insert: ManyRows;
  readonly #update: Statement<[StoredKey]>;
  readonly #stamp: Statement<[scan: number, row: number]>;
  readonly #delete: Statement<[number]>;
  readonly #clear: Statement<[]>;
  readonly #maxRow: Statement<[], number | null>;
  #nextRow: number;
  #inserted: StoredKey[] = [];

  constructor(db: Database) {
    const select = `SELECT ${COLUMNS} FROM mirrored_keys`;
    this.#byId = db.prepare(`${select} WHERE id = ?`);
    this.#byRow = db.prepare(`${select} WHERE row = ?`);
    const page = (compare: '>' | '>=' | '<' | '<=') =>
      db.prepare<[number, string, number], StoredKey>(
        `${select} WHERE collection = ? AND id ${compare} ? ORDER BY id ${compare.startsWith('<') ? 'DESC' : ''} LIMIT ?`,
      );
    this.#after = page('>');
    this.#from = page('>=');
    this.#before = page('<');
    this.#upTo = page('<=');
    this.#last = db.prepare(`${select} WHERE collection = ? ORDER BY id DESC LIMIT ?`);
    this.#part = db.prepare(
      'SELECT max(row) AS last FROM (SELECT row FROM mirrored_keys WHERE row > ? ORDER BY row LIMIT ?)',
    );
    this.#notOfScan = db.prepare(`${select} WHERE row > ? AND row <= ? AND scan <> ?`);
    this.#insert = new ManyRows(
      db,
      'mirrored_keys (row, collection, id, reference, type, bytes, updated_at, scan)',
      8,
    );
    this.#update = db.prepare(
      `UPDATE mirrored_keys SET collection = @collection, reference = @reference, type = @type, bytes = @bytes,
         updated_at = @updatedAt, scan = @scan WHERE row = @row`,
    );
    this.#stamp = db.prepare('UPDATE mirrored_keys SET scan = ? WHERE row = ?');
    this.#delete = db.prepare('DELETE FROM mirrored_keys WHERE row = ?');
    this.#clear = db.prepare('DELETE FROM mirrored_keys');
    this.#maxRow = db.prepare<[], number | null>('SELECT max(row) FROM mirrored_keys').pluck();
    this.#nextRow = this.#afterLastRow();
  }

  byId(id: string): StoredKey | undefined {
    return this.#byId.get(id);
  }

  byRow(row: number): StoredKey | undefined {
    return this.#byRow.get(row);
  }

  /** Returns up to `limit` keys of a collection in the order of ids, from one end or from an id on. */
  page(
    collection: number,
    { id, isIncluded, order }: { id: string | null; isIncluded: boolean; order: 'asc' | 'desc' },
    limit: number,
  ): StoredKey[] {
    if (order === 'asc') {
      const rows = isIncluded || id === null ? this.#from : this.#after;
      return rows.all(collection, id ?? '', limit);
    }
    if (id === null) return this.#last.all(collection, limit);
    return (isIncluded ? this.#upTo : this.#before).all(collection, id, limit);
  }

  /**
   * Returns those of the `limit` keys after a row that no longer have the number of the scan, and the last of the rows;
   * null: there is no key after it.
   */
  notOfScan(scan: number, after: number, limit: number): { keys: StoredKey[]; last: number } | null {
    const last = this.#part.get(after, limit)?.last ?? null;
    return last === null ? null : { keys: this.#notOfScan.all(after, last, scan), last };
  }

  /** Adds a key, which is written by `flush`. Returns its row. */
  insert(key: Omit<StoredKey, 'row'>): number {
    const row = this.#nextRow++;
    this.#inserted.push({ row, ...key });
    return row;
  }

  update(key: StoredKey): void {
    this.#update.run(key);
  }

  /** Records that a scan found the key unchanged. */
  stamp(row: number, scan: number): void {
    this.#stamp.run(scan, row);
  }

  delete(row: number): void {
    this.#delete.run(row);
  }

  clear(): void {
    this.#inserted = [];
    this.#clear.run();
  }

  /** Writes added keys. Call before the transaction commits. */
  flush(): void {
    const values: (string | number | null)[] = [];
    for (const { row, collection, id, reference, type, bytes, updatedAt, scan } of this.#inserted)
      values.push(row, collection, id, reference, type, bytes, updatedAt, scan);
    this.#inserted = [];
    this.#insert.insert(values);
  }

  /** Discards changes that are not written, after a transaction was rolled back. */
  discard(): void {
    this.#inserted = [];
    this.#nextRow = this.#afterLastRow();
  }

  #afterLastRow(): number {
    return (this.#maxRow.get() ?? 0) + 1;
  }
}
