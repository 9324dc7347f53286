import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { MeterBook } from './meters.ts';
import type { NextDeadlines } from './next-deadlines.ts';
import type { PassBook } from './passes.ts';
import type { BatchResult, ExpiryStore, PassTrigger, ReapSource } from './port.ts';
import { isDueAt } from './schedule/ticks.ts';

/** A part of what a batch may hold the writer: now and then a commit takes longer than it usually does. */
const AIMED_AT = 0.5;

export interface BatchesOptions {
  store: ExpiryStore;
  clock: Clock;
  log: Logger;
  meters: MeterBook;
  passes: PassBook;
  deadlines: NextDeadlines;
  /** Calls that wait for the writer at this moment. */
  callsWaiting(): number;
}

export interface Batch {
  /** Epoch ms [R2]. */
  cutoff: number;
  /** Documents, at least 1. */
  most: number;
  trigger: PassTrigger;
  /** No other source of its collection has anything left [R7]. */
  isLast: boolean;
}

/** Single batches: how long each may take, what is measured of it, and that none goes on without getting anywhere. */
export class Batches {
  readonly #options: BatchesOptions;
  /** Documents a second while draining, changed ones too, as last measured: above 0. Null: never. */
  drainRate: number | null = null;

  constructor(options: BatchesOptions) {
    this.#options = options;
  }

  /** Throws what the store throws, and when it left everything as it was though something is due. */
  run(source: ReapSource, { cutoff, most, trigger, isLast }: Batch): BatchResult {
    const { store, clock, log, meters, passes, deadlines } = this.#options;
    const pass = passes.of(source, trigger);
    deadlines.forget(source);
    const result = store.reap(source, { cutoff, budgetMs: () => this.budgetMs(source), most, isLast }, pass);
    if (result.stale > 0)
      log.error(
        'entries that do not agree with their documents were dropped; no document was removed by them',
        {
          collection: source.collection,
          index: source.index,
          entries: result.stale,
        },
      );
    const taken = takenBy(result);
    if (taken + result.stale === 0 && isDueAt(deadlines.of(source), cutoff)) {
      throw new Error(`${source.collection}: ${source.index} has documents due that it cannot remove`);
    }
    meters.batch(source.collection, result, clock.now());
    if (!result.isDrained && result.heldMs > 0 && taken > 0) this.drainRate = (taken / result.heldMs) * 1000;
    return result;
  }

  /** Of a source or, for sweeping, of the store; less while calls wait [R5]. */
  budgetMs(source?: ReapSource): number {
    const { store, callsWaiting } = this.#options;
    const { batchMs, batchMsWhileCallsWait } = store.settings();
    const alone = AIMED_AT * (source?.limits.batchMs ?? batchMs);
    return callsWaiting() > 0 ? Math.min(alone, batchMsWhileCallsWait) : alone;
  }
}

/** How many documents a batch took up. */
export function takenBy({ removed, changed, quarantined }: BatchResult): number {
  return removed + changed + quarantined;
}
