const MINUTE_MS = 60_000;
/** Number of unread minutes that are kept. */
const MAX_UNREAD_MINUTES = 10;

export type Counted = 'written' | 'removed' | 'changed' | 'quarantined';
export type Counts = Record<Counted, number>;

function noCounts(): Counts {
  return { written: 0, removed: 0, changed: 0, quarantined: 0 };
}

/** Counts of document changes: in total since the store was opened, and per minute until read [M1]. */
export class MinuteCounter {
  readonly total = noCounts();
  /** By minute since 1970. */
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
        if (this.#minutes.size > MAX_UNREAD_MINUTES) this.#minutes.delete(old);
    }
    counts[kind] += documents;
  }

  /** Returns the unread minutes in which anything happened. */
  minutes(): number[] {
    return [...this.#minutes.keys()];
  }
  minute(minute: number): Counts {
    return this.#minutes.get(minute) ?? noCounts();
  }
  /** Removes a minute that has been stored. */
  delete(minute: number): void {
    this.#minutes.delete(minute);
  }
}
