const FIRST = 1_000;
const FEWEST = 10;
const MOST = 50_000;
/** A batch of few rows may take this many times its target. */
const TOLERATED = 4;
/** Time that one batch holds its row locks, ms, where the definition sets none. */
export const BATCH_MS = 50;

/** Rows of the next batch, so that it takes about its target time. */
export class BatchSize {
  #rows = FIRST;

  /** Most rows of the next batch. `limit`: the definition's batch size; 0: none [R3]. */
  next(limit: number): number {
    return limit === 0 ? this.#rows : Math.min(limit, this.#rows);
  }

  /** A full batch took `ms`. `targetMs`: the definition's batch time. */
  measured(ms: number, targetMs = BATCH_MS): void {
    const factor = Math.min(2, Math.max(0.5, targetMs / Math.max(ms, 0.1)));
    // On a busy machine most of the time of a small batch is waiting: smaller ones would remove less in the same time.
    if (factor < 1 && this.#rows <= FIRST && ms < TOLERATED * targetMs) return;
    this.#rows = Math.round(Math.min(MOST, Math.max(FEWEST, this.#rows * factor)));
  }

  /** A batch exceeded the statement timeout. Returns whether a smaller one is possible. */
  shrink(): boolean {
    if (this.#rows <= FEWEST) return false;
    this.#rows = Math.max(FEWEST, Math.round(this.#rows / 4));
    return true;
  }
}
