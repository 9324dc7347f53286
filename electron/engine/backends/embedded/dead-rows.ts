import type { Database, Statement } from './database.ts';
import { RowSet } from './row-set.ts';

/** Removals that are read at once: an array of all a long pass left would take the memory that the sets save. */
const READ_AT_ONCE = 10_000;

/** The dead rows of a store as they were, up to and including one removal. */
export interface DeadRowsThrough {
  readonly seq: number;
  readonly collections: ReadonlyMap<number, RowSet>;
}

/**
 * The one answer to `isDead(row)`: rows whose removal is committed and whose bytes are not yet swept. They are the
 * removals above the sweep's mark, so each connection keeps its own set by reading the log's tail; what it
 * answers is true of exactly the snapshot it reads.
 */
export class DeadRows {
  readonly #tail: Statement<[number, number], [seq: number, collection: number, row: number, gone: number]>;
  readonly #mark: Statement<[], number>;
  readonly #rows = new Map<number, RowSet>();
  /** The tombstones in order, three numbers each, to forget them when the sweep has passed: number, collection, row. */
  #known: number[] = [];
  #seen = 0;
  #swept = 0;

  constructor(db: Database) {
    this.#tail = db
      .prepare<[number, number], [seq: number, collection: number, row: number, gone: number]>(
        'SELECT seq, collection, row, gone FROM removals WHERE seq > ? ORDER BY seq LIMIT ?',
      )
      .raw();
    this.#mark = db.prepare<[], number>(`SELECT value FROM meta WHERE key = 'swept'`).pluck();
  }

  /** Brings the set to what the connection's snapshot holds. Call at the start of each read transaction. */
  refresh(): void {
    const mark = this.#mark.get() ?? 0;
    if (mark > this.#swept) this.#forgetThrough(mark);
    for (;;) {
      const tail = this.#tail.all(this.#seen, READ_AT_ONCE);
      for (const [seq, collection, row, gone] of tail) {
        // A document that was changed and stayed is no tombstone, and its entry is never read again.
        if (gone === 0) continue;
        this.#known.push(seq, collection, row);
        this.of(collection).add(row);
      }
      this.#seen = tail.at(-1)?.[0] ?? this.#seen;
      if (tail.length < READ_AT_ONCE) return;
    }
  }

  /** The dead rows of a collection; `has` is `isDead`. */
  of(collection: number): RowSet {
    let rows = this.#rows.get(collection);
    if (rows === undefined) {
      rows = new RowSet();
      this.#rows.set(collection, rows);
    }
    return rows;
  }

  /** What there is at this moment, which stays as it is. */
  copy(): DeadRowsThrough {
    const collections = [...this.#rows].filter(([, rows]) => rows.size > 0);
    return { seq: this.#seen, collections: new Map(collections.map(([id, rows]) => [id, rows.copy()])) };
  }

  /** Reads the whole tail again, after a rollback. */
  reload(): void {
    for (const rows of this.#rows.values()) rows.clear();
    this.#known = [];
    this.#seen = 0;
    this.#swept = 0;
    this.refresh();
  }

  get count(): number {
    return this.#known.length / 3;
  }

  #forgetThrough(mark: number): void {
    const known = this.#known;
    let passed = 0;
    for (; passed < known.length && (known[passed] ?? 0) <= mark; passed += 3)
      this.#rows.get(known[passed + 1] ?? 0)?.delete(known[passed + 2] ?? 0);
    this.#known = known.slice(passed);
    this.#swept = mark;
    this.#seen = Math.max(this.#seen, mark);
  }
}
