/** Over time, at most ten updates a second. */
const EVERY_MS = 100;
/** After quiet, so many at once: what a pass of the reaper tells first must not hold up what it did. */
const AT_ONCE = 3;

/** When the next update may go out. Times are elapsed milliseconds. */
export class UpdateRhythm {
  #left = AT_ONCE;
  #countedAt: number;

  constructor(now: number) {
    this.#countedAt = now;
  }

  /** One went out. */
  told(now: number): void {
    this.#count(now);
    this.#left -= 1;
  }

  /** 0 when it may go at once. */
  waitMs(now: number): number {
    this.#count(now);
    return Math.max(0, (1 - this.#left) * EVERY_MS);
  }

  #count(now: number): void {
    this.#left = Math.min(AT_ONCE, this.#left + (now - this.#countedAt) / EVERY_MS);
    this.#countedAt = now;
  }
}
