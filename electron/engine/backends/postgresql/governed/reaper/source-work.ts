import { type Failure, failureAfter } from '../../../../expiry/failures.ts';
import { TokenBucket } from '../../../../expiry/token-bucket.ts';
import type { Clock } from '../../../../platform/clock.ts';
import { sqlStateOf } from '../../connection/postgres-failure.ts';
import type { Session } from '../../connection/session.ts';
import { BatchSize } from './batch-size.ts';
import type { Lap, LapBatch } from './lap.ts';
import type { ReapedSource } from './reaped-source.ts';

const STATEMENT_TIMEOUT = '57014';

/** A source whose last step failed. */
export interface SourceFailure extends Failure {
  readonly collection: string;
  readonly index: string;
}

/** The work on one source: its lap, the size and rate of its batches, and its last failure. */
export class SourceWork {
  source: ReapedSource;
  readonly #size = new BatchSize();
  #rate: TokenBucket | null = null;
  #lap: { lap: Lap; began: number; removed: number } | null = null;
  /** `Clock.elapsed` at which it may continue. */
  #waitUntil = 0;
  #failure: Failure | null = null;

  /** A pass that a person started: pauses and rates do not slow it down [R6]. */
  readonly isByHand: boolean;

  constructor(source: ReapedSource, { isByHand = false } = {}) {
    this.source = source;
    this.isByHand = isByHand;
  }

  get isInLap(): boolean {
    return this.#lap !== null;
  }

  /** Its lap has removed something. */
  get isRemoving(): boolean {
    return this.#lap !== null && this.#lap.removed > 0;
  }

  get failure(): SourceFailure | null {
    const { table, name } = this.source;
    return this.#failure === null ? null : { ...this.#failure, collection: table.collection, index: name };
  }

  /** Begins a lap up to a cutoff. */
  begin(cutoff: string, elapsed: number): void {
    this.#lap = { lap: this.source.lap(cutoff, { isByHand: this.isByHand }), began: elapsed, removed: 0 };
  }

  /** Ends the lap. `now`: epoch ms by the server's clock. */
  async end(session: Session, now: number, elapsed: number): Promise<void> {
    const lap = this.#lap;
    this.#lap = null;
    this.#failure = null;
    if (lap === null) return;
    this.source.protectedRows.lapEnded(lap.began);
    await this.source.ended(session, now, elapsed - lap.began);
  }

  /** How long it has to wait, ms: for its rate, a throttle, or the retry after a failure. */
  waitMs(clock: Clock): number {
    const elapsed = clock.elapsed();
    const rateMs = this.isInLap ? (this.#rateNow(elapsed)?.waitMs(elapsed) ?? 0) : 0;
    return Math.max(0, this.#waitUntil - elapsed, rateMs);
  }

  waitUntil(elapsed: number): void {
    this.#waitUntil = elapsed;
  }

  /** Runs the next batch of the lap, as large as its limits allow [R3]. */
  async batch(session: Session, clock: Clock): Promise<{ outcome: LapBatch; ms: number; cutoff: string }> {
    if (this.#lap === null) throw new Error('a batch without a lap');
    const running = this.#lap;
    const { lap } = running;
    const { batchSize = 0, batchMs } = this.source.limits;
    const rate = this.#rateNow(clock.elapsed());
    const size = this.#size.next(batchSize);
    const rows = rate === null ? size : Math.max(1, Math.min(size, rate.available(clock.elapsed())));
    const began = clock.elapsed();
    const outcome = await lap.batch(session, rows);
    const ms = clock.elapsed() - began;
    running.removed += outcome.removed;
    rate?.take(outcome.removed);
    if (outcome.removed === rows) this.#size.measured(ms, batchMs);
    return { outcome, ms, cutoff: lap.cutoff };
  }

  /** Notes a failed step, after which the source waits. Returns false if smaller batches may help: it was none. */
  fail(error: unknown, clock: Clock): boolean {
    if (sqlStateOf(error) === STATEMENT_TIMEOUT && this.#size.shrink()) return false;
    this.#lap = null;
    this.#failure = failureAfter(this.#failure, error, clock.now());
    this.#waitUntil = clock.elapsed() + this.#failure.retryMs;
    return true;
  }

  #rateNow(elapsed: number): TokenBucket | null {
    const perSecond = this.isByHand ? 0 : (this.source.limits.removalsPerSecond ?? 0);
    if (perSecond === 0) this.#rate = null;
    else if (this.#rate?.perSecond !== perSecond) this.#rate = new TokenBucket(perSecond, elapsed);
    return this.#rate;
  }
}
