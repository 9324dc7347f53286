import type { Database, Statement } from 'better-sqlite3';
import { RowSet } from '../documents/row-set.ts';
import type { StoredRow } from '../documents/stored-row.ts';
import { Meta } from '../meta.ts';
import type { DeletedRows } from '../transaction.ts';
import { ExpiredIntervals } from './expired-intervals.ts';
import { PACKED_ROWS, unpackRows } from './packed-removals.ts';

/** Rows read at once: an array of all that a long pass left would take the memory that the sets save. */
const READ_AT_ONCE = 1_000;

/** A copy of a store's dead rows, up to and including one removal. */
export interface TombstonesThrough {
  readonly seq: number;
  readonly collections: ReadonlyMap<number, RowSet>;
}

/** Columns of `removals` that identify the dead row. */
export interface RemovedRow {
  seq: number;
  collection: number;
  row: number;
  /** 1 if it left a dead row, which the sweep frees; 0 if the document stayed, changed, or was deleted by hand with its row. */
  gone: 0 | 1;
}

/**
 * Decides which rows are dead: those whose removal is committed and whose bytes are not yet swept. These are the
 * removals above the sweep's mark. Each connection keeps its own set by reading the end of `removals`, so the set
 * matches exactly the snapshot that the connection reads. The documents of an expired interval are in no set.
 */
