import type { Clock } from '../platform/clock.ts';
import { errorFields, type Logger } from '../platform/logger.ts';
import { Agenda } from './agenda.ts';
import { Batches, takenBy } from './batches.ts';
import { type Failure, failureAfter, SourceFailures } from './failures.ts';
import { LastLooks } from './last-ticks.ts';
import { type HandPass, type ReapScope, runByHand } from './manual-pass.ts';
import type { MeterBook } from './meters.ts';
import { NextDeadlines } from './next-deadlines.ts';
import { PassBook } from './passes.ts';
import type { ExpiryStore, PassTrigger, ReapSource } from './port.ts';
import { Allowances } from './rate-limits.ts';
import { Sweeping } from './sweeping.ts';

const LONGEST_SLEEP_MS = 30_000;
const TRIGGERS = { every: 'interval', cron: 'cron' } as const;

export interface ReaperOptions {
  store: ExpiryStore;
  clock: Clock;
  log: Logger;
  meters: MeterBook;
  /** Lets waiting calls in between two batches. */
  giveWay(): Promise<void>;
  /** Waits for what would make the next batch take longer. */
  settled?: () => Promise<void>;
  /** Resolves when the store takes changes again; null: it does. */
  suspended?: () => Promise<void> | null;
  /** Calls that wait for the writer at this moment. */
  callsWaiting(): number;
  /** Beyond so many removed documents it sweeps also while something is due. */
  mostUnswept?: number;
  /** Told when what `status` answers has changed. */
  onChange?: () => void;
}

export interface ReaperStatus {
  isActive: boolean;
  nextWakeAt: number | null;
  problem: { message: string; since: number; retryAt: number } | null;
  cutoff: number | null;
}

/** Sources that had more to remove after their last turn, of the collections worked at since the reaper woke. */
interface BusyPeriod {
  readonly unfinished: Map<string, ReapSource>;
  readonly collections: Map<number, ReapSource>;
}

/**
 * Acts on documents as they fall due.
 *
 * It is in one of four states. *Asleep*: a timer runs until the next deadline, look, retry, or end of a wait for a
 * limit; `wake` (called after every commit) sets the timer anew. *Active*: rounds of batches. Each round fixes its
 * cutoff [R2], then gives every source that has something due one batch in turn, in the order of their next deadlines
 * [R4], as large as its limits allow [R3], letting waiting calls in between; when nobody may act any more it ends the
 * passes, sweeps, then sleeps. *Failing*: a batch threw; its source waits, longer each time, while the others go on, and
 * never stops silently. *Stopped*: for good.
 */
export class Reaper {
  readonly #options: ReaperOptions;
  readonly #passes: PassBook;
  readonly #deadlines: NextDeadlines;
  readonly #looks: LastLooks;
  readonly #allowances: Allowances;
  readonly #failures = new SourceFailures();
  readonly #agenda: Agenda;
  readonly #batches: Batches;
  readonly #sweeping: Sweeping;
  /** By collection, what had more to remove when a limit ended its pass. */
  readonly #limited = new Map<number, readonly ReapSource[]>();
  #cancelTimer: (() => void) | null = null;
  #isActive = false;
  #isStopped = false;
  #wokenWhileActive = false;
  #nextWakeAt: number | null = null;
  /** The store itself cannot be asked. */
  #problem: Failure | null = null;
  #cutoff: number | null = null;
  #idle: Promise<void> = Promise.resolve();
  #handPass: Promise<unknown> = Promise.resolve();
  #stopStoringLooks: () => void = () => {};

