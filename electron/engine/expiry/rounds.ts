import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import { type BatchRunner, processedCount } from './batch-runner.ts';
import type { ExpiryStore, PassTrigger, ReapSource } from './expiry-store.ts';
import type { SourceFailures } from './failures.ts';
import type { LastTicks } from './last-ticks.ts';
import type { Passes } from './passes.ts';
import type { RateLimits } from './rate-limits.ts';
import type { SourceScheduler } from './source-scheduler.ts';

const TRIGGERS = { every: 'interval', cron: 'cron' } as const;

export interface RoundsOptions {
  store: ExpiryStore;
  clock: Clock;
  log: Logger;
  scheduler: SourceScheduler;
  batches: BatchRunner;
  passes: Passes;
  ticks: LastTicks;
  rateLimits: RateLimits;
  failures: SourceFailures;
  /** Called if the batch of a source threw. */
  onFailure(source: ReapSource, error: unknown): void;
  /** Resolves when waiting calls have run; called between two batches. */
  yieldToCalls(): Promise<void>;
  /** Resolves when background work that would slow the next batch has settled. */
  settled?: () => Promise<void>;
  /** Resolves when the store accepts changes again; null if it does now. */
  suspended?: () => Promise<void> | null;
  isStopped(): boolean;
}

/**
 * Runs rounds of batches. A round fixes its cutoff [R2], then runs one batch of every source with due documents in turn,
 * in the order of their next deadlines [R4], as large as its limits allow [R3], with waiting calls between them. When no
 * source may act any more, the passes end [R7].
 */
export class Rounds {
  readonly #options: RoundsOptions;
  /** Sources that had more to remove after their last turn. */
  readonly #unfinished = new Map<string, ReapSource>();
  /** A source of each collection processed since the passes last ended. */
  readonly #collections = new Map<number, ReapSource>();
  /** Sources that had more to remove when a limit ended their pass, by collection. */
  readonly #limited = new Map<number, readonly ReapSource[]>();

  constructor(options: RoundsOptions) {
    this.#options = options;
  }

  /** Runs one batch of each source that is due, all up to the cutoff `roundAt`, epoch ms. */
  async run(due: readonly ReapSource[], roundAt: number, trigger: PassTrigger): Promise<void> {
    const { scheduler, clock, yieldToCalls, settled, suspended, isStopped } = this.#options;
    for (const source of due) this.#unfinished.set(source.key, source);
    for (const { key } of due) {
      // A call may have suspended writes since the last batch.
      const ended = suspended?.() ?? null;
      if (ended !== null) await ended;
      if (isStopped()) return;
      // Other calls write between two batches: the source may have been dropped, paused or put off.
      const source = scheduler.source(key);
      // A round may take longer than a capped pass waits; and if the clock was set back meanwhile [R10], less is due [D10].
      const now = clock.now();
      if (source === null || !scheduler.mayAct(source, now, roundAt)) continue;
      this.#collections.set(source.collectionId, source);
      this.#runBatch(source, Math.min(roundAt, this.#options.ticks.cutoff(source, now)), trigger);
      await yieldToCalls();
      // A batch that drained its source was short, so the next one starts without waiting.
      if (this.#unfinished.has(key)) await settled?.();
    }
  }

  /** One that throws is retried later, and the others continue [R4]. */
  #runBatch(source: ReapSource, cutoff: number, trigger: PassTrigger): void {
    const { batches, clock, failures, log, rateLimits } = this.#options;
    const { mode } = source.schedule;
    const isLast = ![...this.#unfinished.values()].some(
      other => other.key !== source.key && other.collectionId === source.collectionId,
    );
    try {
      const result = batches.run(source, {
        cutoff,
        maxDocuments: rateLimits.maxDocuments(source),
        trigger: mode === 'every' || mode === 'cron' ? TRIGGERS[mode] : trigger,
        isLast,
      });
      rateLimits.count(source, processedCount(result));
      if (result.isDrained) this.#unfinished.delete(source.key);
      this.#markCapped(clock.now());
      if (result.isDrained && isLast) rateLimits.endPass(source);
      if (failures.recovered(source)) log.info('the reaper recovered');
    } catch (error) {
      this.#unfinished.delete(source.key);
      this.#options.onFailure(source, error);
    }
  }

  /**
   * Marks the ticks of capped sources: their remaining documents wait for the next tick, unless the caps are removed
   * [R3].
   */
  #markCapped(now: number): void {
    const { store, rateLimits, ticks } = this.#options;
    for (const source of store.sources()) if (rateLimits.isCapped(source, now)) ticks.capped(source);
  }

  /** Ends the passes [R7]: no source may act any more. */
  endPasses(now: number): void {
    const { store, scheduler, passes, rateLimits } = this.#options;
    const sources = store.sources();
    for (const [collectionId, source] of this.#collections) {
      const left = sources.filter(
        other => other.collectionId === collectionId && this.#unfinished.has(other.key),
      );
      const ending = scheduler.endingOf(left, now);
      passes.end(source, ending);
      if (ending === 'limit') this.#limited.set(collectionId, left);
      else this.#limited.delete(collectionId);
    }
    this.forget();
    if (!scheduler.isAnyLimited(now)) rateLimits.endAllPasses();
  }

  /** Forgets what was processed since the passes last ended: they end, or the store has failed. */
  forget(): void {
    this.#unfinished.clear();
    this.#collections.clear();
  }

  /** Changes the ending of passes that a limit stopped and whose sources are all paused or held since [R7]. */
  endStopped(): void {
    const { store, scheduler, passes, clock } = this.#options;
    const sources = store.sources();
    for (const [collectionId, left] of this.#limited) {
      const present = sources.filter(({ key }) => left.some(source => source.key === key));
      const ending = scheduler.endingOf(present, clock.now());
      if (ending === 'limit') continue;
      const [source] = present;
      if (source !== undefined && ending !== 'drained') passes.end(source, ending);
      this.#limited.delete(collectionId);
    }
  }
}
