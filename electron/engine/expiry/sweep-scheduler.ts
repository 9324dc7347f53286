import type { Clock } from '../platform/clock.ts';
import { errorFields, type Logger } from '../platform/logger.ts';
import type { ExpiryStore, OnUnprepared } from './expiry-store.ts';
import { isDueAt } from './schedule/ticks.ts';

/** About 60 MB of memory on each of two connections. */
const MAX_UNSWEPT = 2_000_000;
/** Part of its usual time that a step takes while calls wait: space can be reclaimed later. */
const SHARE_WHILE_CALLS_WAIT = 1 / 3;
/**
 * While calls are frequent, the writer rests for so many times the duration of each step: Redis also spends at most a quarter
 * of its time on expiry. Less if more than half as much is unswept as ends the rests.
 */
const REST = 3;
const SHORTER_REST = 1;
/** Longest part of a rest, ms: a document may be written that is due at once. */
const REST_PART_MS = 4;
/** If the next deadline is nearer than this, sweeping waits, and later reclaims more at once. */
const SHORTEST_MS = 2;

export interface SweepSchedulerOptions {
  store: ExpiryStore;
  clock: Clock;
  log: Logger;
  yieldToCalls(): Promise<void>;
  /** Resolves when the store accepts changes again; null if it does now. */
  suspended?: () => Promise<void> | null;
  /** Number of calls now waiting for the writer. */
  callsWaiting(): number;
  /** Whether calls follow each other closely: then each step is short, and the writer is left alone for longer after it. */
  areCallsFrequent(): boolean;
  /** Time that a step may hold the writer, ms. */
  budgetMs(): number;
  /** Returns when the next document becomes due, epoch ms; null if no deadline is known. */
  nextWake(): number | null;
  /** Whether something was written since the reaper last checked. */
  isWoken(): boolean;
  /** Whether something waits for the end of sweeping, which goes on after it. */
  isAwaited(): boolean;
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
   * Sweeps until nothing is left, until a document is due (returns true), until one will be due within the next
   * milliseconds, or until something waits for the end of it.
   */
  async untilDue(): Promise<boolean> {
    const { store, clock, yieldToCalls, suspended, nextWake, isWoken } = this.#options;
    while (!this.#isEnding()) {
      // A call may have suspended writes during the rest.
      const ended = suspended?.() ?? null;
      if (ended !== null) await ended;
      const now = clock.now();
      const next = nextWake();
      if (isWoken() || isDueAt(next, now)) return true;
      const quietMs = next === null ? Number.POSITIVE_INFINITY : next - now;
      if (quietMs < SHORTEST_MS && !this.#isAbove(1 / 40)) return false;
      const mostMs = Math.max(quietMs, SHORTEST_MS);
      const began = clock.elapsed();
      const budgetMs = this.#budgetMs();
      if (!store.sweep(() => Math.min(budgetMs(), mostMs)) && !store.prepareNext(this.#unprepared))
        return false;
      const tookMs = clock.elapsed() - began;
      await yieldToCalls();
      await this.#rest(Math.min(this.#restShare() * tookMs, mostMs));
    }
    return false;
  }

  readonly #unprepared: OnUnprepared = ({ collection, index }, error) => {
    const fields = { collection, index, ...errorFields(error) };
    this.#options.log.warn('a removal could not be prepared, and will take longer when it is due', fields);
  };

  /** Returns the time of one step, ms, which decreases during it if a call starts to wait. */
  #budgetMs(): () => number {
    const { store, budgetMs, callsWaiting } = this.#options;
    if (this.#restShare() === 0) return budgetMs;
    const { batchMsWhileCallsWait } = store.settings();
    return () =>
      Math.min(budgetMs(), batchMsWhileCallsWait) * (callsWaiting() > 0 ? SHARE_WHILE_CALLS_WAIT : 1);
  }

  /** Returns how long the writer rests after a step, as a multiple of its duration: 0 unless calls are frequent. */
  #restShare(): number {
    if (!this.#options.areCallsFrequent() || this.#isAbove(1 / 2)) return 0;
    return this.#isAbove(1 / 4) ? SHORTER_REST : REST;
  }

  /** Waits until a document is due, at most for `ms`. Writes alone do not end it: beside puts there would be no rest. */
  async #rest(ms: number): Promise<void> {
    const { clock, nextWake } = this.#options;
    const isOver = () => this.#isEnding() || isDueAt(nextWake(), clock.now());
    for (let left = ms; left > 0 && !isOver(); left -= REST_PART_MS)
      await clock.sleep(Math.min(left, REST_PART_MS));
  }

  #isEnding(): boolean {
    return this.#options.isStopped() || this.#options.isAwaited();
  }

  /**
   * Sweeps one step between two batches, so that constant removal does not prevent sweeping; above a bound, of memory or
   * of the disk, sweeps until it is reached.
   */
  async inTurn(): Promise<void> {
    const { store, yieldToCalls, suspended, budgetMs, isStopped } = this.#options;
    while (!isStopped() && this.#isAbove(1 / 2)) {
      const ended = suspended?.() ?? null;
      if (ended !== null) await ended;
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
