import type { Clock } from '../platform/clock.ts';
import type { ExpiryStore } from './port.ts';
import { isDueAt } from './schedule/ticks.ts';

/** Some 60 MB on each of two connections. */
const MOST_UNSWEPT = 2_000_000;
/** Where less is left before the next deadline, what was removed waits to be freed together with more. */
const SHORTEST_MS = 2;

export interface SweepingOptions {
  store: ExpiryStore;
  clock: Clock;
  giveWay(): Promise<void>;
  /** How long a step may hold the writer. */
  budgetMs(): number;
  /** When something falls due next, epoch ms; null: nothing is in sight. */
  nextWake(): number | null;
  /** Something was written since the reaper looked last. */
  isWoken(): boolean;
  isStopped(): boolean;
  mostUnswept?: number;
}

/** Frees what was removed, a step at a time: when nothing is due, and in turn with removal where there is too much. */
export class Sweeping {
  readonly #options: SweepingOptions;
  readonly #mostUnswept: number;

  constructor(options: SweepingOptions) {
    this.#options = options;
    this.#mostUnswept = options.mostUnswept ?? MOST_UNSWEPT;
  }

  /** Until nothing is left, or something falls due (true), or does so within the next milliseconds. */
  async untilDue(): Promise<boolean> {
    const { store, clock, giveWay, budgetMs, nextWake, isWoken, isStopped } = this.#options;
    while (!isStopped()) {
      const now = clock.now();
      const next = nextWake();
      if (isWoken() || isDueAt(next, now)) return true;
      const quietMs = next === null ? Number.POSITIVE_INFINITY : next - now;
      if (quietMs < SHORTEST_MS && store.unswept() < this.#mostUnswept / 40) return false;
      const mostMs = Math.max(quietMs, SHORTEST_MS);
      if (!store.sweep(() => Math.min(budgetMs(), mostMs))) return false;
      await giveWay();
    }
    return false;
  }

  /** Where something is due all the time, nothing would ever be freed: a step, and from a bound on nothing but steps. */
  async inTurn(): Promise<void> {
    const { store, giveWay, budgetMs, isStopped } = this.#options;
    while (!isStopped() && store.unswept() > this.#mostUnswept / 2) {
      if (!store.sweep(budgetMs)) return;
      await giveWay();
      if (store.unswept() <= this.#mostUnswept) return;
    }
  }
}
