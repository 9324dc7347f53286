import type { Database, Statement } from 'better-sqlite3';
import { preparedOnUse } from './prepared-on-use.ts';

/** Two tables that hold one index table, or many that are distinguished by the number in their first column. */
export interface IndexTableLocation {
  readonly entries: string;
  readonly counts: string;
  /** Name of that first column; null: the tables hold one index table. */
  readonly numberColumn: string | null;
  /** Level of the counts by second, those of wider spans follow; absent: 0. */
  readonly firstLevel?: number;
  /** Statements of the first reference time from their parameter on, and of the last one; absent: by the order of the entries. */
  readonly first?: string;
  readonly last?: string;
}

/** Returns the tables `entries_N` and `counts_N`. */
export function ownTables(number: number): IndexTableLocation {
  return { entries: `entries_${number}`, counts: `counts_${number}`, numberColumn: null };
}

/** Parameters after the number of the index table, which is the first parameter for shared tables. */
type Numbers = number[];

/** The statements that read index tables at one location, each prepared at its first use. */
export class IndexTableStatements {
  readonly isShared: boolean;
  readonly first: () => Statement<Numbers, number>;
  readonly last: () => Statement<Numbers, number>;
  readonly sum: () => Statement<Numbers, [documents: number | null, bytes: number | null]>;
  /** Up to a number of entries. */
  readonly scan: () => Statement<Numbers, [documents: number, bytes: number | null]>;
  readonly buckets: () => Statement<Numbers, [bucket: number, documents: number, bytes: number]>;
  readonly fullest: () => Statement<Numbers, [bucket: number, documents: number]>;
  readonly entries: () => Statement<Numbers, [reference: number, row: number, bytes: number]>;
  readonly entriesBack: () => Statement<Numbers, [reference: number, row: number, bytes: number]>;
  readonly bytes: () => Statement<Numbers, number>;
  /** Counts without bytes: a histogram reads some of these for each bucket. */
  readonly sumOfDocuments: () => Statement<Numbers, number | null>;
  readonly scanOfDocuments: () => Statement<Numbers, number>;
  /** Up to a number of entries; takes half as long again. */
  readonly scanUpTo: () => Statement<Numbers, number>;
  readonly listed: () => Statement<Numbers, [buckets: string | null, documents: string | null]>;

  constructor(
    db: Database,
    { entries, counts, numberColumn, firstLevel = 0, first, last }: IndexTableLocation,
  ) {
    this.isShared = numberColumn !== null;
    const where = numberColumn === null ? 'WHERE' : `WHERE ${numberColumn} = ? AND`;
    const levels = `FROM ${counts} ${where} level = ?${firstLevel === 0 ? '' : ` + ${firstLevel}`} AND bucket >= ? AND bucket < ?`;
    const value = <Value = number>(sql: string) =>
      preparedOnUse(() => db.prepare<Numbers, Value>(sql).pluck());
    const rows = <Row>(sql: string) => preparedOnUse(() => db.prepare<Numbers, Row>(sql).raw());
    this.first = value(
      first ?? `SELECT reference FROM ${entries} ${where} reference >= ? ORDER BY reference LIMIT 1`,
    );
    this.last = value(
      last ?? `SELECT reference FROM ${entries} ${where} reference >= 0 ORDER BY reference DESC LIMIT 1`,
    );
    this.sum = rows(`SELECT sum(documents), sum(bytes) ${levels}`);
    this.scan = rows(
      `SELECT count(*), sum(bytes) FROM
         (SELECT bytes FROM ${entries} ${where} reference >= ? AND reference < ? LIMIT ?)`,
    );
    this.buckets = rows(`SELECT bucket, documents, bytes ${levels} ORDER BY bucket`);
    this.fullest = rows(
      `SELECT bucket, documents ${levels} AND documents >= ? ORDER BY documents DESC LIMIT 100`,
    );
    // One bound on each side: with two, SQLite starts at the looser one and reads every entry before the page.
    this.entries = rows(
      `SELECT reference, row, bytes FROM ${entries}
       ${where} (reference, row) > (?, ?) AND reference < ? ORDER BY reference, row LIMIT ?`,
    );
    this.entriesBack = rows(
      `SELECT reference, row, bytes FROM ${entries}
       ${where} (reference, row) < (?, ?) AND reference >= ? ORDER BY reference DESC, row DESC LIMIT ?`,
    );
    this.bytes = value(`SELECT bytes FROM ${entries} ${where} reference = ? AND row = ?`);
    this.sumOfDocuments = value<number | null>(`SELECT sum(documents) ${levels}`);
    this.scanOfDocuments = value(`SELECT count(*) FROM ${entries} ${where} reference >= ? AND reference < ?`);
    this.scanUpTo = value(
      `SELECT count(*) FROM (SELECT 1 FROM ${entries} ${where} reference >= ? AND reference < ? LIMIT ?)`,
    );
    this.listed = rows(`SELECT group_concat(bucket), group_concat(documents) ${levels}`);
  }
}
