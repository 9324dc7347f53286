import type { Database, Statement } from 'better-sqlite3';
import type { ExpiredMarks } from '../../../../deadline-index/index-table-reader.ts';
import { preparedOnUse } from '../../../../deadline-index/prepared-on-use.ts';
import { EXPLICIT_SOURCE } from '../explicit-source.ts';
import { Meta } from '../meta.ts';
import { type ExpiredInterval, INTERVAL_COLUMNS } from './expired-interval.ts';
import { type Dated, type IntervalMark, isOfPresentRules, RowsMark, TableMark } from './interval-marks.ts';

const NONE: readonly ExpiredInterval[] = [];

/**
 * The expired intervals that a connection sees. Whether a document is expired is asked of the index as it was: it is if
 * the interval has its entry (interval-marks.ts). A living one at or below the mark has a late entry instead
 * (late-entries.ts).
 *
 * An expression is evaluated for that, with the allowance of any evaluation [D8]; one that fails gives no deadline, as
 * it did when the entry was made. So scans that ask must bound their time as those that read deadlines do.
 */
export class ExpiredIntervals implements ExpiredMarks {
  readonly #db: Database;
  readonly #rows: () => Statement<[], ExpiredInterval>;
  readonly #meta: () => Meta;
  /** The version of the intervals that are known (`meta.intervals`). */
  #version: number | null = null;
  #all = NONE;
  #marks: ReadonlyMap<number, number> = new Map();
  /** By index table. */
  #byTable: ReadonlyMap<number, TableMark> = new Map();
  /** By the interval's first number. */
  #byRows: ReadonlyMap<number, RowsMark> = new Map();
  /** All of both. */
  #asked: readonly IntervalMark[] = [];

  constructor(db: Database) {
    this.#db = db;
    this.#meta = preparedOnUse(() => new Meta(db));
    this.#rows = preparedOnUse(() =>
      db.prepare<[], ExpiredInterval>(`SELECT ${INTERVAL_COLUMNS} FROM expired_intervals ORDER BY first`),
    );
  }

  /** Updates to the connection's snapshot: reads the intervals only if they have changed. */
  refresh(): void {
    const version = this.#meta().number('intervals');
    if (version !== null && version === this.#version) return;
    this.set(this.#rows().all(), version);
  }

  /** Sets what this connection has just written, in the order of the numbers, or read. */
  set(all: readonly ExpiredInterval[], version: number | null = null): void {
    this.#version = version;
    if (all.length === 0 && this.#all.length === 0) return;
    this.#all = all;
    const marks = new Map<number, number>();
    for (const { table, through } of all) marks.set(table, Math.max(marks.get(table) ?? -1, through));
    this.#marks = marks;
    this.#updateExpired();
  }

  /** In the order of their numbers. */
  get all(): readonly ExpiredInterval[] {
    return this.#all;
  }

  /** Those that are not listed completely. */
  get unlisted(): readonly ExpiredInterval[] {
    return this.#all.filter(isUnlisted);
  }

  /** Documents of all intervals: the space of their rows or of their entries is not free. */
  get documents(): number {
    return this.#all.reduce((sum, { documents }) => sum + documents, 0);
  }

  throughOf(table: number): number {
    return this.#marks.get(table) ?? -1;
  }

  hasInterval(table: number): boolean {
    return this.#marks.has(table);
  }

  /** Returns the interval that a removal belongs to; null if it belongs to none. */
  at(seq: number): ExpiredInterval | null {
    return this.#all.find(({ first, documents }) => seq >= first && seq < first + documents) ?? null;
  }

  /** Returns the first interval that begins after a removal; null if there is none. */
  nextAfter(seq: number): ExpiredInterval | null {
    return this.#all.find(({ first }) => first > seq) ?? null;
  }

  /** Returns the highest row number whose document may be in an interval; 0 if there is none. */
  lastRowOf(collection: number): number {
    return this.#all.reduce(
      (last, one) => (one.collection === collection ? Math.max(last, one.lastRow) : last),
      0,
    );
  }

  has(collection: number): boolean {
    return this.#all.some(one => one.collection === collection && one.freed === 0);
  }

  /** Whether `isExpired` evaluates expressions for documents of a collection, which may take long for each. */
  evaluates(collection: number): boolean {
    for (const mark of this.#asked) if (mark.collection === collection && mark.evaluates()) return true;
    return false;
  }

  /** Whether a document's row is expired in an interval. A row that is freed belongs to no document. */
  isExpired(collection: number, stored: Dated): boolean {
    for (const mark of this.#asked) if (mark.collection === collection && mark.isExpired(stored)) return true;
    return false;
  }

  #updateExpired(): void {
    const asked = this.#all.filter(({ freed }) => freed === 0);
    const present = asked.filter(isOfPresentRules);
    const byTable = new Map<number, TableMark>();
    for (const [table, intervals] of Map.groupBy(present, one => one.table)) {
      const [interval] = intervals;
      if (interval === undefined) continue;
      const mark = this.#byTable.get(table) ?? new TableMark(this.#db, interval);
      mark.cover(intervals);
      byTable.set(table, mark);
    }
    const byRows = new Map<number, RowsMark>();
    for (const interval of asked) {
      if (isOfPresentRules(interval)) continue;
      byRows.set(interval.first, this.#byRows.get(interval.first) ?? new RowsMark(this.#db, interval));
    }
    this.#byTable = byTable;
    this.#byRows = byRows;
    this.#asked = [...byTable.values(), ...byRows.values()];
  }
}

/** Whether some of an interval's documents are not in `removals` yet. */
function isUnlisted({ listed, documents }: ExpiredInterval): boolean {
  return listed < documents;
}

/** Whether an entry of an interval should not exist, and removes nothing: an explicit expiration outranks an index [E1]. */
export function isStaleIn(
  { source }: ExpiredInterval,
  { reference, explicitAt }: { reference: number; explicitAt: number | null },
): boolean {
  return explicitAt !== (source === EXPLICIT_SOURCE ? reference : null);
}
