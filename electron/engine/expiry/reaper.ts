import type { Clock } from '../platform/clock.ts';
import { errorFields, type Logger } from '../platform/logger.ts';
import { BatchRunner } from './batch-runner.ts';
import type { ExpiryStore, PassTrigger, ReapSource } from './expiry-store.ts';
import { type Failure, failureAfter, SourceFailures } from './failures.ts';
import { LastTicks } from './last-ticks.ts';
import { type ManualPass, type ReapScope, runManualPass } from './manual-pass.ts';
import type { MeterRegistry } from './meters.ts';
import { NextDeadlines } from './next-deadlines.ts';
import { Passes } from './passes.ts';
import { RateLimits } from './rate-limits.ts';
import { Rounds } from './rounds.ts';
import { SourceScheduler } from './source-scheduler.ts';
import { SweepScheduler } from './sweep-scheduler.ts';

const LONGEST_SLEEP_MS = 30_000;

type State = 'asleep' | 'active' | 'failing' | 'stopped';

/** States from which each state may be entered. */
const ENTERED_FROM: Readonly<Record<State, readonly State[]>> = {
  asleep: ['asleep', 'active'],
  active: ['asleep', 'failing'],
  failing: ['asleep', 'active'],
  stopped: ['asleep', 'active', 'failing', 'stopped'],
};

export interface ReaperOptions {
  store: ExpiryStore;
  clock: Clock;
  log: Logger;
  meters: MeterRegistry;
  /** Resolves when waiting calls have run; called between two batches. */
  yieldToCalls(): Promise<void>;
  /** Resolves when background work that would slow the next batch has settled. */
  settled?: () => Promise<void>;
  /** Resolves when the store accepts changes again; null if it does now. */
  suspended?: () => Promise<void> | null;
  /** Number of calls now waiting for the writer. */
  callsWaiting(): number;
  /** Whether calls follow each other closely; absent: they never do. */
  areCallsFrequent?: () => boolean;
  /** Most removed documents whose space is not free; sweeping alternates with removal from half of it on. */
  maxUnswept?: number;
  /** Called when `status` has changed. */
  onChange?: () => void;
}

export interface ReaperStatus {
  isActive: boolean;
  nextWakeAt: number | null;
  problem: { message: string; since: number; retryAt: number } | null;
  cutoff: number | null;
}

/**
 * Acts on documents when they become due. It is in one of four states:
 *
 * - `asleep`: a timer runs until the next deadline, tick, retry, or end of a limit; `wake`, called after every commit,
 *   resets it.
 * - `active`: runs rounds (see Rounds) until no source may act any more, then sweeps, and becomes `asleep`.
 * - `failing`: the store itself cannot be read; a timer runs until the next try. A single source whose batch threw does
 *   not end the active state: it is retried on its own, with increasing delay, while the others continue.
 * - `stopped`: final.
 */
export class Reaper {
  readonly #options: ReaperOptions;
  readonly #passes: Passes;
  readonly #deadlines: NextDeadlines;
  readonly #ticks: LastTicks;
  readonly #failures = new SourceFailures();
  readonly #scheduler: SourceScheduler;
  readonly #batches: BatchRunner;
  readonly #rounds: Rounds;
  readonly #sweeps: SweepScheduler;
  #cancelTimer: (() => void) | null = null;
  #state: State = 'asleep';
  #wokenWhileActive = false;
  #nextWakeAt: number | null = null;
  #isSweeping = false;
  /** Last failure of the store itself; null once a busy period has succeeded. */
  #problem: Failure | null = null;
  #cutoff: number | null = null;
  #idle: Promise<void> = Promise.resolve();
  #manualPass: Promise<unknown> = Promise.resolve();
  /** Manual passes that wait for the end of the busy period: sweeping, which may take minutes, ends for them. */
  #waitingPasses = 0;
  #stopStoringTicks: () => void = () => {};

