import type { Database, Statement } from 'better-sqlite3';
import { type StoredBody, storedBody } from '../documents/stored-json.ts';
import { parseStored } from './packed-removals.ts';

/** A row of `retained`: copies of the removals from `seq` on. */
export interface CopyRow {
  readonly seq: number;
  /** Bytes of each copy; 0: there is none. */
  readonly lengths: readonly number[];
}

/** A row as it is stored: without lengths it has one copy. */
export interface StoredCopyRow {
  readonly seq: number;
  /** JSON array of bytes. */
  readonly lengths: string | null;
  readonly bytes: number;
}

/** Columns of StoredCopyRow. */
export const COPY_COLUMNS = 'seq, lengths, octet_length(body) AS bytes';

/** Returns the bytes of each copy of a row, in order. */
export function lengthsOf({ lengths, bytes }: StoredCopyRow): number[] {
  if (lengths === null) return [bytes];
  return parseStored<number[]>(lengths);
}

/** Reads restorable copies (retained-copies.ts), on any connection. */
export class CopyReader {
  readonly #upTo: Statement<[number], StoredCopyRow>;
  readonly #part: Statement<[from: number, bytes: number, seq: number], Buffer>;

  constructor(db: Database) {
    this.#upTo = db.prepare(`SELECT ${COPY_COLUMNS} FROM retained WHERE seq <= ? ORDER BY seq DESC LIMIT 1`);
    this.#part = db
      .prepare<[number, number, number], Buffer>(
        'SELECT substr(CAST(body AS BLOB), ?, ?) FROM retained WHERE seq = ?',
      )
      .pluck();
  }

  /**
   * Returns the rows that have copies of some removals, each once, with the places of these copies in it. One seek for
   * each row.
   */
  rowsOf(seqs: readonly number[]): { row: CopyRow; places: number[] }[] {
    const found: { row: CopyRow; places: number[] }[] = [];
    let last: { row: CopyRow; places: number[] } | undefined;
    for (const seq of seqs.toSorted((a, b) => a - b)) {
      if (last === undefined || seq >= last.row.seq + last.row.lengths.length) {
        const stored = this.#upTo.get(seq);
        if (stored === undefined) continue;
        const row = { seq: stored.seq, lengths: lengthsOf(stored) };
        last = { row, places: [] };
      }
      const place = seq - last.row.seq;
      if ((last.row.lengths[place] ?? 0) === 0) continue;
      if (last.places.length === 0) found.push(last);
      last.places.push(place);
    }
    return found;
  }

  /** Returns the bytes of the copies of some removals: those that have one. */
  bytesOf(seqs: readonly number[]): ReadonlyMap<number, number> {
    const found = new Map<number, number>();
    for (const { row, places } of this.rowsOf(seqs))
      for (const place of places) found.set(row.seq + place, row.lengths[place] ?? 0);
    return found;
  }

  /** Returns the text of a copy; null if there is none, or its row has not been swept yet. */
  body(seq: number): StoredBody | null {
    const [found] = this.rowsOf([seq]);
    if (found === undefined) return null;
    const { row } = found;
    const start = row.lengths.slice(0, seq - row.seq).reduce((sum, one) => sum + one, 0);
    return storedBody(
      this.#part.get(start + 1, row.lengths[seq - row.seq] ?? 0, row.seq)?.toString('utf8') ?? '',
    );
  }
}
