/** Documents that were due when they were written, at `since`, epoch ms. */
export interface Arrived {
  readonly documents: number;
  readonly since: number;
}

/** Instants of writes that are told apart for one collection: the oldest count as one. */
const MOST_INSTANTS = 100;

/**
 * Counts the documents that were due when they were written and are not removed yet: their lag begins with that write
 * [M1], which an interval does not read. By collection, apart for explicit expirations, and by the instant of the write;
 * none is kept of a collection in which nothing is due. One that is changed or deleted before is counted until then.
 * Changes take effect when their transaction is committed.
 */
export class DueOnArrival {
  readonly #arrived = new Map<string, Map<number, number>>();
  #changes: (() => void)[] = [];
  /** Those that the running transaction writes, by key. */
  readonly #written = new Map<string, Arrived>();

  /** Begins a transaction. Discards the changes of the one before if it was rolled back. */
  begin(): void {
    this.#changes = [];
    this.#written.clear();
  }

  /** Counts one that the running transaction writes, at `since`. */
  add(collection: number, isExplicit: boolean, since: number): void {
    const key = keyOf(collection, isExplicit);
    this.#written.set(key, { documents: (this.#written.get(key)?.documents ?? 0) + 1, since });
  }

  /** Counts one that was written at `since` no longer: it is removed by itself. */
  takeOne(collection: number, isExplicit: boolean, since: number): void {
    const arrived = this.#arrived.get(keyOf(collection, isExplicit));
    if (arrived?.has(since) === true) this.#changes.push(() => subtract(arrived, since, 1));
  }

  /**
   * Returns those among so many documents that are removed together, and counts them no longer: if there are more, the
   * latest, whose lags are the shortest.
   */
  take(collection: number, isExplicit: boolean, documents: number): Arrived[] {
    const arrived = this.#arrived.get(keyOf(collection, isExplicit));
    if (arrived === undefined) return [];
    const taken: Arrived[] = [];
    let left = documents;
    for (const [since, count] of [...arrived].reverse()) {
      if (left === 0) break;
      const some = Math.min(left, count);
      taken.push({ documents: some, since });
      left -= some;
      this.#changes.push(() => subtract(arrived, since, some));
    }
    return taken;
  }

  /** Counts none any more: nothing is due. */
  forget(collection: number, isExplicit: boolean): void {
    const key = keyOf(collection, isExplicit);
    if (this.#arrived.has(key)) this.#changes.push(() => this.#arrived.delete(key));
  }

  /** Puts the changes of the running transaction into effect. */
  committed(): void {
    for (const change of this.#changes) change();
    for (const [key, { documents, since }] of this.#written) {
      const arrived = this.#arrived.get(key) ?? new Map<number, number>();
      this.#arrived.set(key, arrived);
      arrived.set(since, (arrived.get(since) ?? 0) + documents);
      const [oldest, next] = arrived.keys();
      if (arrived.size <= MOST_INSTANTS || oldest === undefined || next === undefined) continue;
      arrived.set(next, (arrived.get(next) ?? 0) + (arrived.get(oldest) ?? 0));
      arrived.delete(oldest);
    }
    this.begin();
  }

  /** Counts none of dropped collections. */
  keepOnly(collections: Pick<ReadonlySet<number>, 'has'>): void {
    for (const key of this.#arrived.keys())
      if (!collections.has(Number.parseInt(key, 10))) this.#arrived.delete(key);
  }
}

function keyOf(collection: number, isExplicit: boolean): string {
  return `${collection}${isExplicit ? ' explicit' : ''}`;
}

function subtract(arrived: Map<number, number>, since: number, documents: number): void {
  const left = (arrived.get(since) ?? 0) - documents;
  if (left > 0) arrived.set(since, left);
  else arrived.delete(since);
}