export class Tombstones {
  readonly intervals: ExpiredIntervals;
  readonly #tail: Statement<
    [after: number, through: number, most: number],
    [seq: number, documents: number, collection: number, row: number, gone: number, packed: string | null]
  >;
  readonly #meta: Meta;
  readonly #rows = new Map<number, RowSet>();
  /** Tombstones in order, to remove them from the sets after the sweep. */
  readonly #known = new TombstoneQueue();
  #seen = 0;
  #swept = 0;
  /** Whether the sets may have removals of a transaction that is not committed. */
  #isUncommitted = false;
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
    this.intervals = new ExpiredIntervals(db);
    this.#tail = db
      .prepare<[number, number, number], [number, number, number, number, number, string | null]>(
        `SELECT seq, documents, collection, row, gone, ${PACKED_ROWS}
         FROM removals WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
      )
      .raw();
    this.#meta = new Meta(db);
  }

  /** Updates the sets to the connection's snapshot. Call at the start of each read transaction. */
  refresh(): void {
    this.#isUncommitted ||= this.#db.inTransaction;
    this.intervals.refresh();
    this.#refreshRows();
  }

  #refreshRows(): void {
    const mark = this.#meta.number('swept') ?? 0;
    if (mark > this.#swept) this.#forgetThrough(mark);
    for (;;) {
      const interval = this.intervals.nextAfter(this.#seen);
      this.#readThrough(interval === null ? Number.MAX_SAFE_INTEGER : interval.first - 1);
      if (interval === null) return;
      this.#seen = interval.first + interval.documents - 1;
    }
  }

  #readThrough(last: number): void {
    for (;;) {
      const tail = this.#tail.all(this.#seen, last, READ_AT_ONCE);
      for (const [seq, documents, collection, row, gone, packed] of tail) {
        this.#seen = seq + documents - 1;
        // A document that was changed and stayed is no tombstone, and its entry is never read again.
        if (gone === 0) continue;
        const dead = this.of(collection);
        for (const [i, one] of (packed === null ? [row] : unpackRows(packed, documents)).entries()) {
          this.#known.add(seq + i, collection, one);
          dead.add(one);
        }
      }
      if (tail.length < READ_AT_ONCE) return;
    }
  }

  /**
   * Updates the sets to what this connection, the writing one, has just committed. `deletions` need not be read again if
   * they follow the last known removal; intervals are known since they were written.
   */
  committed(deletions: readonly DeletedRows[]): void {
    this.#append(deletions);
    this.#refreshRows();
    this.#isUncommitted = false;
  }

  #append(deletions: readonly DeletedRows[]): void {
    for (const { first, collection, rows } of deletions) {
      if (first !== this.#seen + 1) return;
      const dead = this.of(collection);
      for (const row of rows) {
        this.#seen += 1;
        this.#known.add(this.#seen, collection, row);
        dead.add(row);
      }
    }
  }

  /** Whether a stored document is removed. */
  isDead(collection: number, stored: Pick<StoredRow, 'row' | 'updatedAt' | 'explicitAt' | 'body'>): boolean {
    return this.of(collection).has(stored.row) || this.intervals.isExpired(collection, stored);
  }

  /** The dead rows of a collection that are in no expired interval. */
  of(collection: number): RowSet {
    let rows = this.#rows.get(collection);
    if (rows === undefined) {
      rows = new RowSet();
      this.#rows.set(collection, rows);
    }
    return rows;
  }

  /** Releases empty sets of collections that no longer exist. Call it only while no set returned by `of` is in use. */
  releaseEmpty(isGone: (collection: number) => boolean): void {
    for (const [id, rows] of this.#rows) if (rows.size === 0 && isGone(id)) this.#rows.delete(id);
  }

  /**
   * Whether a removal's own row still exists, with the document as it was. A dead row with its number is not enough:
   * numbers are used again after the sweep, and then the row belongs to another removal.
   */
  isRowOf({ seq, collection, row, gone }: RemovedRow): boolean {
    return (
      gone === 1 && seq > this.#swept && (this.intervals.at(seq) !== null || this.of(collection).has(row))
    );
  }

  /** Returns a copy that does not change. */
  copy(): TombstonesThrough {
    const collections = [...this.#rows].filter(([, rows]) => rows.size > 0);
    return { seq: this.#seen, collections: new Map(collections.map(([id, rows]) => [id, rows.copy()])) };
  }

  /** Updates the sets to the state before a transaction of this connection that was rolled back. */
  rolledBack(): void {
    if (this.#isUncommitted) this.reload();
    else this.intervals.refresh();
  }

  /** Reads all removals above the sweep's mark again. */
  reload(): void {
    for (const rows of this.#rows.values()) rows.clear();
    this.#known.clear();
    this.#seen = 0;
    this.#swept = 0;
    this.#isUncommitted = false;
    this.refresh();
  }

  /** Removed documents whose space is not free. */
  get count(): number {
    return this.#known.size + this.intervals.documents;
  }

  /** Those that the sets have. */
  get inMemory(): number {
    return this.#known.size;
  }

  #forgetThrough(mark: number): void {
    if (this.#known.last <= mark) {
      this.#known.clear();
      for (const rows of this.#rows.values()) rows.clear();
    } else this.#known.takeThrough(mark, (collection, row) => this.#rows.get(collection)?.delete(row));
    this.#swept = mark;
    this.#seen = Math.max(this.#seen, mark);
  }
}

/** Numbers of one part; each tombstone has three: of its removal, its collection and its row. */
const PART = 3 * 4_096;

/** A queue of tombstones, in parts: one array of all would be copied as it grows, which holds the writer for 20 ms. */
class TombstoneQueue {
  #parts: number[][] = [];
  /** Count of numbers already taken from the first part. */
  #taken = 0;
  #size = 0;
  /** `seq` of the last tombstone; 0 if there is none. */
  last = 0;

  get size(): number {
    return this.#size;
  }

  add(seq: number, collection: number, row: number): void {
    let part = this.#parts.at(-1);
    if (part === undefined || part.length === PART) {
      part = [];
      this.#parts.push(part);
    }
    part.push(seq, collection, row);
    this.#size += 1;
    this.last = seq;
  }

  takeThrough(seq: number, take: (collection: number, row: number) => void): void {
    for (let [part] = this.#parts; part !== undefined; [part] = this.#parts) {
      for (; this.#taken < part.length; this.#taken += 3) {
        if ((part[this.#taken] ?? 0) > seq) return;
        take(part[this.#taken + 1] ?? 0, part[this.#taken + 2] ?? 0);
        this.#size -= 1;
      }
      this.#parts.shift();
      this.#taken = 0;
    }
    this.last = 0;
  }

  clear(): void {
    this.#parts = [];
    this.#taken = 0;
    this.#size = 0;
    this.last = 0;
  }
}
