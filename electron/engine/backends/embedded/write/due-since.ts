/** Most records of a store, about 8 MB: a paused collection may hold any number of such documents. */
const MOST_RECORDS = 50_000;
/** Part of them that is removed together when there is no room: removed one by one, each takes 30 µs to find. */
const SHARE_REMOVED = 0.1;

/** The reason why a document is due since `at`, and not since its deadline. */
export interface LaterDue {
  /** When its explicit expiration was cleared, epoch ms. */
  readonly at: number;
  /** The index that makes it due, and its deadline by it, epoch ms. */
  readonly index: number;
  readonly deadlineAt: number;
}

/** The documents that an index removes at once: by their deadlines, epoch ms. */
export interface RemovedAtOnce {
  readonly index: number;
  /** When its definition took effect, epoch ms. */
  readonly effectiveAt: number;
  /** Exclusive. */
  readonly after: number;
  /** Inclusive. */
  readonly through: number;
  /** Whether a document with such a deadline is not removed. */
  isLeft(row: number, deadlineAt: number): boolean;
}

/**
 * Since when documents are due that became due only when their explicit expiration was cleared [M1]. A record is kept in
 * memory until its document is removed or written, or its collection is dropped.
 *
 * Every change is made inside a transaction. It takes effect when that is committed, and not at all if it is rolled
 * back; until then the records are read as they were before.
 */
export class DueSince {
  readonly #most: number;
  /** By collection and row; oldest first in both. */
  readonly #records = new Map<number, Map<number, LaterDue>>();
  #count = 0;
  /** Changes of the running transaction, in order; null removes the record. */
  #changes: { collection: number; row: number; record: LaterDue | null }[] = [];

  /** Beyond `most` records the oldest ones are removed: the lag of their documents counts from the deadline. */
  constructor(most = MOST_RECORDS) {
    this.#most = most;
  }

  /** Begins a transaction. Discards the changes of the one before if it was rolled back. */
  begin(): void {
    this.#changes = [];
  }

  set(collection: number, row: number, record: LaterDue): void {
    this.#changes.push({ collection, row, record });
  }

  /** Removes the record of a document that is removed or written. */
  forget(collection: number, row: number): void {
    // One that the same transaction has set is not known yet.
    if (this.#changes.length > 0 || this.#records.get(collection)?.has(row) === true)
      this.#changes.push({ collection, row, record: null });
  }

  /** Returns since when a document is due that is about to be removed, epoch ms, and removes the record; 0 if there is none. */
  take(collection: number, row: number): number {
    const record = this.#records.get(collection)?.get(row);
    if (record === undefined) return 0;
    this.forget(collection, row);
    return record.at;
  }

  /** Like `take`, of all documents that the only index of a collection removes at once. */
  takeAll(collection: number, { index, effectiveAt, after, through, isLeft }: RemovedAtOnce): number[] {
    const taken: number[] = [];
    for (const [row, record] of this.#records.get(collection) ?? []) {
      // True for a dropped index, and for a definition before the present one: the lag counts from that at the earliest.
      const isOutdated = record.index !== index || record.at <= effectiveAt;
      const { deadlineAt } = record;
      const isRemoved = deadlineAt > after && deadlineAt <= through && !isLeft(row, deadlineAt);
      if (!isOutdated && isRemoved) taken.push(record.at);
      if (isOutdated || isRemoved) this.forget(collection, row);
    }
    return taken;
  }

  /** Puts the changes of the running transaction into effect. */
  committed(): void {
    for (const { collection, row, record } of this.#changes) {
      this.#remove(collection, row);
      if (record !== null) this.#add(collection, row, record);
    }
    this.#changes = [];
  }

  /** Removes the records of dropped collections. */
  keepOnly(collections: Pick<ReadonlySet<number>, 'has'>): void {
    for (const [collection, { size }] of this.#records) {
      if (collections.has(collection)) continue;
      this.#records.delete(collection);
      this.#count -= size;
    }
  }

  #add(collection: number, row: number, record: LaterDue): void {
    if (this.#count >= this.#most) this.#removeOldest();
    const known = this.#records.get(collection);
    if (known === undefined) this.#records.set(collection, new Map([[row, record]]));
    else known.set(row, record);
    this.#count += 1;
  }

  #remove(collection: number, row: number): void {
    const known = this.#records.get(collection);
    if (known?.delete(row) !== true) return;
    this.#count -= 1;
    if (known.size === 0) this.#records.delete(collection);
  }

  /** Removes the oldest records, of the collections that have had records for the longest time. */
  #removeOldest(): void {
    const most = this.#most * (1 - SHARE_REMOVED);
    for (const [collection, known] of this.#records)
      for (const row of known.keys()) {
        if (this.#count <= most) return;
        this.#remove(collection, row);
      }
  }
}
