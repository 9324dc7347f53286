interface Removal {
  /** By the stopwatch, ms. */
  readonly at: number;
  readonly collection: string;
  readonly index: string;
}

/** Longest span over which a rate is judged, ms. */
const KEPT_MS = 10_000;

/** Limits of removals by the reaper [R3], against which the removals of a store are held. */
export class RemovalLimits {
  #limits = { rate: 0, cap: 0 };
  #removals: readonly Removal[] = [];

  /** Sets documents a second of each index, and documents of a pass; 0: no limit. Earlier removals count no longer. */
  set(limits: { rate: number; cap: number }): void {
    this.#limits = limits;
    this.#removals = [];
  }

  /** Leaves out the removals so far: a pass by hand obeys no rate. */
  forget(): void {
    this.#removals = [];
  }

  /**
   * Throws if these removals exceed a limit: the rate of an index, or the cap of a collection's pass. `hasTicks`: an index has a schedule, which begins a pass at
   * its tick, also within the second for which the others wait.
   */
  check(removed: readonly Omit<Removal, 'at'>[], at: number, hasTicks: boolean): void {
    const { rate, cap } = this.#limits;
    if (rate === 0 && cap === 0) return;
    const kept = this.#removals.filter(one => one.at > at - KEPT_MS);
    this.#removals = [...kept, ...removed.map(one => ({ ...one, at }))];
    if (rate > 0)
      for (const [index, removals] of Map.groupBy(
        this.#removals,
        ({ collection, index }) => `${collection}/${index}`,
      ))
        checkRate(index, removals, rate, at);
    if (cap === 0 || hasTicks) return;
    for (const [collection, removals] of Map.groupBy(this.#removals, one => one.collection)) {
      const ofPass = removals.filter(one => one.at > at - 1_000).length;
      if (ofPass > cap)
        throw new Error(`${ofPass} of ${collection} were removed within a second; the cap is ${cap}`);
    }
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
