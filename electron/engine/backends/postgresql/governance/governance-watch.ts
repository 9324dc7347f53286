import type { MeterRegistry } from '../../../expiry/meters.ts';
import type { Clock } from '../../../platform/clock.ts';
import { errorFields, type Logger } from '../../../platform/logger.ts';
import type { SessionPool } from '../connection/session-pool.ts';
import { TableReaper } from '../governed/reaper/reaper.ts';
import { Poll } from '../server/poll.ts';
import { type GovernanceSnapshot, NO_GOVERNANCE, readSnapshot } from './governance-snapshot.ts';

const REFRESH_MS = 3_000;
const REAPER_LIMITS = { statementTimeoutMs: 10_000, lockTimeoutMs: 1_000 };

export interface GovernanceWatchOptions {
  readonly pool: SessionPool;
  readonly clock: Clock;
  readonly log: Logger;
  readonly meters: MeterRegistry;
  /** Whether a reaper may run: not on a read-only connection, a replica, or another product. */
  mayReap(): boolean;
  /** Rows of these collections were removed. */
  onRemoved(collections: ReadonlySet<string>): void;
  /** Definitions, figures or the state of the reaper have changed. */
  onChange(): void;
}

/** Keeps the definitions and their figures at hand, and runs the reaper once the schema exists. */
export class GovernanceWatch {
  readonly meters: MeterRegistry;
  readonly #options: GovernanceWatchOptions;
  readonly #poll: Poll;
  #snapshot: GovernanceSnapshot = NO_GOVERNANCE;
  #reaper: TableReaper | null = null;

  constructor(options: GovernanceWatchOptions) {
    const { clock, log } = options;
    this.#options = options;
    this.#poll = new Poll({
      clock,
      log,
      everyMs: REFRESH_MS,
      failure: 'TTL indexes could not be read',
      read: () => this.refresh(),
    });
    this.meters = options.meters;
  }

  get snapshot(): GovernanceSnapshot {
    return this.#snapshot;
  }

  /** Null: there is no schema, or no reaper may run. */
  get reaper(): TableReaper | null {
    return this.#reaper;
  }

  /** Whether a reaper may run, once there is a schema. */
  get mayReap(): boolean {
    return this.#options.mayReap();
  }

  /** Epoch ms. */
  get now(): number {
    return this.#options.clock.now();
  }

  elapsed(): number {
    return this.#options.clock.elapsed();
  }

  /** Ends early when the watch is stopped, or the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const stopped = this.#poll.stopped;
    return this.#options.clock.sleep(ms, signal === undefined ? stopped : AbortSignal.any([stopped, signal]));
  }

  /** Begins to read. Resolves when the definitions are read for the first time, or could not be: the database need not be reachable. */
  start(): Promise<void> {
    return this.#poll.start();
  }

  async stop(): Promise<void> {
    await this.#poll.stop();
    await this.#reaper?.stop();
  }

  /** Reads the definitions and their figures now. */
  async refresh(): Promise<void> {
    const { pool, clock, log, onChange } = this.#options;
    const onInvalid = (index: string, error: unknown) =>
      log.debug('a TTL index cannot be read', { index, ...errorFields(error) });
    const textOf = ({ hasSchema, paused, holds, indexes, explicit }: GovernanceSnapshot) =>
      JSON.stringify([hasSchema, paused, holds, [...indexes], [...explicit]]);
    const before = textOf(this.#snapshot);
    const last = this.#snapshot;
    this.#snapshot = await pool.use(session => readSnapshot(session, clock.now(), onInvalid, last));
    this.#startReaper();
    if (textOf(this.#snapshot) !== before) onChange();
  }

  #startReaper(): void {
    const { pool, clock, log, meters, mayReap, onRemoved, onChange } = this.#options;
    if (this.#reaper !== null || !mayReap() || !this.#snapshot.hasSchema || this.#poll.stopped.aborted)
      return;
    this.#reaper = new TableReaper({
      openSession: () => pool.open({ name: 'sandglass reaper', readOnly: false, ...REAPER_LIMITS }),
      clock,
      log,
      meters,
      onRemoved: ({ table }) => onRemoved(new Set([table.collection])),
      onPass: onChange,
      onChange,
    });
    this.#reaper.start();
  }
}
