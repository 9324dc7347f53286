const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 300_000;
/** After this long without a failure the delay starts at zero again. */
const QUIET_MS = 600_000;

/** Delay before a store is copied again: replays that fail repeatedly must not copy in a tight loop. */
export class CopyBackoff {
  #failedAt: number | null = null;
  #nextMs = 0;

  /** Returns the delay after a failure at `elapsed` ms of the stopwatch: 0, 1 s, 2 s, … 5 min. */
  failed(elapsed: number): number {
    if (this.#failedAt !== null && elapsed - this.#failedAt > QUIET_MS) this.#nextMs = 0;
    const waitMs = this.#nextMs;
    this.#failedAt = elapsed + waitMs;
    this.#nextMs = Math.min(LONGEST_WAIT_MS, Math.max(FIRST_WAIT_MS, waitMs * 2));
    return waitMs;
  }
}
