interface Removal {
  /** By the stopwatch, ms. */
  readonly at: number;
  readonly collection: string;
  readonly index: string;
}

/** Both clocks, ms: a jump of the one that is followed ends a wait, and so does time that has passed. */
interface Instant {
  readonly trusted: number;
  readonly uptime: number;
}

const CAPPED_MS = 1_000;
/** Longest span over which a rate is judged, ms. */
const KEPT_MS = 10_000;

/** Limits of removals by the reaper [R3], against which the removals of a store are held. */
export class RemovalLimits {
  #limits = { rate: 0, cap: 0 };
  #removals: readonly Removal[] = [];
  /** By collection: when a pass reached its cap. */
  readonly #capped = new Map<string, Instant>();

  /** Sets documents a second of each index, and documents of a pass; 0: no limit. Earlier removals count no longer. */
  set(limits: { rate: number; cap: number }): void {
    this.#limits = limits;
    this.forget();
  }

  /** Leaves out the removals so far: a pass by hand obeys no rate. */
  forget(): void {
    this.#removals = [];
    this.#capped.clear();
  }

  /** Throws if these removals at `at`, by the stopwatch, exceed the rate of an index. */
  checkRates(removed: readonly Omit<Removal, 'at'>[], at: number): void {
    const { rate } = this.#limits;
    if (rate === 0) return;
    const kept = this.#removals.filter(one => one.at > at - KEPT_MS);
    this.#removals = [...kept, ...removed.map(one => ({ ...one, at }))];
    for (const [index, removals] of Map.groupBy(
      this.#removals,
      ({ collection, index }) => `${collection}/${index}`,
    ))
      checkRate(index, removals, rate, at);
  }

  /**
   * Throws if a commit removes more documents of a collection without schedules than the cap of a pass, or follows within a second
   * on one that has removed as many: that was a whole pass, which a drained one before it leaves possible.
   */
  checkCap(collection: string, removed: number, at: Instant): void {
    const { cap } = this.#limits;
    if (cap === 0 || removed === 0) return;
    if (removed > cap)
      throw new Error(`${removed} of ${collection} were removed in a pass; the cap is ${cap}`);
    const capped = this.#capped.get(collection);
    const isCapped =
      capped !== undefined &&
      at.trusted - capped.trusted < CAPPED_MS &&
      at.uptime - capped.uptime < CAPPED_MS;
    if (isCapped) throw new Error(`${removed} of ${collection} were removed within a second after a cap`);
    if (removed === cap) this.#capped.set(collection, at);
  }
}

function checkRate(index: string, removals: readonly Removal[], rate: number, at: number): void {
  for (const seconds of [1, 3, 10]) {
    const removed = removals.filter(one => one.at > at - seconds * 1_000).length;
    // A portion and a fifth of a second more may have been saved before.
    if (removed > rate * (seconds + 0.2) + Math.max(1, rate / 20))
      throw new Error(`${index} removed ${removed} within ${seconds} s; its rate is ${rate}`);
  }
}
