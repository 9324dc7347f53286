import type { Entry } from '../../../deadline-index/index-entry.ts';
import type { Database, Statement } from '../file/database.ts';
import type { StoredAction } from '../tables/documents/stored-json.ts';

export interface DueEntry extends Entry {
  id: string;
  updatedAt: number;
  /** True if removal needs only this entry and its record: the document is deleted. */
  isDeleted: boolean;
  /**
   * True if the document has another explicit expiration, or one that outranks this index. It must not be removed [A6,
   * E1].
   */
  isStale: boolean;
}

type Row = [
  reference: number,
  row: number,
  bytes: number,
  id: string,
  updatedAt: number,
  explicitAt: number | null,
  explicitAction: StoredAction | null,
];

/** Due entries of one index table, with what their removal records. */
export class DueEntries {
  readonly #due: Statement<[number, number], Row>;
  readonly #isExplicit: boolean;

  /** `isExplicit`: the table of explicit expirations, each of which may have its own action. */
  constructor(
    db: Database,
    { table, collection, isExplicit }: { table: number; collection: number; isExplicit: boolean },
  ) {
    this.#isExplicit = isExplicit;
    // CROSS JOIN fixes the order: scan the index table, look up each row.
    this.#due = db
      .prepare<[number, number], Row>(
        `SELECT e.reference, e.row, e.bytes, d.id, d.updated_at, d.explicit_at,
                ${isExplicit ? 'd.explicit_action' : 'NULL'}
         FROM entries_${table} AS e CROSS JOIN documents_${collection} AS d ON d.row = e.row
         WHERE e.reference >= 0 AND e.reference <= ? ORDER BY e.reference, e.row LIMIT ?`,
      )
      .raw();
  }

  /** Returns up to `limit` entries with a reference time up to and including `reference`, earliest first. */
  upTo(reference: number, limit: number): DueEntry[] {
    const isExplicit = this.#isExplicit;
    return this.#due.all(reference, limit).map(([at, row, bytes, id, updatedAt, explicitAt, action]) => ({
      reference: at,
      row,
      bytes,
      id,
      updatedAt,
      isDeleted: action === null,
      isStale: explicitAt !== (isExplicit ? at : null),
    }));
  }
}
