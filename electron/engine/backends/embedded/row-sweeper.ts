import type { Database, Statement } from './database.ts';

/** A row whose removal is committed, and whose bytes are still to be freed. */
export interface Tombstone {
  seq: number;
  collection: number;
  row: number;
  id: string;
  /** Until when it can be restored; 0: not at all, and so it is not copied. */
  keepUntil: number;
}

/** What was there, with its size as it is stored. */
export type Kept = [body: string, bytes: number];

/** Frees rows and keys of one collection, of one that was dropped and may come back, too. */
export class RowSweeper {
  readonly #read: Statement<[number], Kept>;
  readonly #deleteRow: Statement<[number]>;
  readonly #deleteKey: Statement<[string, number]>;

  constructor(db: Database, collection: number) {
    this.#read = db
      .prepare<[number], Kept>(`SELECT body, octet_length(body) FROM documents_${collection} WHERE row = ?`)
      .raw();
    this.#deleteRow = db.prepare(`DELETE FROM documents_${collection} WHERE row = ?`);
    this.#deleteKey = db.prepare(`DELETE FROM keys_${collection} WHERE id = ? AND row = ?`);
  }

  /** Null: a round that was cut short has freed it already. */
  read(row: number): Kept | null {
    return this.#read.get(row) ?? null;
  }

  freeRow(row: number): void {
    this.#deleteRow.run(row);
  }

  freeKey(id: string, row: number): void {
    this.#deleteKey.run(id, row);
  }
}
