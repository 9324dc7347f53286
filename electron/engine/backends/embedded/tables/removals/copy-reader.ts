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
  readonly #upTo: Statement<[number], CopyRow>;
  readonly #part: Statement<[from: number, bytes: number, seq: number], Buffer>;

  constructor(db: Database) {
    this.#upTo = db.prepare(
      'SELECT seq, lengths, octet_length(body) AS bytes FROM retained WHERE seq <= ? ORDER BY seq DESC LIMIT 1',
    );
    this.#part = db
      .prepare<[number, number, number], Buffer>(
        'SELECT substr(CAST(body AS BLOB), ?, ?) FROM retained WHERE seq = ?',
      )
      .pluck();
  }

  /** Returns the bytes of the copies of some removals: those that have one. One seek for each row that has some of them. */
  bytesOf(seqs: readonly number[]): ReadonlyMap<number, number> {
    const found = new Map<number, number>();
    let row: CopyRow | undefined;
    let lengths: number[] = [];
    for (const seq of seqs.toSorted((a, b) => a - b)) {
      if (row === undefined || seq >= row.seq + lengths.length) {
        row = this.#upTo.get(seq);
        lengths = row === undefined ? [] : lengthsOf(row);
      }
      const bytes = row === undefined ? 0 : (lengths[seq - row.seq] ?? 0);
      if (bytes > 0) found.set(seq, bytes);
    }
    return found;
  }

  /** Returns the text of a copy; null if there is none, or its row has not been swept yet. */
  body(seq: number): StoredBody | null {
    const row = this.#upTo.get(seq);
    if (row === undefined) return null;
    const lengths = lengthsOf(row);
    const bytes = lengths[seq - row.seq] ?? 0;
    if (bytes === 0) return null;
    const start = lengths.slice(0, seq - row.seq).reduce((sum, one) => sum + one, 0);
    return storedBody(this.#part.get(start + 1, bytes, row.seq)?.toString('utf8') ?? '');
  }
}
