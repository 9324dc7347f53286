import { SandglassError } from '../../../shared/model/errors.ts';
import { checkSameVersions, REPLICATION_VERSIONS } from '../../../shared/model/replication-protocol.ts';
import type { PurgeStore, Replica } from '../backends/backend.ts';
import type { Clock } from '../platform/clock.ts';
import { errorFields, type Logger } from '../platform/logger.ts';
import { CopyBackoff } from './copy-backoff.ts';
import type { Leader, LogPage } from './leader.ts';
import type { LeaderTime } from './leader-time.ts';
import { MirrorPurge } from './mirror-purge.ts';
import { ReplayFailure, replaying } from './replay-failure.ts';
import { type Moment, Staleness } from './staleness.ts';
import { checkedLeader } from './validated-leader-answers.ts';

/** Interval of the leader's answers without new revisions. */
const HEARTBEAT_MS = 500;
/** Timeout of an answer. */
const ANSWER_WITHIN_MS = 10_000;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;
/** Time that one step holds the store. */
const STEP_MS = 8;
/** Time that rows are freed between two calls to the leader: so much later a change may arrive meanwhile. */
const SWEEP_MS = 100;

export interface FollowerOptions {
  leader: Leader;
  /** Address of the leader, for a person. */
  url: string;
  replica: Replica;
  /** Path of the mirror's file. */
  purges: Pick<PurgeStore, 'rewriteFile' | 'emptyLog'>;
  /** The mirror's revision. */
  revision(): number;
  time: LeaderTime;
  /** Clock of this machine; the leader's silence is measured on its stopwatch. */
  clock: Clock;
  log: Logger;
  syncTimeoutMs: number;
  yieldToCalls(): Promise<void>;
  /** Called after a change of `status`. */
  onChange?: () => void;
}

export interface FollowerStatus {
  url: string;
  /** The leader's time when the mirror was last up to date; null: it is up to date and serves reads. */
  staleSince: number | null;
  /** Number of the leader's revisions that are not applied yet. */
  behind: number;
  /** Why replication cannot continue at the moment, for a person. */
  problem: string | null;
  /**
   * The last failed replay since the mirror was opened, after which the store was copied again; `at` by this machine's
   * clock.
   */
  failedReplay: { at: number; reason: string } | null;
}

/** The leader's state in one answer: its revision at an instant of its clock. `calledAt` is when the call was sent. */
interface LeaderState extends Pick<LogPage, 'leaderNow' | 'revision' | 'ticks'> {
  calledAt: Moment;
}

/**
 * Mirrors a leader by replaying its log [V5].
 *
 * A round has three phases. *Connecting*: registers, so that the leader keeps images for this follower; a leader that
 * is a mirror or another store than before is refused, with nothing changed. *Copying*, if the mirror has no data yet
 * or the leader's log no longer reaches back to its revision: reads a snapshot page by page. Each page is consistent at
 * its own revision, the copy as a whole is not; replaying the log from the first page's revision on makes it
 * consistent, since entries are whole images and replaying one over a newer page converges. Only from the last page's
 * revision on does the mirror equal the leader's store at one moment. *Replaying*: applies each entry once, in order.
 * If an entry or a page cannot be applied, the mirror is emptied and copied again, at first without delay and with
 * growing delays if that repeats. Any other error ends the round; the next one starts after a growing delay of up to a
 * few seconds, without limit.
 *
 * Independently the follower is *current* or *stale* (staleness.ts). When it becomes current it takes over the leader's
 * time, so that deadlines are judged by the leader's clock at exactly that revision.
 */
export class Follower {
  readonly #options: FollowerOptions;
  readonly #stopping = new AbortController();
  readonly #staleness: Staleness;
  #running: Promise<void> = Promise.resolve();
  /** States of the leader, in order, that are not completely applied yet. */
  #leaderStates: LeaderState[] = [];
  #leaderRevision = 0;
  #problem: string | null = null;
  #retryMs = FIRST_RETRY_MS;
  #failedReplay: FollowerStatus['failedReplay'] = null;
  /** Whether an entry or page could not be applied: the mirror is emptied before the next copy. */
  #isInvalid = false;
  readonly #purge: MirrorPurge;
  readonly #copyBackoff = new CopyBackoff();
  /** Earliest time of the next copy, on the stopwatch. */
  #mayCopyAt = 0;
  /** Whether rows of expired documents are left to free: then no call waits at the leader. */
  #isSweeping = false;
  /** Whether the mirror has been current since the last copy was started. */
  #wasCurrent = true;

