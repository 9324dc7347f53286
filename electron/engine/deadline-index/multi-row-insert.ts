import type { Database, Statement } from 'better-sqlite3';

type SqlValue = number | string | null;

/** Rows per call: with more, the rows cost more than the calls, so little is saved. */
const ROWS_A_CALL = 32;

/** An INSERT of many rows in few calls: a call from JavaScript into SQLite costs as much as the row itself. */
export class ManyRows {
  readonly #db: Database;
  readonly #sql: (rows: number) => string;
  readonly #width: number;
  readonly #one: Statement<[SqlValue[]]>;
  /** Prepared when first needed: most transactions are small. */
  #many: Statement<[SqlValue[]]> | null = null;

  /**
   * `into` is the table, with a list of columns unless it is all of them; `onConflict` is the clause after the values.
   */
  constructor(db: Database, into: string, width: number, onConflict = '') {
    const row = `(${Array.from({ length: width }, () => '?').join(', ')})`;
    this.#db = db;
    this.#width = width;
    this.#sql = rows =>
      `INSERT INTO ${into} VALUES ${Array.from({ length: rows }, () => row).join(', ')} ${onConflict}`;
    this.#one = db.prepare<[SqlValue[]]>(this.#sql(1));
  }

  /** Inserts rows; `values` has the values of all rows, one row after another. Returns the number of changed rows. */
  insert(values: readonly SqlValue[]): number {
    let changes = 0;
    let next = 0;
    const span = ROWS_A_CALL * this.#width;
    if (values.length >= span) {
      this.#many ??= this.#db.prepare<[SqlValue[]]>(this.#sql(ROWS_A_CALL));
      for (; next + span <= values.length; next += span)
        changes += this.#many.run(values.slice(next, next + span)).changes;
    }
    for (; next < values.length; next += this.#width)
      changes += this.#one.run(values.slice(next, next + this.#width)).changes;
    return changes;
  }
}
