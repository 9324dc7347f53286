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

/**
 * Frees rows and keys of one collection, of one that was dropped and may come back, too. What can be restored is
 * copied on the way [X4].
 */
export class RowSweeper {
  readonly #copy: Statement<[number, number], number>;
  readonly #deleteRow: Statement<[number]>;
  readonly #deleteKey: Statement<[string, number]>;

  constructor(db: Database, collection: number) {
    // What the log says now decides: it may have been restored or purged since this round began.
    this.#copy = db
      .prepare<[number, number], number>(
        `INSERT INTO retained (seq, keep_until, body)
         SELECT r.seq, r.keep_until, d.body FROM removals AS r CROSS JOIN documents_${collection} AS d ON d.row = r.row
         WHERE r.seq = ? AND r.keep_until > ?
         RETURNING octet_length(body)`,
      )
      .pluck();
    this.#deleteRow = db.prepare(`DELETE FROM documents_${collection} WHERE row = ?`);
    this.#deleteKey = db.prepare(`DELETE FROM keys_${collection} WHERE id = ? AND row = ?`);
  }

  /** Answers the bytes it kept a copy of. */
  freeRow({ seq, row, keepUntil }: Tombstone, now: number): number {
    const kept = keepUntil > now ? (this.#copy.get(seq, now) ?? 0) : 0;
    this.#deleteRow.run(row);
    return kept;
  }

  freeKey({ id, row }: Tombstone): void {
    this.#deleteKey.run(id, row);
  }
}
