import type { Clock } from '../platform/clock.ts';
import { errorFields, type Logger } from '../platform/logger.ts';
import { cutoffOf, isDueAt, lookFor } from './looks.ts';
import type { MeterBook } from './meters.ts';
import { PassBook } from './pass-book.ts';
import type { BatchResult, ExpiryStore, PassRecord, PassTrigger, ReapSource } from './port.ts';

/** How long a batch may hold the writer, alone and while calls wait [R5]. */
export const BATCH_BUDGET_MS = 8;
export const BATCH_BUDGET_WHILE_CALLS_WAIT_MS = 1.5;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
const LONGEST_SLEEP_MS = 30_000;
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

export interface ReaperOptions {
  store: ExpiryStore;
  clock: Clock;
  log: Logger;
  meters: MeterBook;
  /** Lets waiting calls in between two batches. */
  giveWay(): Promise<void>;
  /** Calls that wait for the writer at this moment. */
  callsWaiting(): number;
  /** Told when what `status` answers has changed. */
  onChange?: () => void;
}

export interface ReaperStatus {
  isActive: boolean;
  nextWakeAt: number | null;
  problem: { message: string; since: number; retryAt: number } | null;
  cutoff: number | null;
}

interface Failure {
  message: string;
  since: number;
  retryAt: number;
  retryMs: number;
}

export interface ReapScope {
  collection?: string | undefined;
  index?: string | undefined;
}

/**
 * Removes documents as they fall due.
 *
 * It is in one of four states. *Asleep*: a timer runs until the next deadline or the next look of an `every`
 * index; `wake` (called after every commit that could bring an earlier one) sets the timer anew. *Active*: rounds of
 * batches. Each round fixes its cutoff [R2], then gives every source that has something due one batch in turn [R4],
 * letting waiting calls in between; when a round finds nothing due it sweeps, then sleeps. *Failing*: a batch threw;
 * it says so, backs off up to a minute and tries again, and never stops silently. *Stopped*: for good.
 */
export class Reaper {
  readonly #options: ReaperOptions;
  readonly #passes: PassBook;
  /** Next deadline by source, asked again when its collection changed. */
  readonly #deadlines = new Map<string, { collection: string; at: number | null }>();
  #cancelTimer: (() => void) | null = null;
  #isActive = false;
  #isStopped = false;
  #wokenWhileActive = false;
  #nextWakeAt: number | null = null;
  /** The store itself cannot be asked. */
  #problem: ReaperStatus['problem'] = null;
  /** Sources whose last batch threw: each waits for its own next try, and the others go on [R4]. */
  readonly #failures = new Map<string, Failure>();
  #retryMs = FIRST_RETRY_MS;
  #cutoff: number | null = null;
  #idle: Promise<void> = Promise.resolve();
  /** Documents a second while draining, as last measured. */
  #drainRate: number | null = null;

  constructor(options: ReaperOptions) {
    this.#options = options;
    this.#passes = new PassBook(options.store, options.clock, options.meters.passes);
  }

  get status(): ReaperStatus {
    return {
      isActive: this.#isActive,
      nextWakeAt: this.#nextWakeAt,
      problem: this.#problem ?? this.#failures.values().next().value ?? null,
      cutoff: this.#cutoff,
    };
  }
  get drainRate(): number | null {
    return this.#drainRate;
  }

  /** Begins; what fell due while it was away is due now. */
  start(): void {
    this.#run('start');
  }

