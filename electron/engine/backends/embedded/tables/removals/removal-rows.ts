import type { Database, Statement } from 'better-sqlite3';
import type { LoggedDocument } from '../../../backend.ts';
import { unpackDeletions } from './packed-removals.ts';

/** A row of `removals`, which has the removals with the numbers from `seq` to `seq + documents - 1`. */
export interface RemovalRow {
  readonly seq: number;
  readonly documents: number;
  readonly revision: number;
  readonly collection: number;
  readonly id: string;
  readonly deadline: number;
  readonly packed: string | null;
}

/** Finds the rows of `removals` that have removals of given numbers. */
export class RemovalRows {
  readonly #upTo: Statement<[number], RemovalRow>;

  constructor(db: Database) {
    this.#upTo = db.prepare(
      `SELECT seq, documents, revision, collection, id, deadline, packed FROM removals
       WHERE seq <= ? ORDER BY seq DESC LIMIT 1`,
    );
  }

  /** Returns the row that has a removal; null if there is none. */
  of(seq: number): RemovalRow | null {
    const row = this.#upTo.get(seq);
    return row !== undefined && seq < row.seq + row.documents ? row : null;
  }

  /** Returns the rows that have some of these removals, each once, with the numbers of each in their order. */
  all(seqs: readonly number[]): { row: RemovalRow; seqs: readonly number[] }[] {
    const found = new Map<number, { row: RemovalRow; seqs: number[] }>();
    let last: { row: RemovalRow; seqs: number[] } | undefined;
    for (const seq of seqs) {
      if (last === undefined || seq < last.row.seq || seq >= last.row.seq + last.row.documents) {
        const row = this.of(seq);
        if (row === null) continue;
        last = found.get(row.seq) ?? { row, seqs: [] };
        found.set(row.seq, last);
      }
      last.seqs.push(seq);
    }
    return [...found.values()];
  }
}

/** Returns the documents that a row has of these removals; none for those that are erased. */
export function documentsOf(
  { seq, collection, revision, id, packed, deadline }: RemovalRow,
  seqs: readonly number[],
): LoggedDocument[] {
  if (packed === null) return [{ collection, revision, _id: id }];
  const deletions = unpackDeletions(packed, deadline);
  return seqs.flatMap(one => {
    const deletion = deletions[one - seq];
    return deletion ? [{ collection, revision, _id: deletion.id }] : [];
  });
}
