const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 300_000;
/** After so long without a failure the next one is the first again. */
const QUIET_MS = 600_000;

/** How long to wait before a store is copied anew: replays that fail again and again must not copy in a tight loop. */
export class CopyBackoff {
  #failedAt: number | null = null;
  #nextMs = 0;

  /** Returns how many ms to wait after a failure at `elapsed` ms of the stopwatch: none, 1 s, 2 s, … 5 min. */
  failed(elapsed: number): number {
    if (this.#failedAt !== null && elapsed - this.#failedAt > QUIET_MS) this.#nextMs = 0;
    const waitMs = this.#nextMs;
    this.#failedAt = elapsed + waitMs;
    this.#nextMs = Math.min(LONGEST_WAIT_MS, Math.max(FIRST_WAIT_MS, waitMs * 2));
    return waitMs;
  }
}
