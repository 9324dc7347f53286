import { parseJson } from '../../../../../../shared/model/json/json.ts';
import type { Database, Statement } from '../../file/database.ts';
import { ROW, type StoredRow } from '../../tables/documents/stored-row.ts';
import { documentsByField, isPlainField, SEPARATOR } from './preview-fields.ts';
import type { RuleInputs } from './preview-rules.ts';

const FIRST_ROWS = 64;
const MAX_ROWS = 1_024;
/** Target size of a slice: below the size from which memory is allocated page by page, which takes a third longer. */
const SLICE_BYTES = 96 * 1_024;
/** Larger documents are read one by one. */
const LARGEST_IN_SLICE = 8 * 1_024;

/** Consecutive rows. */
export interface Slice {
  readonly length: number;
  rowAt(i: number): number;
  /** JSON size of each row. */
  readonly bytes: readonly number[];
  /** Null if the document has an explicit expiration or is too large; it must be read on its own. */
  readonly documents: readonly unknown[];
  /** Empty if not needed. */
  readonly updatedAt: readonly number[];
}

type SliceColumns = [documents: string | null, bytes: string | null, updatedAt: string | null];

/**
 * Reads a collection's documents in slices: SQLite concatenates them, and they are parsed as one list. Reading and
 * parsing them one by one takes four times as long, most of it between them.
 */
export class DocumentSlices {
  readonly #field: string | null;
  readonly #longIntegers: boolean;
  readonly #last: Statement<[after: number, skipped: number], number>;
  readonly #largestRow: Statement<[], number | null>;
  readonly #slice: Statement<[after: number, last: number], SliceColumns>;
  readonly #rows: Statement<[after: number, last: number], string>;
  readonly #read: Statement<[row: number], StoredRow>;
  #after = 0;
  #rowsAtOnce = FIRST_ROWS;

  constructor(db: Database, collection: number, inputs: RuleInputs) {
    const table = `documents_${collection}`;
    const body = inputs.document ? 'body' : `'{}'`;
    this.#field = inputs.field !== null && isPlainField(inputs.field) ? inputs.field : null;
    this.#longIntegers = inputs.longIntegers;
    const [missing, separator] = this.#field === null ? ['null', ','] : ['', SEPARATOR];
    this.#last = db
      .prepare<[number, number], number>(
        `SELECT row FROM ${table} WHERE row > ? ORDER BY row LIMIT 1 OFFSET ?`,
      )
      .pluck();
    this.#largestRow = db.prepare<[], number | null>(`SELECT max(row) FROM ${table}`).pluck();
    this.#slice = db
      .prepare<[number, number], SliceColumns>(
        `SELECT
           group_concat(
             iif(explicit_at IS NULL AND octet_length(body) <= ${LARGEST_IN_SLICE}, ${body}, '${missing}'),
             '${separator}'
           ),
           group_concat(octet_length(body)),
           ${inputs.updatedAt ? 'group_concat(updated_at)' : 'NULL'}
         FROM ${table} WHERE row > ? AND row <= ?`,
      )
      .raw();
    this.#rows = db
      .prepare<[number, number], string>(`SELECT group_concat(row) FROM ${table} WHERE row > ? AND row <= ?`)
      .pluck();
    this.#read = db.prepare<[number], StoredRow>(`SELECT ${ROW} FROM ${table} WHERE row = ?`);
  }

  /** Returns null after the last one. */
  next(): Slice | null {
    const after = this.#after;
    const last = this.#last.get(after, this.#rowsAtOnce - 1) ?? this.#largestRow.get() ?? 0;
    if (last <= after) return null;
    this.#after = last;
    const columns = this.#slice.get(after, last);
    const bytes = numbers(columns?.[1]);
    const { length } = bytes;
    this.#rowsAtOnce = rowsFor(bytes);
    const rows = last - after === length ? null : numbers(this.#rows.get(after, last));
    return {
      length,
      rowAt: i => rows?.[i] ?? after + 1 + i,
      bytes,
      documents: this.#parse(columns?.[0] ?? ''),
      updatedAt: numbers(columns?.[2]),
    };
  }

  /** Reads a single row; null if there is none. */
  read(row: number): StoredRow | null {
    return this.#read.get(row) ?? null;
  }

  #parse(list: string): unknown[] {
    if (this.#field !== null) return documentsByField(list, this.#field);
    return (this.#longIntegers ? parseJson(`[${list}]`) : JSON.parse(`[${list}]`)) as unknown[];
  }
}

function numbers(list: string | null | undefined): number[] {
  return JSON.parse(`[${list ?? ''}]`) as number[];
}

/** Returns how many rows should fit, from the sizes of the last slice. */
function rowsFor(bytes: readonly number[]): number {
  let sum = 1;
  for (const size of bytes) sum += Math.min(size, LARGEST_IN_SLICE);
  return Math.max(1, Math.min(MAX_ROWS, Math.floor((SLICE_BYTES * bytes.length) / sum)));
}
