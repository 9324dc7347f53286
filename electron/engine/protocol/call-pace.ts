import type { Clock } from '../platform/clock.ts';

/** A call within this time makes the next one likely, ms. */
const RECENT_MS = 50;

/**
 * Tells whether calls follow each other closely. Work that can wait then leaves them time: most calls that arrive find no
 * call waiting before them, so that a step that looks only for waiting calls has been running at its full length.
 */
export class CallPace {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #arrived: () => number;
  #last: number;
  #lastAt = Number.NEGATIVE_INFINITY;

  /** `arrived` returns how many calls have arrived so far. */
  constructor(clock: Pick<Clock, 'elapsed'>, arrived: () => number) {
    this.#clock = clock;
    this.#arrived = arrived;
    this.#last = arrived();
  }

  /** Whether a call arrived within the last 50 ms, or since the last time this was read. */
  get isBusy(): boolean {
    const now = this.#clock.elapsed();
    const arrived = this.#arrived();
    if (arrived !== this.#last) {
      this.#last = arrived;
      this.#lastAt = now;
    }
    return now - this.#lastAt < RECENT_MS;
  }
}
