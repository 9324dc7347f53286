import type { Clock } from '../platform/clock.ts';

/** A moment of this machine: its stopwatch, and its uptime, which includes suspend and is coarser. */
export interface Moment {
  readonly elapsed: number;
  readonly uptime: number;
}

/** Error of the uptime, ms. */
const COARSE_MS = 1_500;

export interface StalenessOptions {
  clock: Clock;
  syncTimeoutMs: number;
  /** Called each time that the mirror becomes stale, after the listeners. */
  onStale(): void;
}

/**
 * Whether a follower is *current* or *stale*. It becomes current when it has applied every revision that the leader had
 * at the moment of a call, and stale when the last such call is `syncTimeout` old. The time of the call counts and not
 * that of the answer, since an answer can be delayed.
 */
export class Staleness {
  readonly #options: StalenessOptions;
  readonly #listeners = new Set<() => void>();
  /** Moment of the last call whose answer is completely applied; null: stale. */
  #currentAsOf: Moment | null = null;
  #cancelTimer: (() => void) | null = null;

  constructor(options: StalenessOptions) {
    this.#options = options;
  }

  get isStale(): boolean {
    return this.#currentAsOf === null || this.#ageOf(this.#currentAsOf) >= this.#options.syncTimeoutMs;
  }

  now(): Moment {
    const { clock } = this.#options;
    return { elapsed: clock.elapsed(), uptime: clock.uptime() };
  }

  /** Calls `listener` each time the mirror becomes stale, until the returned function is called. */
  onStale(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Records that the answer to a call is completely applied. Returns whether the mirror was stale and is current now.
   */
  caughtUp(calledAt: Moment): boolean {
    const { clock, syncTimeoutMs } = this.#options;
    const wasStale = this.#currentAsOf === null;
    // An answer that was delayed for longer does not show the leader's present state.
    const ageMs = this.#ageOf(calledAt);
    if (ageMs >= syncTimeoutMs) return false;
    this.#currentAsOf = calledAt;
    this.#cancelTimer?.();
    this.#cancelTimer = clock.setTimer(syncTimeoutMs - ageMs, () => this.becomeStale());
    return wasStale;
  }

  becomeStale(): void {
    this.stop();
    if (this.#currentAsOf === null) return;
    this.#currentAsOf = null;
    for (const listener of this.#listeners) listener();
    this.#options.onStale();
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #ageOf({ elapsed, uptime }: Moment): number {
    const { clock } = this.#options;
    return Math.max(clock.elapsed() - elapsed, clock.uptime() - uptime - COARSE_MS);
  }
}
