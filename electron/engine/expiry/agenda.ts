import type { Clock } from '../platform/clock.ts';
import type { Allowances } from './allowances.ts';
import type { SourceFailures } from './failures.ts';
import { cutoffOf, isDueAt, lookFor } from './looks.ts';
import type { NextDeadlines } from './next-deadlines.ts';
import type { ExpiryStore, PassEnding, ReapSource } from './port.ts';

export interface AgendaOptions {
  store: ExpiryStore;
  clock: Clock;
  deadlines: NextDeadlines;
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

  /** How the pass of a source ends that has had its last turn for now. */
  endingOf(source: ReapSource, now: number): PassEnding {
    if (source.isHeld) return 'held';
    if (source.isPaused) return 'paused';
    return isDueAt(this.#options.deadlines.of(source), cutoffOf(source, now)) ? 'limit' : 'drained';
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

  #isActionable(source: ReapSource, now: number): boolean {
    const { deadlines, failures, onFailure } = this.#options;
    if (source.isPaused || source.isHeld || failures.retryAt(source) > now) return false;
    try {
      return isDueAt(deadlines.of(source), cutoffOf(source, now));
    } catch (error) {
      onFailure(source, error);
      return false;
    }
  }

  #wakeFor(source: ReapSource, now: number): number {
    const { deadlines, allowances, failures, onFailure } = this.#options;
    if (source.isPaused || source.isHeld) return Number.POSITIVE_INFINITY;
    if (failures.retryAt(source) <= now) {
      try {
        const deadline = deadlines.of(source);
        if (deadline === null) return Number.POSITIVE_INFINITY;
        return Math.max(lookFor(source, deadline), allowances.notBefore(source, now));
      } catch (error) {
        onFailure(source, error);
      }
    }
    return failures.retryAt(source);
  }
}
