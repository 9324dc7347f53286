import type { Clock } from '../platform/clock.ts';
import type { ExpiryStore } from './expiry-store.ts';
import { isDueAt } from './schedule/ticks.ts';

/** About 60 MB of memory on each of two connections. */
const MAX_UNSWEPT = 2_000_000;
/** If the next deadline is nearer than this, sweeping waits, and later reclaims more at once. */
const SHORTEST_MS = 2;

export interface SweepSchedulerOptions {
  store: ExpiryStore;
  clock: Clock;
  yieldToCalls(): Promise<void>;
  /** Time that a step may hold the writer, ms. */
  budgetMs(): number;
  /** Returns when the next document becomes due, epoch ms; null if no deadline is known. */
  nextWake(): number | null;
  /** Whether something was written since the reaper last checked. */
  isWoken(): boolean;
  isStopped(): boolean;
  maxUnswept?: number;
}

/**
 * Reclaims the space of removed documents in steps: when nothing is due, and alternating with removal above a bound. With
 * nothing left to reclaim, it prepares the next removals.
 */
export class SweepScheduler {
  readonly #options: SweepSchedulerOptions;
  readonly #maxInMemory: number;

  constructor(options: SweepSchedulerOptions) {
    this.#options = options;
    this.#maxInMemory = options.maxUnswept ?? MAX_UNSWEPT;
  }

  /**
   * Sweeps until nothing is left, until a document is due (returns true), or until one will be due within the next
   * milliseconds.
   */
  async untilDue(): Promise<boolean> {
    const { store, clock, yieldToCalls, budgetMs, nextWake, isWoken, isStopped } = this.#options;
    while (!isStopped()) {
      const now = clock.now();
      const next = nextWake();
      if (isWoken() || isDueAt(next, now)) return true;
      const quietMs = next === null ? Number.POSITIVE_INFINITY : next - now;
      if (quietMs < SHORTEST_MS && !this.#isAbove(1 / 40)) return false;
      const mostMs = Math.max(quietMs, SHORTEST_MS);
      if (!store.sweep(() => Math.min(budgetMs(), mostMs)) && !store.prepareNext()) return false;
      await yieldToCalls();
    }
    return false;
  }

  /**
   * Sweeps one step between two batches, so that constant removal does not prevent sweeping; above a bound, of memory or
   * of the disk, sweeps until it is reached.
   */
  async inTurn(): Promise<void> {
    const { store, yieldToCalls, budgetMs, isStopped } = this.#options;
    while (!isStopped() && this.#isAbove(1 / 2)) {
      if (!store.sweep(budgetMs)) return;
      await yieldToCalls();
      if (!this.#isAbove(1)) return;
    }
  }

  /** Whether more is unswept than a share of a bound. */
  #isAbove(share: number): boolean {
    const { store } = this.#options;
    return (
      store.unsweptInMemory() > share * this.#maxInMemory || store.unswept() > share * store.mostUnswept()
    );
  }
}