  constructor(options: FollowerOptions) {
    this.#options = { ...options, leader: checkedLeader(options.leader) };
    this.#purge = new MirrorPurge({ ...options, file: options.purges });
    const { clock, log, syncTimeoutMs, url, onChange } = options;
    this.#staleness = new Staleness({
      clock,
      syncTimeoutMs,
      onStale: () => {
        log.warn('no answer from the leader: reads are refused', { leader: url });
        onChange?.();
      },
    });
    options.time.moveTo(options.replica.at, options.revision());
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#staleness.stop();
    await this.#running;
  }

  get status(): FollowerStatus {
    const { url, revision, time } = this.#options;
    return {
      url,
      staleSince: this.isStale ? time.now : null,
      behind: Math.max(0, this.#leaderRevision - revision()),
      problem: this.#problem,
      failedReplay: this.#failedReplay,
    };
  }

  get isStale(): boolean {
    return this.#staleness.isStale;
  }

  /** Calls `listener` each time the mirror becomes stale, until the returned function is called. */
  onStale(listener: () => void): () => void {
    return this.#staleness.onStale(listener);
  }

  async #run(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#follow();
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof ReplayFailure) {
          this.#replayFailed(error);
          continue;
        }
        this.#failed(error);
        await clock.sleep(this.#retryMs, signal);
        this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
      }
    }
  }

  /** Runs one round, which ends by throwing or when the follower stops. */
  async #follow(): Promise<void> {
    const { leader, replica, revision } = this.#options;
    this.#leaderStates = [];
    const registered = await this.#call(signal => leader.register(replica.name, signal));
    checkSameVersions({ leader: registered, follower: REPLICATION_VERSIONS });
    this.#checkStore(registered.storeId);
    this.#purge.begin(registered.purge);
    const { progress } = replica;
    const isOutOfReach =
      progress.phase === 'replaying' &&
      (revision() > registered.revision || revision() + 1 < registered.oldest);
    const isUnusable = this.#isInvalid || replica.isOutdated;
    if (progress.phase !== 'replaying' || isOutOfReach || isUnusable) {
      const isResumed = progress.phase === 'copying' && !isUnusable;
      await this.#copy(registered.storeId, isResumed ? progress.after : null);
    }
    while (!this.#stopping.signal.aborted) {
      const page = await this.#readLog();
      if (page === null) await this.#copy(registered.storeId, null);
    }
  }

  /** Reads the next revisions and applies them. Returns null if the leader's log no longer has them. */
  async #readLog(): Promise<LogPage | null> {
    const { leader, replica, revision, clock, time, syncTimeoutMs, yieldToCalls } = this.#options;
    const calledAt = this.#staleness.now();
    const buildMs = Math.min(HEARTBEAT_MS, syncTimeoutMs / 4);
    const waitMs = this.#isSweeping ? 0 : buildMs;
    let page: LogPage;
    try {
      page = await this.#call(signal =>
        leader.log(replica.name, { after: revision(), purged: replica.purged }, waitMs, signal),
      );
    } catch (error) {
      if (codeOf(error) === 'REVISION_COMPACTED') return null;
      throw error;
    }
    this.#leaderRevision = page.revision;
    const { leaderNow, revision: leaderRevision, ticks } = page;
    this.#leaderStates.push({ calledAt, leaderNow, revision: leaderRevision, ticks });
    this.#applyLeaderStates();
    for (const entry of page.entries) {
      const what = `Revision ${entry.revision}`;
      const prepare = () => replaying(what, () => replica.prepare(entry, STEP_MS));
      while (!this.#stopping.signal.aborted && prepare()) await yieldToCalls();
      if (this.#stopping.signal.aborted) return page;
      replaying(what, () => replica.apply(entry));
      if (this.#isConsistent) time.moveTo(entry.at, entry.revision);
      this.#applyLeaderStates();
      await yieldToCalls();
    }
    if (page.purge !== null && this.#isConsistent && revision() >= page.purge.revision)
      await this.#purge.advance(page.purge, this.#stopping.signal);
    await this.#sweep();
    const build = () => replaying('An index', () => replica.build(STEP_MS));
    while (build() && !this.#stopping.signal.aborted) {
      await yieldToCalls();
      // A long build is interrupted to call the leader again.
      if (clock.elapsed() - calledAt.elapsed > buildMs) break;
    }
    return page;
  }

  /** Frees rows of expired documents, for a time. */
  async #sweep(): Promise<void> {
    const { replica, clock, yieldToCalls } = this.#options;
    const began = clock.elapsed();
    do {
      this.#isSweeping = replaying('The sweep', () => replica.sweep(STEP_MS));
      if (!this.#isSweeping) return;
      await yieldToCalls();
    } while (!this.#stopping.signal.aborted && clock.elapsed() - began < SWEEP_MS);
  }

  /** Applies states of the leader whose revision is reached: its ticks, and its time. */
  #applyLeaderStates(): void {
    const { replica, revision, time } = this.#options;
    while (
      this.#isConsistent &&
      (this.#leaderStates[0]?.revision ?? Number.POSITIVE_INFINITY) <= revision()
    ) {
      const state = this.#leaderStates.shift();
      if (state === undefined) return;
      replica.setTicks(state.ticks);
      time.moveTo(state.leaderNow, state.revision);
      this.#caughtUp(state.calledAt);
    }
  }

  async #copy(storeId: string, from: string | null): Promise<void> {
    const { leader, replica, clock, yieldToCalls } = this.#options;
    const { signal } = this.#stopping;
    this.#staleness.becomeStale();
    this.#leaderStates = [];
    if (from === null) {
      // The leader's log no longer contained the revision of the last copy, and may not contain that of the next one.
      if (!this.#wasCurrent && !this.#isInvalid) this.#putOffCopy();
      const waitMs = this.#mayCopyAt - clock.elapsed();
      if (waitMs > 0) await clock.sleep(waitMs, signal);
    }
    this.#wasCurrent = false;
    // A copy cannot distinguish expired rows from others.
    const isKept = from === null && !this.#isInvalid && !replica.isOutdated;
    while (isKept && !signal.aborted && replaying('The sweep', () => replica.sweep(STEP_MS)))
      await yieldToCalls();
    let after = from;
    do {
      const page = await this.#call(inner => leader.snapshot(replica.name, after, inner));
      this.#leaderRevision = page.revision;
      const discards = this.#isInvalid && after === null;
      replaying('A page of the copy', () => replica.applyPage({ ...page, storeId, discards }));
      if (discards) this.#isInvalid = false;
      after = page.next;
      this.#options.onChange?.();
      await yieldToCalls();
    } while (after !== null && !signal.aborted);
  }

  #putOffCopy(): number {
    const { clock } = this.#options;
    const waitMs = this.#copyBackoff.failed(clock.elapsed());
    this.#mayCopyAt = clock.elapsed() + waitMs;
    return waitMs;
  }

  #replayFailed(failure: ReplayFailure): void {
    const { clock, log, url, onChange } = this.#options;
    this.#staleness.becomeStale();
    this.#isInvalid = true;
    const waitMs = this.#putOffCopy();
    log.error('an entry of the leader could not be applied; copying its store again', {
      leader: url,
      waitMs,
      ...errorFields(failure),
    });
    this.#failedReplay = { at: clock.now(), reason: failure.message };
    this.#problem = `${failure.message}. The store is copied again.`;
    onChange?.();
  }

  /** Whether the mirror equals the leader's store at one moment. */
  get #isConsistent(): boolean {
    const { replica, revision } = this.#options;
    return replica.progress.phase === 'replaying' && revision() >= replica.progress.consistentFrom;
  }

  /** Waits for an answer until its timeout. */
  async #call<Answer>(call: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    const { clock, syncTimeoutMs } = this.#options;
    const withinMs = Math.max(syncTimeoutMs, ANSWER_WITHIN_MS);
    const over = new AbortController();
    const stop = () => over.abort();
    this.#stopping.signal.addEventListener('abort', stop, { once: true });
    const silence = clock.sleep(withinMs, over.signal).then(() => {
      if (this.#stopping.signal.aborted) throw new SandglassError('CANCELLED', 'Replication is stopping.');
      throw new SandglassError('STALE', 'The leader does not answer.');
    });
    // If the answer is first, the rejection is unused.
    silence.catch(() => {});
    try {
      return await Promise.race([call(over.signal), silence]);
    } finally {
      over.abort();
      this.#stopping.signal.removeEventListener('abort', stop);
    }
  }

  /** Throws BAD_REQUEST if the leader's store is not the one that this file mirrors. */
  #checkStore(storeId: string): void {
    const { progress } = this.#options.replica;
    if (progress.phase === 'empty' || progress.storeId === storeId) return;
    throw new SandglassError(
      'BAD_REQUEST',
      `The store at ${this.#options.url} is not the one this file mirrors. Follow that one, or name another file with --store.`,
      { mirrors: progress.storeId, found: storeId },
    );
  }

  /** Records that the leader's state at the moment of a call is applied. */
  #caughtUp(calledAt: Moment): void {
    const { log, url, onChange } = this.#options;
    this.#wasCurrent = true;
    this.#retryMs = FIRST_RETRY_MS;
    if (this.#problem !== null) log.info('the leader answers again', { leader: url });
    this.#problem = null;
    if (this.#staleness.caughtUp(calledAt)) onChange?.();
  }

  #failed(error: unknown): void {
    const { log, url, onChange } = this.#options;
    const message = error instanceof Error ? error.message : String(error);
    // Logged once, not with every retry.
    if (message !== this.#problem)
      log.error('replication failed; retrying', { leader: url, ...errorFields(error) });
    this.#problem = message;
    onChange?.();
  }
}

/** Returns the code of any error: one received from the leader has another class. */
function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
