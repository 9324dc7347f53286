import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { BatchResult, ExpiryStore, PassTrigger, ReapSource, StaleEntries } from './expiry-store.ts';
import { DrainRate } from './meters/drain-rate.ts';
import type { MeterRegistry } from './meters.ts';
import type { NextDeadlines } from './next-deadlines.ts';
import type { Passes } from './passes.ts';
import { isDueAt } from './schedule/ticks.ts';

/** Target as a share of the time a batch may hold the writer, since a commit sometimes takes longer than usual. */
const TARGET_SHARE = 0.5;

export interface BatchRunnerOptions {
  store: ExpiryStore;
  clock: Clock;
  log: Logger;
  meters: MeterRegistry;
  passes: Passes;
  deadlines: NextDeadlines;
  /** Number of calls now waiting for the writer. */
  callsWaiting(): number;
}

export interface Batch {
  /** Epoch ms [R2]. */
  cutoff: number;
  /** Documents, at least 1. */
  maxDocuments: number;
  trigger: PassTrigger;
  /** True if no other source of the collection has due documents left [R7]. */
  isLast: boolean;
}

/** Runs single batches: sets their time budget, measures them, and rejects a batch without progress. */
export class BatchRunner {
  readonly #options: BatchRunnerOptions;
  readonly #drainRate = new DrainRate();

  constructor(options: BatchRunnerOptions) {
    this.#options = options;
  }

  /** Documents per second while draining, changed ones included; above 0. Null if never measured. */
  get drainRate(): number | null {
    return this.#drainRate.perSecond;
  }

  /** Throws the errors of the store, and an error if a batch changed nothing although documents are due. */
  run(source: ReapSource, { cutoff, maxDocuments, trigger, isLast }: Batch): BatchResult {
    const { store, clock, log, meters, passes, deadlines } = this.#options;
    const pass = passes.begin(source, trigger);
    deadlines.invalidate(source);
    const result = store.reap(
      source,
      { cutoff, budgetMs: () => this.budgetMs(source), maxDocuments, isLast },
      pass,
    );
    const { collection, index } = source;
    if (result.stale > 0) logStaleEntries(log, { collection, index, entries: result.stale });
    const processed = processedCount(result);
    if (processed + result.stale === 0 && isDueAt(deadlines.of(source), cutoff)) {
      throw new Error(`${source.collection}: ${source.index} has documents due that it cannot remove`);
    }
    meters.batch(source.collection, result, clock.now());
    this.#drainRate.measure({ ...result, processed, maxDocuments });
    return result;
  }

  /** Returns the time budget in ms of a source or, without one, of sweeping; less while calls wait [R5]. */
  budgetMs(source?: ReapSource): number {
    const { store, callsWaiting } = this.#options;
    const { batchMs, batchMsWhileCallsWait } = store.settings();
    const target = TARGET_SHARE * (source?.limits.batchMs ?? batchMs);
    return callsWaiting() > 0 ? Math.min(target, batchMsWhileCallsWait) : target;
  }
}

export function logStaleEntries(log: Logger, { collection, index, entries }: StaleEntries): void {
  log.error('dropped index entries that disagreed with their documents; no document was removed', {
    collection,
    index,
    entries,
  });
}

/** Returns the number of documents that a batch processed. */
export function processedCount({ removed, changed, quarantined }: BatchResult): number {
  return removed + changed + quarantined;
}
