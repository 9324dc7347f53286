import type { Clock } from '../platform/clock.ts';
import type { SourceFailures } from './failures.ts';
import type { LastLooks } from './last-ticks.ts';
import type { NextDeadlines } from './next-deadlines.ts';
import type { ExpiryStore, PassEnding, ReapSource } from './port.ts';
import type { Allowances } from './rate-limits.ts';
import { actionAt, hasSchedule, isDueAt } from './schedule/ticks.ts';

export interface AgendaOptions {
  store: ExpiryStore;
  clock: Clock;
  deadlines: NextDeadlines;
  looks: LastLooks;
  allowances: Allowances;
  failures: SourceFailures;
  /** A source cannot even be asked: it is put off like one whose batch threw [R4]. */
  onFailure(source: ReapSource, error: unknown): void;
}

/** Which sources may act now, in what order, and when the next one may. Times are epoch ms. */
export class Agenda {
  readonly #options: AgendaOptions;

  constructor(options: AgendaOptions) {
    this.#options = options;
  }

  /** The source as it is now; null: it was dropped. */
  source(key: string): ReapSource | null {
    return this.#options.store.sources().find(source => source.key === key) ?? null;
  }

  /** Those that may act, by their next deadline; where it is the same, the oldest first, as the store lists them [R4]. */
  due(now: number): ReapSource[] {
    const { store, deadlines } = this.#options;
    return store
      .sources()
      .filter(source => this.mayAct(source, now))
      .sort((a, b) => (deadlines.of(a) ?? 0) - (deadlines.of(b) ?? 0));
  }

  mayAct(source: ReapSource, now: number): boolean {
    return this.#isActionable(source, now) && this.#options.allowances.notBefore(source, now) <= now;
  }

  /** Something is due, and put off by nothing but its limits. */
  isAnyLimited(now: number): boolean {
    const { store, allowances } = this.#options;
    return store
      .sources()
      .some(source => this.#isActionable(source, now) && allowances.notBefore(source, now) > now);
  }

  /** How a pass ends whose sources `left` had more to remove after their last turn: a limit where one of them goes on later. */
  endingOf(left: readonly ReapSource[], now: number): PassEnding {
    const endings = left.map(source => this.#endingOf(source, now));
    const stops = ['limit', 'held', 'paused'] as const;
    return stops.find(ending => endings.includes(ending)) ?? 'drained';
  }

  /** The latest instant up to which nothing is left: a source that looks at set times keeps what is due until then. */
  goneUpTo(now: number): number {
    let gone = now;
    for (const source of this.#options.store.sources()) {
      const deadline = source.isPaused || source.isHeld ? null : this.#options.deadlines.of(source);
      if (deadline !== null && deadline <= gone) gone = deadline - 1;
    }
    return gone;
  }

  /** When the reaper has something to do next; null: nothing is in sight. */
  nextWake(): number | null {
    const { store, clock } = this.#options;
    const now = clock.now();
    const next = Math.min(...store.sources().map(source => this.#wakeFor(source, now)));
    return Number.isFinite(next) ? next : null;
  }

  #endingOf(source: ReapSource, now: number): PassEnding {
    if (source.isHeld) return 'held';
    if (source.isPaused) return 'paused';
    const { deadlines, looks } = this.#options;
    // A cap ends the look of what it stops, so the cutoff is the look's, whether it goes on or not.
    const cutoff = hasSchedule(source) ? looks.of(source, now).at : looks.cutoff(source, now);
    return isDueAt(deadlines.of(source), cutoff) ? 'limit' : 'drained';
  }

  #isActionable(source: ReapSource, now: number): boolean {
    const { deadlines, looks, failures, onFailure } = this.#options;
    if (source.isPaused || source.isHeld || failures.retryAt(source) > now) return false;
    try {
      return isDueAt(deadlines.of(source), looks.cutoff(source, now));
    } catch (error) {
      onFailure(source, error);
      return false;
    }
  }

  #wakeFor(source: ReapSource, now: number): number {
    const { store, deadlines, looks, allowances, failures, onFailure } = this.#options;
    if (source.isPaused || source.isHeld) return Number.POSITIVE_INFINITY;
    if (failures.retryAt(source) <= now) {
      try {
        const deadline = deadlines.of(source);
        if (deadline === null) return Number.POSITIVE_INFINITY;
        const look = hasSchedule(source) ? looks.of(source, now) : source.look;
        const at = actionAt(source, look, store.settings(), deadline);
        return Math.max(at, allowances.notBefore(source, now));
      } catch (error) {
        onFailure(source, error);
      }
    }
    return failures.retryAt(source);
  }
}