  /** Something changed in these collections: looks again at what is next. Cheap: call it after every commit. */
  wake(collections: ReadonlySet<string>): void {
    for (const [key, { collection }] of this.#deadlines)
      if (collections.has(collection)) this.#deadlines.delete(key);
    if (this.#isStopped || this.#problem !== null) return;
    if (this.#isActive) this.#wokenWhileActive = true;
    else this.#sleep();
  }

  /** Removes what is due in `scope` at this moment, also where it is paused [R6]. */
  async runNow(
    scope: ReapScope,
  ): Promise<{ removed: number; changed: number; quarantined: number; passes: PassRecord[] }> {
    await this.#idle;
    const { store, clock, giveWay } = this.#options;
    const cutoff = clock.now();
    const passes = new Set<PassRecord>();
    const counts = { removed: 0, changed: 0, quarantined: 0 };
    const wanted = store
      .sources()
      .filter(({ collection }) => scope.collection === undefined || collection === scope.collection)
      .filter(({ index }) => scope.index === undefined || index === scope.index);
    for (const [i, { key, collectionId }] of wanted.entries()) {
      for (;;) {
        const source = this.#sourceOf(key);
        if (source === null || !isDueAt(this.#nextDeadline(source), cutoff)) break;
        const isLast = !wanted
          .slice(i + 1)
          .some(other => other.collectionId === collectionId && isDueAt(this.#nextDeadline(other), cutoff));
        const batch = this.#batch(source, cutoff, 'manual', isLast);
        counts.removed += batch.removed;
        counts.changed += batch.changed;
        counts.quarantined += batch.quarantined;
        passes.add(this.#passes.of(source, 'manual'));
        await giveWay();
      }
    }
    // What it removed is still to be swept.
    this.#run('deadline');
    return { ...counts, passes: [...passes] };
  }

  /** Finishes the running batch and ends. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelTimer?.();
    await this.#idle;
  }

  /** The settled moment between two busy periods, for whoever needs quiet. */
  whenIdle(): Promise<void> {
    return this.#idle;
  }

  #run(trigger: PassTrigger): void {
    if (this.#isActive || this.#isStopped) return;
    this.#isActive = true;
    this.#cancelTimer?.();
    this.#idle = this.#work(trigger)
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#isActive = false;
        if (this.#problem === null) this.#sleep();
        this.#options.onChange?.();
      });
  }

  async #work(firstTrigger: PassTrigger): Promise<void> {
    const { store, clock, giveWay } = this.#options;
    let trigger = firstTrigger;
    /** Sources that had more to remove after their last turn. */
    const unfinished = new Set<string>();
    for (;;) {
      this.#wokenWhileActive = false;
      const roundAt = clock.now();
      const due = store.sources().filter(source => this.#mayAct(source, roundAt));
      for (const { key } of due) unfinished.add(key);
      for (const { key } of due) {
        if (this.#isStopped) return;
        // Between two batches others write: it may have been dropped, paused or put off.
        const source = this.#sourceOf(key);
        if (source === null || !this.#mayAct(source, roundAt)) continue;
        const isLast = !due.some(
          other =>
            other.key !== key && other.collectionId === source.collectionId && unfinished.has(other.key),
        );
        const from = source.schedule.mode === 'every' ? 'interval' : trigger;
        try {
          const result = this.#batch(source, cutoffOf(source, roundAt), from, isLast);
          if (result.isDrained) unfinished.delete(key);
          this.#recovered(source);
        } catch (error) {
          unfinished.delete(key);
          this.#failed(source, error);
        }
        await giveWay();
      }
      if (due.length === 0) {
        this.#endUnfinished(unfinished);
        this.#cutoff = this.#goneUpTo(roundAt);
        this.#problem = null;
        this.#retryMs = FIRST_RETRY_MS;
        if (!(await this.#sweepUntilDue())) return;
      }
      trigger = 'deadline';
      if (this.#isStopped) return;
    }
  }

  /** Frees what was removed while nothing is due; true: something fell due meanwhile. */
  async #sweepUntilDue(): Promise<boolean> {
    const { store, giveWay } = this.#options;
    while (!this.#isStopped) {
      if (this.#wokenWhileActive || isDueAt(this.#nextWake(), this.#options.clock.now())) return true;
      if (!store.sweep(this.#budgetMs())) return false;
      await giveWay();
    }
    return false;
  }

  #batch(source: ReapSource, cutoff: number, trigger: PassTrigger, isLast: boolean): BatchResult {
    const { store, clock, meters } = this.#options;
    const pass = this.#passes.of(source, trigger);
    this.#deadlines.delete(source.key);
    const result = store.reap(
      source,
      { cutoff, budgetMs: () => this.#budgetMs(), most: NO_LIMIT, isLast },
      pass,
    );
    if (
      result.removed + result.changed + result.quarantined === 0 &&
      isDueAt(this.#nextDeadline(source), cutoff)
    ) {
      throw new Error(`${source.collection}: ${source.index} has documents due that it cannot remove`);
    }
    meters.batch(source.collection, result, clock.now());
    if (!result.isDrained && result.heldMs > 0) this.#drainRate = (result.removed / result.heldMs) * 1000;
    return result;
  }

  #budgetMs(): number {
    return this.#options.callsWaiting() > 0 ? BATCH_BUDGET_WHILE_CALLS_WAIT_MS : BATCH_BUDGET_MS;
  }

  /** The source as it is now; null: it was dropped. */
  #sourceOf(key: string): ReapSource | null {
    return this.#options.store.sources().find(source => source.key === key) ?? null;
  }

  #mayAct(source: ReapSource, now: number): boolean {
    if (source.isPaused || (this.#failures.get(source.key)?.retryAt ?? 0) > now) return false;
    return isDueAt(this.#nextDeadline(source), cutoffOf(source, now));
  }

  /** What had more to remove and may not be acted on any more was paused meanwhile, or put off, or dropped. */
  #endUnfinished(keys: Set<string>): void {
    for (const key of keys) {
      const source = this.#sourceOf(key);
      if (source !== null) this.#passes.end(source, source.isPaused ? 'paused' : 'drained');
    }
    keys.clear();
  }

  /** The latest instant up to which nothing is left: an `every` source keeps what is due until its next look. */
  #goneUpTo(now: number): number {
    let gone = now;
    for (const source of this.#options.store.sources()) {
      const deadline = source.isPaused ? null : this.#nextDeadline(source);
      if (deadline !== null && deadline <= gone) gone = deadline - 1;
    }
    return gone;
  }

  #nextDeadline(source: ReapSource): number | null {
    const known = this.#deadlines.get(source.key);
    if (known !== undefined) return known.at;
    const at = this.#options.store.nextDeadline(source);
    this.#deadlines.set(source.key, { collection: source.collection, at });
    return at;
  }

  #nextWake(): number | null {
    let next: number | null = null;
    for (const source of this.#options.store.sources()) {
      const deadline = source.isPaused ? null : this.#nextDeadline(source);
      if (deadline === null) continue;
      const at = Math.max(lookFor(source, deadline), this.#failures.get(source.key)?.retryAt ?? 0);
      if (next === null || at < next) next = at;
    }
    return next;
  }

  #sleep(): void {
    if (this.#isStopped) return;
    this.#cancelTimer?.();
    const { clock } = this.#options;
    let next: number | null;
    try {
      next = this.#nextWake();
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (next !== this.#nextWakeAt) {
      this.#nextWakeAt = next;
      this.#options.onChange?.();
    }
    // Never for long: a timer does not count the time a machine is suspended, and old history is let go [R10].
    const wait = next === null ? LONGEST_SLEEP_MS : Math.min(next - clock.now(), LONGEST_SLEEP_MS);
    this.#cancelTimer = clock.setTimer(wait, () => this.#run('deadline'));
  }

  #fail(error: unknown): void {
    const { clock, log } = this.#options;
    const now = clock.now();
    const message = error instanceof Error ? error.message : String(error);
    log.error('the reaper failed and will try again', { ...errorFields(error), retryMs: this.#retryMs });
    this.#problem = { message, since: this.#problem?.since ?? now, retryAt: now + this.#retryMs };
    this.#passes.fail(message);
    this.#cancelTimer = clock.setTimer(this.#retryMs, () => this.#run('deadline'));
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
    this.#options.onChange?.();
  }

  #failed({ key, collection, index }: ReapSource, error: unknown): void {
    const { clock, log } = this.#options;
    const now = clock.now();
    const before = this.#failures.get(key);
    const retryMs = before === undefined ? FIRST_RETRY_MS : Math.min(before.retryMs * 2, LONGEST_RETRY_MS);
    const message = error instanceof Error ? error.message : String(error);
    log.error('the reaper failed and will try again', { collection, index, ...errorFields(error), retryMs });
    this.#failures.set(key, { message, since: before?.since ?? now, retryAt: now + retryMs, retryMs });
    this.#passes.fail(message);
    this.#options.onChange?.();
  }

  #recovered({ key }: ReapSource): void {
    if (this.#failures.delete(key)) this.#options.log.info('the reaper recovered');
  }
}