  constructor(options: ReaperOptions) {
    const { store, clock, meters, callsWaiting } = options;
    this.#options = options;
    this.#passes = new PassBook(store, clock, meters.passes);
    const deadlines = new NextDeadlines(store);
    const allowances = new Allowances(store, clock);
    const looks = new LastLooks(store, deadlines);
    this.#deadlines = deadlines;
    this.#looks = looks;
    this.#allowances = allowances;
    this.#agenda = new Agenda({
      store,
      clock,
      deadlines,
      looks,
      allowances,
      failures: this.#failures,
      onFailure: (source, error) => this.#failed(source, error),
    });
    this.#batches = new Batches({
      store,
      clock,
      log: options.log,
      meters,
      passes: this.#passes,
      deadlines,
      callsWaiting,
    });
    this.#sweeping = new Sweeping({
      ...options,
      budgetMs: () => this.#batches.budgetMs(),
      nextWake: () => this.#agenda.nextWake(),
      isWoken: () => this.#wokenWhileActive,
      isStopped: () => this.#isStopped,
    });
  }

  get status(): ReaperStatus {
    return {
      isActive: this.#isActive,
      nextWakeAt: this.#nextWakeAt,
      problem: this.#problem ?? this.#failures.first,
      cutoff: this.#cutoff,
    };
  }
  /** Documents a second while draining, as last measured; null: never. */
  get drainRate(): number | null {
    return this.#batches.drainRate;
  }

  /** Begins; what fell due while it was away is due now. */
  start(): void {
    const { store, clock } = this.#options;
    this.#stopStoringLooks = store.beforeCommit(collections => this.#looks.store(collections, clock.now()));
    this.#run('start');
  }

  /** Something changed in these collections: looks again at what is next. Cheap: call it after every commit. */
  wake(collections: ReadonlySet<string>): void {
    this.#looks.committed();
    this.#deadlines.changed(collections);
    if (this.#isStopped || this.#problem !== null) return;
    if (this.#isActive) this.#wokenWhileActive = true;
    else this.#sleep();
  }

  /** One pass over what is due in `scope` at this moment; what is paused more narrowly than `scope` is spared [R6]. */
  async runNow(scope: ReapScope): Promise<HandPass> {
    await this.#idle;
    const { store, clock, giveWay } = this.#options;
    const parts = {
      store,
      deadlines: this.#deadlines,
      batches: this.#batches,
      passes: this.#passes,
      giveWay,
    };
    const running = runByHand(parts, scope, clock.now(), () => this.#isStopped);
    this.#handPass = running.catch(() => undefined);
    const pass = await running;
    // What it removed is still to be swept.
    this.#run('deadline');
    return pass;
  }

  /** Finishes the running batch and ends. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelTimer?.();
    await this.#idle;
    await this.#handPass;
    this.#stopStoringLooks();
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
    let trigger = firstTrigger;
    const busy: BusyPeriod = { unfinished: new Map(), collections: new Map() };
    for (;;) {
      const suspended = this.#options.suspended?.() ?? null;
      if (suspended !== null) await suspended;
      this.#wokenWhileActive = false;
      const roundAt = this.#options.clock.now();
      const due = this.#agenda.due(roundAt);
      if (due.length > 0) {
        await this.#round(due, roundAt, trigger, busy);
        await this.#sweeping.inTurn();
      } else {
        this.#rest(roundAt, busy);
        if (!(await this.#sweeping.untilDue())) return;
      }
      trigger = 'deadline';
      if (this.#isStopped) return;
    }
  }

  /** One batch for each source, up to the same cutoff. */
  async #round(
    due: readonly ReapSource[],
    roundAt: number,
    trigger: PassTrigger,
    busy: BusyPeriod,
  ): Promise<void> {
    for (const source of due) busy.unfinished.set(source.key, source);
    for (const { key } of due) {
      if (this.#isStopped) return;
      // Between two batches others write: it may have been dropped, paused or put off.
      const source = this.#agenda.source(key);
      if (source === null || !this.#agenda.mayAct(source, roundAt)) continue;
      busy.collections.set(source.collectionId, source);
      this.#turn(source, roundAt, trigger, busy);
      await this.#options.giveWay();
      // A batch that left nothing was short, and so is the next: that one need not wait.
      if (busy.unfinished.has(key)) await this.#options.settled?.();
    }
  }

  /** A source's batch in a round; one that throws is put off, and the others go on [R4]. */
  #turn(source: ReapSource, roundAt: number, trigger: PassTrigger, { unfinished }: BusyPeriod): void {
    const { mode } = source.schedule;
    const isLast = ![...unfinished.values()].some(
      other => other.key !== source.key && other.collectionId === source.collectionId,
    );
    try {
      const result = this.#batches.run(source, {
        cutoff: this.#looks.cutoff(source, roundAt),
        most: this.#allowances.most(source),
        trigger: mode === 'every' || mode === 'cron' ? TRIGGERS[mode] : trigger,
        isLast,
      });
      this.#allowances.took(source, takenBy(result));
      if (result.isDrained) {
        unfinished.delete(source.key);
        this.#looks.drained(source);
      }
      this.#noteCapped(roundAt);
      if (result.isDrained && isLast) this.#allowances.passOver(source);
      if (this.#failures.recovered(source)) this.#options.log.info('the reaper recovered');
    } catch (error) {
      unfinished.delete(source.key);
      this.#failed(source, error);
    }
  }

  /** What a cap stops has had its look: what is left waits for the next one, unless the caps are lifted [R3]. */
  #noteCapped(now: number): void {
    for (const source of this.#options.store.sources())
      if (this.#allowances.isResting(source, now)) this.#looks.capped(source);
  }

  /** Nobody may act any more: says how the passes ended, and up to when everything is gone. */
  #rest(now: number, { unfinished, collections }: BusyPeriod): void {
    const sources = this.#options.store.sources();
    for (const [collectionId, source] of collections) {
      const left = sources.filter(other => other.collectionId === collectionId && unfinished.has(other.key));
      const ending = this.#agenda.endingOf(left, now);
      this.#passes.end(source, ending);
      if (ending === 'limit') this.#limited.set(collectionId, left);
      else this.#limited.delete(collectionId);
    }
    unfinished.clear();
    collections.clear();
    if (!this.#agenda.isAnyLimited(now)) this.#allowances.allPassesOver();
    this.#cutoff = this.#agenda.goneUpTo(now);
    this.#problem = null;
  }

  /** A pass that a limit stopped, and whose sources are all paused or held since, is one that a pause ended [R7]. */
  #endStopped(): void {
    const sources = this.#options.store.sources();
    for (const [collectionId, left] of this.#limited) {
      const now = sources.filter(({ key }) => left.some(source => source.key === key));
      const ending = this.#agenda.endingOf(now, this.#options.clock.now());
      if (ending === 'limit') continue;
      const [source] = now;
      if (source !== undefined && ending !== 'drained') this.#passes.end(source, ending);
      this.#limited.delete(collectionId);
    }
  }

  #sleep(): void {
    if (this.#isStopped) return;
    this.#cancelTimer?.();
    const { clock, store } = this.#options;
    let next: number | null;
    try {
      // What nobody acts on now fails no more.
      this.#failures.keepOnly(store.sources().filter(({ isPaused, isHeld }) => !isPaused && !isHeld));
      this.#endStopped();
      next = this.#agenda.nextWake();
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

  /** The store itself cannot be asked: everything waits for the next try. */
  #fail(error: unknown): void {
    const { clock, log } = this.#options;
    const failure = failureAfter(this.#problem, error, clock.now());
    const { message, retryMs } = failure;
    log.error('the reaper failed and will try again', { ...errorFields(error), retryMs });
    this.#problem = failure;
    this.#passes.fail(message);
    this.#cancelTimer = clock.setTimer(retryMs, () => this.#run('deadline'));
    this.#options.onChange?.();
  }

  #failed(source: ReapSource, error: unknown): void {
    const { clock, log } = this.#options;
    const { collection, index } = source;
    const { message, retryMs } = this.#failures.failed(source, error, clock.now());
    log.error('the reaper failed and will try again', { collection, index, ...errorFields(error), retryMs });
    this.#passes.fail(message);
    this.#options.onChange?.();
  }
}
