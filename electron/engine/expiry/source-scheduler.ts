import type { Clock } from '../platform/clock.ts';
import type { ExpiryStore, PassEnding, ReapSource } from './expiry-store.ts';
import type { SourceFailures } from './failures.ts';
import type { LastTicks } from './last-ticks.ts';
import type { NextDeadlines } from './next-deadlines.ts';
import type { RateLimits } from './rate-limits.ts';
import { actionAt, hasSchedule, isDueAt } from './schedule/ticks.ts';

export interface SourceSchedulerOptions {
  store: ExpiryStore;
  clock: Clock;
  deadlines: NextDeadlines;
  ticks: LastTicks;
  rateLimits: RateLimits;
  failures: SourceFailures;
  /** Called if the next deadline of a source cannot be read; the source is retried like one whose batch threw [R4]. */
  onFailure(source: ReapSource, error: unknown): void;
}

/** Decides which sources may act now, in which order, and when the next one may. Times are epoch ms. */
export class SourceScheduler {
  readonly #options: SourceSchedulerOptions;

  constructor(options: SourceSchedulerOptions) {
    this.#options = options;
  }

  /** Returns the current state of the source; null if it was dropped. */
  source(key: string): ReapSource | null {
    return this.#options.store.sources().find(source => source.key === key) ?? null;
  }

  /** Returns the sources that may act, by next deadline; ties in the store's order, oldest first [R4]. */
  due(now: number): ReapSource[] {
    const { store, deadlines } = this.#options;
    return store
      .sources()
      .filter(source => this.mayAct(source, now))
      .sort((a, b) => (deadlines.of(a) ?? 0) - (deadlines.of(b) ?? 0));
  }

  /** `cutoff`: of the round that is running, which began before `now` [R2]. */
  mayAct(source: ReapSource, now: number, cutoff = now): boolean {
    return this.#isActionable(source, now, cutoff) && this.#options.rateLimits.notBefore(source, now) <= now;
  }

  /** Returns whether a source has due documents and only its limits delay it. */
  isAnyLimited(now: number): boolean {
    const { store, rateLimits } = this.#options;
    return store
      .sources()
      .some(source => this.#isActionable(source, now) && rateLimits.notBefore(source, now) > now);
  }

  /**
   * Returns how a pass ends whose sources `left` had more to remove after their last turn: `limit` if one of them
   * continues later.
   */
  endingOf(left: readonly ReapSource[], now: number): PassEnding {
    const endings = left.map(source => this.#endingOf(source, now));
    const stops = ['limit', 'held', 'paused'] as const;
    return stops.find(ending => endings.includes(ending)) ?? 'drained';
  }

  /**
   * Returns the latest instant up to which no due document is left. A scheduled source keeps due documents until its
   * next tick.
   */
  drainedUpTo(now: number): number {
    let gone = now;
    for (const source of this.#options.store.sources()) {
      const deadline = source.isPaused || source.isHeld ? null : this.#options.deadlines.of(source);
      if (deadline !== null && deadline <= gone) gone = deadline - 1;
    }
    return gone;
  }

  /** Returns when the reaper next has work; null if no deadline is known. */
  nextWake(): number | null {
    const { store, clock } = this.#options;
    const now = clock.now();
    const next = Math.min(...store.sources().map(source => this.#wakeFor(source, now)));
    return Number.isFinite(next) ? next : null;
  }

  #endingOf(source: ReapSource, now: number): PassEnding {
    if (source.isHeld) return 'held';
    if (source.isPaused) return 'paused';
    const { deadlines, ticks } = this.#options;
    // A cap ends the tick of the source it stops, so the cutoff is the tick's, whether or not the tick continues.
    const cutoff = hasSchedule(source) ? ticks.of(source, now).at : ticks.cutoff(source, now);
    return isDueAt(deadlines.of(source), cutoff) ? 'limit' : 'drained';
  }

  #isActionable(source: ReapSource, now: number, cutoff = now): boolean {
    const { deadlines, ticks, failures, onFailure } = this.#options;
    if (source.isPaused || source.isHeld || failures.retryAt(source, now) > now) return false;
    try {
      return isDueAt(deadlines.of(source), Math.min(cutoff, ticks.cutoff(source, now)));
    } catch (error) {
      onFailure(source, error);
      return false;
    }
  }

  #wakeFor(source: ReapSource, now: number): number {
    const { store, deadlines, ticks, rateLimits, failures, onFailure } = this.#options;
    if (source.isPaused || source.isHeld) return Number.POSITIVE_INFINITY;
    if (failures.retryAt(source, now) <= now) {
      try {
        const deadline = deadlines.of(source);
        if (deadline === null) return Number.POSITIVE_INFINITY;
        const tick = hasSchedule(source) ? ticks.of(source, now) : source.tick;
        const at = actionAt(source, tick, store.settings(), deadline);
        // An open tick that is ahead, since the clock was set back, acts at each deadline.
        const isAhead = at === tick.at && at > now;
        return Math.max(isAhead ? deadline : at, rateLimits.notBefore(source, now));
      } catch (error) {
        onFailure(source, error);
      }
    }
    return failures.retryAt(source, now);
  }
}
