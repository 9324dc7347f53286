import type { Database, Statement } from 'better-sqlite3';
import { type StoredBody, storedBody } from '../documents/stored-json.ts';

/** A row of `retained`: copies of the removals from `seq` on; without lengths, of that one. */
export interface CopyRow {
  readonly seq: number;
  /** JSON array of bytes; 0: there is no copy. */
  readonly lengths: string | null;
  readonly bytes: number;
}

/** Returns the bytes of each copy of a row, in order. */
export function lengthsOf({ lengths, bytes }: CopyRow): number[] {
  if (lengths === null) return [bytes];
  const all: number[] = JSON.parse(lengths);
  return all;
}

/** Reads restorable copies (retained-copies.ts), on any connection. */
export class CopyReader {
  readonly #between: Statement<[from: number, from: number, to: number], CopyRow>;
  readonly #part: Statement<[from: number, bytes: number, seq: number], Buffer>;

  constructor(db: Database) {
    this.#between = db.prepare(
      // The row before may have several, up to and beyond the first that is wanted.
      `SELECT seq, lengths, octet_length(body) AS bytes FROM retained
       WHERE seq >= coalesce((SELECT max(seq) FROM retained WHERE seq <= ?), ?) AND seq < ?`,
    );
    this.#part = db
      .prepare<[number, number, number], Buffer>(
        'SELECT substr(CAST(body AS BLOB), ?, ?) FROM retained WHERE seq = ?',
      )
      .pluck();
  }

  /** Returns the bytes of the copies of removals from one number up to, but without, another. */
  bytesBetween(from: number, to: number): ReadonlyMap<number, number> {
    const found = new Map<number, number>();
    for (const row of this.#between.iterate(from, from, to))
      for (const [i, bytes] of lengthsOf(row).entries())
        if (bytes > 0 && row.seq + i >= from && row.seq + i < to) found.set(row.seq + i, bytes);
    return found;
  }

  /** Returns the text of a copy; null if there is none, or its row has not been swept yet. */
  body(seq: number): StoredBody | null {
    for (const row of this.#between.all(seq, seq, seq + 1)) {
      const lengths = lengthsOf(row);
      const bytes = lengths[seq - row.seq] ?? 0;
      if (bytes === 0) continue;
      const start = lengths.slice(0, seq - row.seq).reduce((sum, one) => sum + one, 0);
      return storedBody(this.#part.get(start + 1, bytes, row.seq)?.toString('utf8') ?? '');
    }
    return null;
  }
}