  constructor(options: ReaperOptions) {
    const { store, clock, meters, callsWaiting, areCallsFrequent = () => false } = options;
    this.#options = options;
    this.#passes = new Passes(store, clock, meters.passes);
    const deadlines = new NextDeadlines(store);
    const ticks = new LastTicks(store, deadlines);
    this.#deadlines = deadlines;
    this.#ticks = ticks;
    const shared = {
      ticks,
      rateLimits: new RateLimits(store, clock),
      failures: this.#failures,
      onFailure: (source: ReapSource, error: unknown) => this.#failed(source, error),
    };
    this.#scheduler = new SourceScheduler({ store, clock, deadlines, ...shared });
    this.#batches = new BatchRunner({
      store,
      clock,
      log: options.log,
      meters,
      passes: this.#passes,
      deadlines,
      callsWaiting,
    });
    this.#rounds = new Rounds({
      ...options,
      ...shared,
      scheduler: this.#scheduler,
      batches: this.#batches,
      passes: this.#passes,
      isStopped: () => this.#isStopped,
    });
    this.#sweeps = new SweepScheduler({
      ...options,
      areCallsFrequent,
      budgetMs: () => this.#batches.budgetMs(),
      nextWake: () => this.#scheduler.nextWake(),
      isWoken: () => this.#wokenWhileActive,
      isAwaited: () => this.#waitingPasses > 0,
      isStopped: () => this.#isStopped,
    });
  }

  get status(): ReaperStatus {
    return {
      isActive: this.#state === 'active' && !this.#isSweeping,
      nextWakeAt: this.#nextWakeAt,
      problem: this.#problem ?? this.#failures.first,
      cutoff: this.#cutoff,
    };
  }
  /** Documents per second while draining, as last measured; null if never measured. */
  get drainRate(): number | null {
    return this.#batches.drainRate;
  }

  /** Starts the reaper. Documents that became due while it was not running are due now. */
  start(): void {
    const { store, clock } = this.#options;
    this.#stopStoringTicks = store.beforeCommit((collections, transaction) =>
      this.#ticks.store(collections, clock.now(), transaction),
    );
    this.#run('start');
  }

  /** Updates the timer after changes in these collections. Cheap: called after every commit. */
  wake(collections: ReadonlySet<string>): void {
    this.#deadlines.changed(collections);
    if (this.#state === 'active') {
      this.#wokenWhileActive = true;
      // A caller that has written reads the new time at once, as from a reaper that sleeps.
      if (this.#isSweeping) this.#noteNextWake(this.#scheduler.nextWake());
    } else if (this.#state === 'asleep') this.#sleep();
  }

  /**
   * Runs one pass over the documents of `scope` that are due now, except in sources paused more narrowly than `scope`
   * [R6].
   */
  async runNow(scope: ReapScope): Promise<ManualPass> {
    this.#waitingPasses += 1;
    try {
      await this.#idle;
    } finally {
      this.#waitingPasses -= 1;
    }
    const { store, clock, yieldToCalls, suspended } = this.#options;
    const running = runManualPass(scope, {
      store,
      deadlines: this.#deadlines,
      batches: this.#batches,
      passes: this.#passes,
      clock,
      yieldToCalls,
      suspended,
      isStopped: () => this.#isStopped,
    });
    this.#manualPass = running.catch(() => undefined);
    try {
      return await running;
    } finally {
      // Reclaims the space of the removed documents, and goes on with sweeping that ended for this pass.
      this.#run('deadline');
    }
  }

  /** Stops after the running batch. */
  async stop(): Promise<void> {
    this.#enter('stopped');
    this.#cancelTimer?.();
    await this.#idle;
    await this.#manualPass;
    this.#stopStoringTicks();
  }

  /** Resolves when the current busy period has ended. */
  whenIdle(): Promise<void> {
    return this.#idle;
  }

  #run(trigger: PassTrigger): void {
    if (this.#state !== 'asleep' && this.#state !== 'failing') return;
    this.#enter('active');
    this.#cancelTimer?.();
    this.#idle = this.#work(trigger)
      .then(() => this.#sleep())
      .catch((error: unknown) => this.#fail(error))
      .then(() => this.#changed());
  }

  /** Tells that `status` has changed. An error of the listener is logged: the reaper goes on, and sets its timer. */
  #changed(): void {
    const { onChange, log } = this.#options;
    try {
      onChange?.();
    } catch (error) {
      log.error('a listener of the reaper failed', errorFields(error));
    }
  }

  /** Throws if `state` cannot follow the present one. */
  #enter(state: State): void {
    if (!ENTERED_FROM[state].includes(this.#state))
      throw new Error(`The reaper cannot go from ${this.#state} to ${state}.`);
    this.#state = state;
  }

  get #isStopped(): boolean {
    return this.#state === 'stopped';
  }

  async #work(firstTrigger: PassTrigger): Promise<void> {
    let trigger = firstTrigger;
    for (;;) {
      const suspended = this.#options.suspended?.() ?? null;
      if (suspended !== null) await suspended;
      this.#wokenWhileActive = false;
      const roundAt = this.#options.clock.now();
      const due = this.#scheduler.due(roundAt);
      if (due.length > 0) {
        await this.#rounds.run(due, roundAt, trigger);
        await this.#sweeps.inTurn();
      } else {
        this.#rounds.endPasses(roundAt);
        this.#cutoff = this.#scheduler.drainedUpTo(roundAt);
        this.#problem = null;
        if (!(await this.#sweep())) return;
      }
      trigger = 'deadline';
      if (this.#isStopped) return;
    }
  }

  /** Reclaims space until a document is due (returns true) or nothing is left. It removes nothing meanwhile. */
  async #sweep(): Promise<boolean> {
    this.#isSweeping = true;
    this.#noteNextWake(this.#scheduler.nextWake());
    try {
      return await this.#sweeps.untilDue();
    } finally {
      this.#isSweeping = false;
    }
  }

  #noteNextWake(at: number | null): void {
    if (at === this.#nextWakeAt) return;
    this.#nextWakeAt = at;
    this.#changed();
  }

  /** Sets the timer for the next wake-up. */
  #sleep(): void {
    if (this.#isStopped) return;
    this.#enter('asleep');
    this.#cancelTimer?.();
    const { clock, store } = this.#options;
    let next: number | null;
    try {
      // A source that is paused or held no longer counts as failing.
      this.#failures.keepOnly(store.sources().filter(({ isPaused, isHeld }) => !isPaused && !isHeld));
      this.#rounds.endStopped();
      next = this.#scheduler.nextWake();
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#noteNextWake(next);
    // Wakes at least this often: a timer does not count time that the machine is suspended, and old history is purged
    // [R10].
    const wait = next === null ? LONGEST_SLEEP_MS : Math.min(next - clock.now(), LONGEST_SLEEP_MS);
    this.#cancelTimer = clock.setTimer(wait, () => this.#run('deadline'));
  }

  /** Logs a failure of the store itself, and retries later. */
  #fail(error: unknown): void {
    const { clock, log } = this.#options;
    const failure = failureAfter(this.#problem, error, clock.now());
    const { message, retryMs } = failure;
    log.error('the reaper failed and will retry', { ...errorFields(error), retryMs });
    this.#problem = failure;
    this.#passes.fail(message);
    this.#rounds.forget();
    if (this.#isStopped) return;
    this.#enter('failing');
    this.#cancelTimer = clock.setTimer(retryMs, () => this.#run('deadline'));
    this.#changed();
  }

  #failed(source: ReapSource, error: unknown): void {
    const { clock, log } = this.#options;
    const { collection, collectionId, index } = source;
    const { message, retryMs } = this.#failures.failed(source, error, clock.now());
    log.error('the reaper failed and will retry', { collection, index, ...errorFields(error), retryMs });
    this.#passes.fail(message, collectionId);
    this.#changed();
  }
}
