import type { Database, Statement } from './database.ts';
import { endsOf } from './retained.ts';

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
 * copied first [X4].
 */
export class RowSweeper {
  readonly #copy: Statement<[number, number, number], number>;
  readonly #deleteRow: Statement<[number]>;
  readonly #deleteKey: Statement<[string, number]>;

  constructor(db: Database, collection: number) {
    // What the log says now decides: it may have been restored or purged since this round began.
    this.#copy = db
      .prepare<[number, number, number], number>(
        `INSERT INTO retained (seq, ends, body)
         SELECT r.seq, ${endsOf('r.keep_until')}, d.body
         FROM removals AS r CROSS JOIN documents_${collection} AS d ON d.row = r.row
         WHERE r.seq = ? AND r.keep_until > ? AND NOT EXISTS (SELECT 1 FROM retained WHERE seq = ?)
         RETURNING octet_length(body)`,
      )
      .pluck();
    this.#deleteRow = db.prepare(`DELETE FROM documents_${collection} WHERE row = ?`);
    this.#deleteKey = db.prepare(`DELETE FROM keys_${collection} WHERE id = ? AND row = ?`);
  }

  /** Answers the bytes it kept a copy of. */
  copy(seq: number, now: number): number {
    return this.#copy.get(seq, now, seq) ?? 0;
  }

  freeRow(row: number): void {
    this.#deleteRow.run(row);
  }

  freeKey(id: string, row: number): void {
    this.#deleteKey.run(id, row);
  }
}
