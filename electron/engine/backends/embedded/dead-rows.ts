import type { Database, Statement } from './database.ts';

/**
 * The one answer to `isDead(row)`: rows whose removal is committed and whose bytes are not yet swept. They are the
 * removals above the sweep's mark, so each connection keeps its own set by reading the log's tail; what it
 * answers is true of exactly the snapshot it reads.
 */
export class DeadRows {
  readonly #tail: Statement<[number], [seq: number, collection: number, row: number, gone: number]>;
  readonly #mark: Statement<[], number>;
  readonly #rows = new Map<number, Set<number>>();
  /** Removals in order, to forget them when the sweep has passed. */
  #known: [seq: number, collection: number, row: number][] = [];
  #seen = 0;
  #swept = 0;

  constructor(db: Database) {
    this.#tail = db
      .prepare<[number], [seq: number, collection: number, row: number, gone: number]>(
        'SELECT seq, collection, row, gone FROM removals WHERE seq > ? ORDER BY seq',
      )
      .raw();
    this.#mark = db.prepare<[], number>(`SELECT value FROM meta WHERE key = 'swept'`).pluck();
  }

  /** Brings the set to what the connection's snapshot holds. Call at the start of each read transaction. */
  refresh(): void {
    const mark = this.#mark.get() ?? 0;
    if (mark > this.#swept) {
      let passed = 0;
      for (const [seq, collection, row] of this.#known) {
        if (seq > mark) break;
        this.#rows.get(collection)?.delete(row);
        passed += 1;
      }
      this.#known = this.#known.slice(passed);
      this.#swept = mark;
      this.#seen = Math.max(this.#seen, mark);
    }
    for (const [seq, collection, row, gone] of this.#tail.iterate(this.#seen)) {
      // A document that was changed and stayed is no tombstone, and its entry is never read again.
      this.#seen = seq;
      if (gone === 0) continue;
      this.#known.push([seq, collection, row]);
      this.of(collection).add(row);
    }
  }

  /** The dead rows of a collection; `has` is `isDead`. */
  of(collection: number): Set<number> {
    let rows = this.#rows.get(collection);
    if (rows === undefined) {
      rows = new Set();
      this.#rows.set(collection, rows);
    }
    return rows;
  }

  /** Reads the whole tail again, after a rollback. */
  reload(): void {
    this.#rows.clear();
    this.#known = [];
    this.#seen = 0;
    this.#swept = 0;
    this.refresh();
  }

  get count(): number {
    return this.#known.length;
  }
}
