import { type Entry, merged } from '../../../deadline-index/index-entry.ts';
import type { IndexTable } from '../../../deadline-index/index-table.ts';
import { preparedOnUse } from '../../../deadline-index/prepared-on-use.ts';
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
  readonly #table: IndexTable;
  readonly #due: Statement<[from: number, through: number, limit: number], Row>;
  readonly #late: () => Statement<[through: number, limit: number], Row>;
  readonly #isExplicit: boolean;

  /** `isExplicit`: the table of explicit expirations, each of which may have its own action. */
  constructor(
    db: Database,
    { table, collection, isExplicit }: { table: IndexTable; collection: number; isExplicit: boolean },
  ) {
    this.#isExplicit = isExplicit;
    this.#table = table;
    // CROSS JOIN fixes the order: scan the index table, look up each row.
    const due = (from: string, where: string) =>
      `SELECT e.reference, e.row, e.bytes, d.id, d.updated_at, d.explicit_at,
              ${isExplicit ? 'd.explicit_action' : 'NULL'}
       FROM ${from} AS e CROSS JOIN documents_${collection} AS d ON d.row = e.row
       WHERE ${where} AND e.reference <= ? ORDER BY e.reference, e.row LIMIT ?`;
    this.#due = db
      .prepare<[number, number, number], Row>(due(`entries_${table.number}`, 'e.reference >= ?'))
      .raw();
    this.#late = preparedOnUse(() =>
      db.prepare<[number, number], Row>(due('late_entries', `e.index_table = ${table.number}`)).raw(),
    );
  }

  /** Returns up to `limit` entries with a reference time up to and including `reference`, earliest first. */
  upTo(reference: number, limit: number): DueEntry[] {
    const isExplicit = this.#isExplicit;
    const { through, mayHaveLate } = this.#table;
    const toDue = ([at, row, bytes, id, updatedAt, explicitAt, action]: Row): DueEntry => ({
      reference: at,
      row,
      bytes,
      id,
      updatedAt,
      isDeleted: action === null,
      isStale: explicitAt !== (isExplicit ? at : null),
    });
    const due = this.#due.all(through + 1, reference, limit).map(toDue);
    if (!mayHaveLate) return due;
    return merged(this.#late().all(reference, limit).map(toDue), due, limit);
  }
}
