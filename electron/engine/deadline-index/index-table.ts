import type { Database, Statement } from 'better-sqlite3';
import { COUNT_LEVELS } from './count-levels.ts';
import { FirstEntries } from './first-entries.ts';
import type { Entry } from './index-entry.ts';
import { type CountedThrough, type ExpiredMarks, IndexTableReader } from './index-table-reader.ts';
import { LATE_LEVEL, LateEntries } from './late-entries.ts';
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

/** Deletes the late entries of an index table, and their counts. */
export function deleteLateEntries(db: Database, table: number): void {
  new LateEntries(db, table).deleteAll();
  prepareDropLateCounts(db, table).run();
}

function prepareDropLateCounts(db: Database, table: number): Statement<[]> {
  return db.prepare(`DELETE FROM counts_${table} WHERE level >= ${LATE_LEVEL}`);
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
  readonly #cut: () => Statement<[number, number, number]>;
  readonly #count: () => ManyRows;
  readonly #dropEmpty: () => Statement<[number, number]>;
  readonly #dropBelow: () => Statement<[number, number, number]>;
  readonly #deleteThrough: () => Statement<[number, number]>;
  readonly #nth: () => Statement<[number, number], { reference: number; row: number }>;
  readonly #dropSomeBelow: () => Statement<[number, number, number]>;
  readonly #hasMore: () => Statement<[number, number, number], unknown>;
  readonly #lateEntries: () => LateEntries;
  readonly #firstEntries: () => FirstEntries;
  readonly #dropLateCounts: () => Statement<[]>;
  readonly #any: () => Statement<[], unknown>;
  readonly #pending = new PendingCounts();
  readonly #pendingLate = new PendingCounts();

  constructor(db: Database, number: number, marks: ExpiredMarks | null) {
    super(db, number, marks);
    this.#lateEntries = preparedOnUse(() => new LateEntries(db, number));
    this.#dropLateCounts = preparedOnUse(() => prepareDropLateCounts(db, number));
    this.#firstEntries = preparedOnUse(() => new FirstEntries(db, number));
    this.#hasMore = preparedOnUse(() =>
      db.prepare(`SELECT 1 FROM entries_${number} WHERE reference >= ? AND reference <= ? LIMIT 1 OFFSET ?`),
    );
    this.#any = preparedOnUse(() => db.prepare(`SELECT 1 FROM entries_${number} LIMIT 1`));
    this.#insert = preparedOnUse(() => new ManyRows(db, `entries_${number}`, 3));
    this.#delete = preparedOnUse(() =>
      db.prepare(`DELETE FROM entries_${number} WHERE reference = ? AND row = ?`),
    );
    this.#cut = preparedOnUse(() =>
      db.prepare(`DELETE FROM entries_${number} WHERE reference >= ? AND (reference, row) <= (?, ?)`),
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
      db.prepare(`DELETE FROM counts_${number} WHERE level = ? AND bucket >= ? AND bucket < ?`),
    );
    this.#deleteThrough = preparedOnUse(() =>
      db.prepare(`DELETE FROM entries_${number} WHERE reference >= 0 AND (reference, row) <= (?, ?)`),
    );
    this.#nth = preparedOnUse(() =>
      db.prepare(
        `SELECT reference, row FROM entries_${number} WHERE reference >= 0 AND reference <= ?
         ORDER BY reference, row LIMIT 1 OFFSET ?`,
      ),
    );
    this.#dropSomeBelow = preparedOnUse(() =>
      db.prepare(`DELETE FROM counts_${number} WHERE level = ? AND bucket >= 0 AND bucket < ? LIMIT ?`),
    );
  }

  /** Returns whether it has no entries. */
  isEmpty(): boolean {
    return this.#any().get() === undefined;
  }

  add(reference: number, row: number, bytes: number): void {
    if (this.isLate(reference)) {
      this.#addLate(reference, row, bytes);
      return;
    }
    this.#insert().insert([reference, row, bytes]);
    this.#pending.change(reference, 1, bytes);
  }

  /** Adds entries in sorted order, so that each page of the table is visited once. */
  addAll(entries: Entry[]): void {
    entries.sort((a, b) => a.reference - b.reference || a.row - b.row);
    const values: number[] = [];
    for (const { reference, row, bytes } of entries) {
      if (this.isLate(reference)) {
        this.#addLate(reference, row, bytes);
        continue;
      }
      values.push(reference, row, bytes);
      this.#pending.change(reference, 1, bytes);
    }
    this.#insert().insert(values);
  }

  remove(reference: number, row: number, bytes: number): void {
    if (!this.isLate(reference) && this.#delete().run(reference, row).changes === 1)
      this.#pending.change(reference, -1, -bytes);
    else if (this.mayHaveLate) this.#removeLate(reference, row, bytes);
  }

  #addLate(reference: number, row: number, bytes: number): void {
    this.#lateEntries().add(reference, row, bytes);
    this.#pendingLate.change(reference, 1, bytes);
  }

  /** Returns whether there was such an entry. */
  #removeLate(reference: number, row: number, bytes: number): boolean {
    const isRemoved = this.#lateEntries().remove(reference, row);
    if (isRemoved) this.#pendingLate.change(reference, -1, -bytes);
    return isRemoved;
  }

  /**
   * Puts up to `most` late entries back into the table, which must have no mark. Returns false if there were none.
   */
  putBackLate(most: number): boolean {
    const entries = this.#lateEntries().take(most);
    if (entries.length === 0) {
      // There are none, unless the late entries were written by a version that did not count them.
      this.#dropLateCounts().run();
      return false;
    }
    for (const { reference, bytes } of entries) this.#pendingLate.change(reference, -1, -bytes);
    this.addAll(entries);
    this.flushCounts();
    return true;
  }

  /** Deletes up to `most` late entries of a table that is dropped next. Returns whether there were any. */
  deleteSomeLate(most: number): boolean {
    return this.#lateEntries().take(most).length > 0;
  }

  /**
   * Removes every entry up to and including the last one of `removed`, which must be exactly those. Since no entry is
   * left below, the counts below are deleted as a range, and only the counts of the last second are updated.
   */
  cut(removed: readonly Entry[]): void {
    const { through } = this;
    const living = this.hasLate
      ? removed.filter(({ reference, row, bytes }) => !this.#removeLate(reference, row, bytes))
      : removed;
    const last = living.at(-1);
    if (last === undefined) return;
    // Pending counts belong to buckets that are deleted next.
    this.flushCounts();
    this.#cut().run(through + 1, last.reference, last.row);
    for (const [level, width] of COUNT_LEVELS.entries()) {
      const bucket = Math.floor(last.reference / width);
      this.#dropBelow().run(level, Math.max(0, Math.floor(through / width)), bucket);
      let documents = 0;
      let bytes = 0;
      for (let i = living.length - 1; i >= 0; i--) {
        const entry = living[i];
        if (entry === undefined || entry.reference < bucket * width) break;
        documents += 1;
        bytes += entry.bytes;
      }
      this.#applyCount(level, bucket, -documents, -bytes);
    }
  }

  /** Returns whether more than `documents` entries above the mark have a reference time up to `reference`. */
  hasMoreThan(documents: number, reference: number): boolean {
    return this.#hasMore().get(this.through + 1, reference, documents) !== undefined;
  }

  /** Prepares the statements of `takeCounts`, and those that read above a mark. */
  prepareMark(): void {
    this.#count();
    this.#dropEmpty();
    this.prepareLate();
  }

  /**
   * Returns the greatest reference time up to which at most `most` entries above the mark lie, or an earlier one (see
   * FirstEntries).
   */
  throughOfFirst(most: number): number {
    this.flushCounts();
    return this.#firstEntries().throughOf(most, this.through);
  }

  /**
   * Takes the entries above the mark up to a reference time out of the counts, without changing one of them: only the
   * buckets that the new mark divides are written. `counted` is what `countThrough` returned in this transaction; the
   * caller moves the mark there.
   */
  takeCounts(throughReference: number, { byLevel }: CountedThrough): void {
    const changes = COUNT_LEVELS.map((width, level) => {
      const { documents, bytes } = byLevel[level] ?? { documents: 0, bytes: 0 };
      return {
        level,
        bucket: Math.floor(throughReference / width),
        documents: -documents,
        bytes: -bytes,
      };
    });
    this.#applyCounts(changes);
  }

  /**
   * Deletes up to `most` expired entries with a reference time up to `throughReference`, or then counts below it. Returns
   * whether there may be more.
   */
  deleteExpired(throughReference: number, most: number): boolean {
    const last = this.#nth().get(throughReference, most - 1);
    // A range is deleted three times as fast as a number of rows.
    this.#deleteThrough().run(last?.reference ?? throughReference, last?.row ?? Number.MAX_SAFE_INTEGER);
    if (last !== undefined) return true;
    return COUNT_LEVELS.some((width, level) => {
      const bucket = Math.floor(throughReference / width);
      return this.#dropSomeBelow().run(level, bucket, most).changes === most;
    });
  }

  /** Writes the collected counts. Call before the transaction commits. */
  flushCounts(): void {
    const counts = this.#pending.take();
    if (counts.length > 0) this.#applyCounts(counts);
    const late = this.#pendingLate.take();
    if (late.length > 0)
      this.#applyCounts(late.map(change => ({ ...change, level: change.level + LATE_LEVEL })));
  }

  /** Discards the collected counts, after a rollback. */
  discardCounts(): void {
    this.#pending.clear();
    this.#pendingLate.clear();
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
