/** At most ten updates a second. */
const EVERY_MS = 100;
/**
 * Updates that may be sent at once after a pause: the first update of a pass of the reaper must not delay its result.
 */
const AT_ONCE = 3;

/** Schedules updates. Times are elapsed ms. */
export class UpdateThrottle {
  #left = AT_ONCE;
  #countedAt: number;

  constructor(now: number) {
    this.#countedAt = now;
  }

  /** Records an update. */
  sent(now: number): void {
    this.#count(now);
    this.#left -= 1;
  }

  /** Returns how long to wait; 0: send now. */
  waitMs(now: number): number {
    this.#count(now);
    return Math.max(0, (1 - this.#left) * EVERY_MS);
  }

  #count(now: number): void {
    this.#left = Math.min(AT_ONCE, this.#left + (now - this.#countedAt) / EVERY_MS);
    this.#countedAt = now;
  }
}
