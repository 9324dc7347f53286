import type { Clock } from './clock.ts';
import { GuardedClock } from './guarded-clock.ts';

/** State of the clock that another thread guards; see `protocol/shared-flags.ts`. */
interface GuardState {
  readonly changes: number;
  readonly isHolding: boolean;
}

/** Longest time for which a clock that follows again waits for the wall clock, and more than that, ms. */
const SETTLING_MS = 1_000;

/**
 * The trusted time [R10] for a thread beside the one that guards the clock. It is known only while both follow the wall clock:
 * a jump is noticed here too, and the time is then unknown until the guard has decided about it.
 */
export class ReaderClock {
  readonly #clock: Clock;
  readonly #guard: GuardState;
  readonly #own: GuardedClock;
  #seen: number;
  #settledAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, guard: GuardState, boundMs: () => number) {
    this.#clock = clock;
    this.#guard = guard;
    this.#seen = guard.changes;
    this.#own = new GuardedClock({ clock, boundMs, onChange: () => {} });
  }

  /** Returns the trusted time, epoch ms; null if only the guard knows it. */
  now(): number | null {
    const { changes, isHolding } = this.#guard;
    if (changes !== this.#seen) {
      this.#seen = changes;
      this.#settledAt = this.#clock.elapsed() + SETTLING_MS;
      this.#own.accept();
    }
    if (isHolding || this.#clock.elapsed() < this.#settledAt) return null;
    const now = this.#own.now();
    return this.#own.jump === null ? now : null;
  }
}
