const MINUTE_MS = 60_000;
/** Minutes that nobody took are kept so long. */
const LONGEST_KEPT = 10;

export type Counted = 'written' | 'removed' | 'changed' | 'quarantined';
export type Counts = Record<Counted, number>;

export function noCounts(): Counts {
  return { written: 0, removed: 0, changed: 0, quarantined: 0 };
}

/** What happened to documents: in total since the store was opened, and by the minute until it is taken [M1]. */
export class MinuteCounter {
  readonly total = noCounts();
  /** By the minute since 1970. */
  readonly #minutes = new Map<number, Counts>();

  add(kind: Counted, documents: number, now: number): void {
    if (documents === 0) return;
    this.total[kind] += documents;
    const minute = Math.floor(now / MINUTE_MS);
    let counts = this.#minutes.get(minute);
    if (counts === undefined) {
      counts = noCounts();
      this.#minutes.set(minute, counts);
      for (const old of this.#minutes.keys())
        if (this.#minutes.size > LONGEST_KEPT) this.#minutes.delete(old);
    }
    counts[kind] += documents;
  }

  /** Minutes in which anything happened and that were not taken yet. */
  minutes(): number[] {
    return [...this.#minutes.keys()];
  }
  minute(minute: number): Counts {
    return this.#minutes.get(minute) ?? noCounts();
  }
  /** It is kept elsewhere from now on. */
  forget(minute: number): void {
    this.#minutes.delete(minute);
  }
}
