import type { Database, Statement } from 'better-sqlite3';
import { COUNT_LEVELS, SECOND } from './count-levels.ts';
import type { Entry } from './index-entry.ts';
import { IndexTableReader } from './index-table-reader.ts';
import { ManyRows } from './multi-row-insert.ts';
import { type CountChange, PendingCounts } from './pending-counts.ts';
import { preparedOnUse } from './prepared-on-use.ts';

/** Creates the index table of a number. */
export function createIndexTable(db: Database, number: number): void {
  db.exec(`
    CREATE TABLE entries_${number} (
      reference INTEGER NOT NULL, row INTEGER NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY (reference, row)
    ) WITHOUT ROWID;
    CREATE TABLE counts_${number} (
      level INTEGER NOT NULL, bucket INTEGER NOT NULL, documents INTEGER NOT NULL, bytes INTEGER NOT NULL,
      PRIMARY KEY (level, bucket)
    ) WITHOUT ROWID;
  `);
}

export function emptyIndexTable(db: Database, table: number): void {
  db.exec(`DELETE FROM entries_${table}; DELETE FROM counts_${table};`);
}

export function dropIndexTable(db: Database, table: number): void {
  db.exec(`DROP TABLE entries_${table}; DROP TABLE counts_${table};`);
}

/** Returns statements that delete up to the given number of rows: one for entries, one for counts. */
export function prepareDeleteSomeOfIndexTable(db: Database, table: number): Statement<[number]>[] {
  return [
    db.prepare(`DELETE FROM entries_${table} LIMIT ?`),
    db.prepare(`DELETE FROM counts_${table} LIMIT ?`),
  ];
}

/** Reads and writes one index table, on the writer's connection. */
export class IndexTable extends IndexTableReader {
  readonly #insert: () => ManyRows;
  readonly #delete: () => Statement<[number, number]>;
  readonly #cut: () => Statement<[number, number]>;
  readonly #count: () => ManyRows;
  readonly #dropEmpty: () => Statement<[number, number]>;
  readonly #dropBelow: () => Statement<[number, number]>;
  readonly #any: () => Statement<[], unknown>;
  readonly #pending = new PendingCounts();

  constructor(db: Database, number: number) {
    super(db, number);
    this.#any = preparedOnUse(() => db.prepare(`SELECT 1 FROM entries_${number} LIMIT 1`));
    this.#insert = preparedOnUse(() => new ManyRows(db, `entries_${number}`, 3));
    this.#delete = preparedOnUse(() =>
      db.prepare(`DELETE FROM entries_${number} WHERE reference = ? AND row = ?`),
    );
    this.#cut = preparedOnUse(() =>
      db.prepare(`DELETE FROM entries_${number} WHERE reference >= 0 AND (reference, row) <= (?, ?)`),
    );
    this.#count = preparedOnUse(
      () =>
        new ManyRows(
          db,
          `counts_${number}`,
          4,
          'ON CONFLICT DO UPDATE SET documents = documents + excluded.documents, bytes = bytes + excluded.bytes',
        ),
    );
    this.#dropEmpty = preparedOnUse(() =>
      db.prepare(`DELETE FROM counts_${number} WHERE level = ? AND bucket = ? AND documents = 0`),
    );
    this.#dropBelow = preparedOnUse(() =>
      db.prepare(`DELETE FROM counts_${number} WHERE level = ? AND bucket >= 0 AND bucket < ?`),
    );
  }

  /** Returns whether it has no entries. */
  isEmpty(): boolean {
    return this.#any().get() === undefined;
  }

  add(reference: number, row: number, bytes: number): void {
    this.#insert().insert([reference, row, bytes]);
    this.#pending.change(reference, 1, bytes);
  }

  /** Adds entries in sorted order, so that each page of the table is visited once. */
  addAll(entries: Entry[]): void {
    entries.sort((a, b) => a.reference - b.reference || a.row - b.row);
    const values: number[] = [];
    for (const { reference, row, bytes } of entries) {
      values.push(reference, row, bytes);
      this.#pending.change(reference, 1, bytes);
    }
    this.#insert().insert(values);
  }

  remove(reference: number, row: number, bytes: number): void {
    if (this.#delete().run(reference, row).changes === 1) this.#pending.change(reference, -1, -bytes);
  }

  /**
   * Removes every entry up to and including the last one of `removed`, which must be exactly those. Since no entry is
   * left below, the counts below are deleted as a range, and only the counts of the last second are updated.
   */
  cut(removed: readonly Entry[]): void {
    const last = removed.at(-1);
    if (last === undefined) return;
    // Pending counts belong to buckets that are deleted next.
    this.flushCounts();
    this.#cut().run(last.reference, last.row);
    for (let level = 0; level < COUNT_LEVELS.length; level++) {
      const width = COUNT_LEVELS[level] ?? SECOND;
      const bucket = Math.floor(last.reference / width);
      this.#dropBelow().run(level, bucket);
      let documents = 0;
      let bytes = 0;
      for (let i = removed.length - 1; i >= 0; i--) {
        const entry = removed[i];
        if (entry === undefined || entry.reference < bucket * width) break;
        documents += 1;
        bytes += entry.bytes;
      }
      this.#applyCount(level, bucket, -documents, -bytes);
    }
  }

  /** Writes the collected counts. Call before the transaction commits. */
  flushCounts(): void {
    const counts = this.#pending.take();
    if (counts.length > 0) this.#applyCounts(counts);
  }

  #applyCount(level: number, bucket: number, documents: number, bytes: number): void {
    this.#applyCounts([{ level, bucket, documents, bytes }]);
  }

  #applyCounts(counts: readonly CountChange[]): void {
    const values: number[] = [];
    for (const { level, bucket, documents, bytes } of counts)
      if (documents !== 0 || bytes !== 0) values.push(level, bucket, documents, bytes);
    this.#count().insert(values);
    for (const { level, bucket, documents } of counts)
      if (documents < 0) this.#dropEmpty().run(level, bucket);
  }
}
