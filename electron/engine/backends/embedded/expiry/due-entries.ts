import type { Database, Statement } from '../file/database.ts';
import type { Entry } from '../tables/side-entry.ts';
import type { StoredAction } from '../tables/stored-json.ts';

export interface DueEntry extends Entry {
  id: string;
  updatedAt: number;
  /** Nothing more than this entry and its record is needed: it is deleted. */
  isDeleted: boolean;
  /** The document says otherwise: it has another explicit expiration, or one that outranks this index. It must not go [A6, E1]. */
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

/** The entries of one side table that are due, with what their removal records. */
export class DueEntries {
  readonly #due: Statement<[number, number], Row>;
  readonly #isExplicit: boolean;

  /** Of explicit expirations each may have an action of its own. */
  constructor(db: Database, table: number, collection: number, isExplicit = false) {
    this.#isExplicit = isExplicit;
    // CROSS JOIN fixes the order: walk the side table, look each row up.
    this.#due = db
      .prepare<[number, number], Row>(
        `SELECT e.reference, e.row, e.bytes, d.id, d.updated_at, d.explicit_at,
                ${isExplicit ? 'd.explicit_action' : 'NULL'}
         FROM entries_${table} AS e CROSS JOIN documents_${collection} AS d ON d.row = e.row
         WHERE e.reference >= 0 AND e.reference <= ? ORDER BY e.reference, e.row LIMIT ?`,
      )
      .raw();
  }

  /** Up to `limit` entries with a reference time up to and including `reference`, earliest first. */
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
