import { type Failure, failureAfter } from '../../../../expiry/failures.ts';
import type { MeterRegistry } from '../../../../expiry/meters.ts';
import type { Clock } from '../../../../platform/clock.ts';
import { errorFields, type Logger } from '../../../../platform/logger.ts';
import type { OwnSession } from '../../connection/session.ts';
import type { LockHolder } from '../batches/batch.ts';
import type { TablePass } from '../schema/passes-table.ts';
import { checkNotPooled, takeReaperLock } from './reaper-lock.ts';
import { type RemovedRows, Rounds, type RoundsState } from './rounds.ts';
import { ServerClockGuard } from './server-clock.ts';

/** Interval at which a reaper that waits tries to take the lock, ms: how soon it takes over. */
const TAKE_OVER_MS = 1_000;
/** Longest interval between two tries to open a session, ms. */
const LONGEST_RETRY_MS = 5_000;
/** How long `stop` waits for the running batch, ms. */
const STOP_MS = 2_000;

export interface TableReaperOptions {
  /** Opens the session in which the lock is held and rows are deleted; never a pooled one. */
  readonly openSession: () => Promise<OwnSession>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly meters: MeterRegistry;
  /** A pass was stored, or stored again with what it removed since. */
  readonly onPass?: (pass: TablePass) => void;
  readonly onRemoved?: (removed: RemovedRows) => void;
  /** The state of `status` has changed. */
  readonly onChange?: () => void;
}

/** `standby`: another Sandglass instance removes what is due, and this one takes over when it ends. */
export type ReaperState = 'starting' | 'active' | 'standby' | 'failing' | 'stopped';

export interface TableReaperStatus extends RoundsState {
  readonly state: ReaperState;
  /** Why it has no session or lost its lock; null: it did not. */
  readonly problem: Failure | null;
  /** When it looks for work again, epoch ms by this machine's clock; null: unknown. */
  readonly nextWakeAt: number | null;
}

/**
 * Removes the rows of a database that are due. Of all reapers of a database one is active: that which holds the advisory
 * lock in the session in which it also deletes, so that it can delete nothing after it has lost the lock.
 */
export class TableReaper {
  readonly #options: TableReaperOptions;
  readonly #clockGuard = new ServerClockGuard();
  readonly #stopping = new AbortController();
  #state: ReaperState = 'starting';
  #problem: Failure | null = null;
  #rounds: Rounds | null = null;
  #session: OwnSession | null = null;
  #nextWakeAt: number | null = null;
  #wakeUp = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(options: TableReaperOptions) {
    this.#options = options;
  }

  get status(): TableReaperStatus {
    const rounds = this.#rounds?.state ?? {
      failures: [],
      throttles: [],
      isRemoving: false,
      protectedRows: [],
    };
    return { state: this.#state, problem: this.#problem, nextWakeAt: this.#nextWakeAt, ...rounds };
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Begins a round now: after a change of a definition, a pause or an expiration. */
  wake(): void {
    this.#wakeUp.abort();
  }

  /** Ends after the running batch, or after two seconds without it: the server then rolls it back. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await Promise.race([this.#running, this.#options.clock.sleep(STOP_MS)]);
    // A statement that has not ended is rolled back with its session.
    await this.#session?.close();
    this.#enter('stopped');
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      try {
        await this.#inSession();
      } catch (error) {
        if (this.#isStopping) return;
        await this.#failed(error);
      }
    }
  }

  async #inSession(): Promise<void> {
    const session = await this.#options.openSession();
    this.#session = session;
    const stopListening = session.onEnd(() => this.wake());
    try {
      await checkNotPooled(session, this.#options.openSession);
      const holder = await this.#awaitLock(session);
      if (holder !== null) await this.#work(session, holder);
    } finally {
      stopListening();
      this.#session = null;
      this.#rounds = null;
      await session.close();
    }
  }

  /** Returns the holder of the lock once it is this session; null: the reaper is stopping. */
  async #awaitLock(session: OwnSession): Promise<LockHolder | null> {
    while (!this.#isStopping) {
      const holder = await takeReaperLock(session);
      if (holder !== null) return holder;
      this.#enter('standby');
      await this.#sleep(TAKE_OVER_MS);
    }
    return null;
  }

  async #work(session: OwnSession, holder: LockHolder): Promise<void> {
    const { clock, log, meters, onPass = () => {}, onRemoved = () => {} } = this.#options;
    const isStopped = () => this.#isStopping;
    const clockGuard = this.#clockGuard;
    const rounds = new Rounds({
      session,
      holder,
      clock,
      log,
      meters,
      clockGuard,
      isStopped,
      onPass,
      onRemoved,
    });
    this.#rounds = rounds;
    this.#problem = null;
    this.#enter('active');
    const shown = () => {
      const { isRemoving, protectedRows } = rounds.state;
      return `${isRemoving} ${protectedRows.map(({ rows }) => rows)}`;
    };
    while (!this.#isStopping) {
      const before = shown();
      const sleepMs = await rounds.run();
      if (shown() !== before) this.#options.onChange?.();
      await this.#sleep(sleepMs);
    }
  }

  async #failed(error: unknown): Promise<void> {
    const { clock, log } = this.#options;
    this.#problem = failureAfter(this.#problem, error, clock.now());
    log.error('the reaper has no session and will retry', errorFields(error));
    this.#enter('failing');
    await this.#sleep(Math.min(this.#problem.retryMs, LONGEST_RETRY_MS));
  }

  /** Sleeps until `wake` at the latest. */
  async #sleep(ms: number): Promise<void> {
    this.#nextWakeAt = this.#options.clock.now() + ms;
    if (!this.#wakeUp.signal.aborted) await this.#options.clock.sleep(ms, this.#wakeUp.signal);
    this.#wakeUp = new AbortController();
  }

  #enter(state: ReaperState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#options.onChange?.();
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }
}
