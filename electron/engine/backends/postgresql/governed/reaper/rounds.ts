import type { MeterRegistry } from '../../../../expiry/meters.ts';
import type { Clock } from '../../../../platform/clock.ts';
import { errorFields, type Logger } from '../../../../platform/logger.ts';
import { isUnreachable } from '../../connection/postgres-failure.ts';
import type { Session } from '../../connection/session.ts';
import { type LockHolder, LockLost } from '../batches/batch.ts';
import { dropDetached } from '../partitions/removed-partition.ts';
import { deleteOldHistory, type TablePass } from '../schema/passes-table.ts';
import { deleteOldRemovals } from '../schema/removed-table.ts';
import type { GovernedTable } from '../table-facts.ts';
import { AskedRuns } from './asked-runs.ts';
import { DatabaseHolds } from './database-holds.ts';
import type { ProtectedOfSource } from './known-protected-rows.ts';
import { TableThrottles, type Throttle } from './pressure.ts';
import { readServerNow, type ServerClockGuard, type ServerNow } from './server-clock.ts';
import { SourceRegistry } from './source-registry.ts';
import { type SourceFailure, SourceWork } from './source-work.ts';
import { TablePasses } from './table-passes.ts';

/** A round ends after this, ms: then definitions and the earliest deadlines are read again. */
const ROUND_MS = 1_000;
/** Longest sleep: a row may be written with any deadline at any time. */
const LONGEST_SLEEP_MS = 1_000;
/** Sleep after a round that left only rows that others have locked. */
const LOCKED_SLEEP_MS = 250;
/** Looking for the earliest deadline takes at most one part in so many of the time. */
const LOOK_SHARE = 10;
const HISTORY_EVERY_MS = 3_600_000;
/** Interval at which copies that are past their time are deleted, and between two parts of them. */
const COPIES_EVERY_MS = 5_000;
const COPIES_PART_MS = 200;

/** Rows that a batch removed, for those who follow the table. */
export interface RemovedRows {
  readonly table: GovernedTable;
  /** Name of the index, or `explicit`. */
  readonly name: string;
  readonly removed: number;
}

export interface RoundsOptions {
  readonly session: Session;
  readonly holder: LockHolder;
  readonly clock: Clock;
  readonly log: Logger;
  readonly meters: MeterRegistry;
  readonly clockGuard: ServerClockGuard;
  readonly isStopped: () => boolean;
  readonly onPass: (pass: TablePass) => void;
  readonly onRemoved: (removed: RemovedRows) => void;
}

/** State of the rounds, for the status of the reaper. */
export interface RoundsState {
  readonly failures: readonly SourceFailure[];
  readonly throttles: readonly Throttle[];
  /** The last round removed something, or a lap that has not ended did. */
  readonly isRemoving: boolean;
  /** Due rows that foreign keys protect. */
  readonly protectedRows: readonly ProtectedOfSource[];
}

/**
 * The work of the one reaper of a database, in the session that holds its lock. A round reads the server's clock, begins a
 * lap for every source with something due, and gives each lap one batch in turn [R4]. A lap keeps the cutoff with which it
 * began [R2] and may last several rounds.
 */
export class Rounds {
  readonly #options: RoundsOptions;
  readonly #registry: SourceRegistry;
  readonly #passes: TablePasses;
  readonly #throttles: TableThrottles;
  readonly #work = new Map<string, SourceWork>();
  readonly #asked = new AskedRuns();
  readonly #holds: DatabaseHolds;
  #oldHistoryAt: number;
  #nextCopiesAt: number;
  /** The last round removed something. */
  #hasRemoved = false;

  constructor(options: RoundsOptions) {
    const { session, holder, clock, onPass } = options;
    this.#options = options;
    this.#passes = new TablePasses(onPass);
    this.#throttles = new TableThrottles(session, clock);
    this.#oldHistoryAt = clock.elapsed();
    this.#nextCopiesAt = clock.elapsed();
    this.#holds = new DatabaseHolds(options);
    this.#registry = new SourceRegistry({
      holder,
      clock,
      onError: (table, name, error) => this.#logFailure(table, name, error),
      onInvalid: (name, error) =>
        options.log.error('the reaper cannot read a TTL index', { index: name, ...errorFields(error) }),
    });
  }

  get state(): RoundsState {
    return {
      failures: [...this.#work.values()].flatMap(({ failure }) => failure ?? []),
      throttles: this.#throttles.active,
      isRemoving: this.#hasRemoved || this.#inLap.some(work => work.isRemoving),
      protectedRows: this.#registry.protectedRows,
    };
  }

  /** Runs one round. Returns how long to sleep until the next, ms. Rejects if the session is lost, or its lock. */
  async run(): Promise<number> {
    const { session, clock } = this.#options;
    const now = await readServerNow(session);
    const isHeld = await this.#holds.check(session, now);
    if (isHeld || now.isPaused) {
      this.#hasRemoved = false;
      if (!this.#asked.isBusy) this.#passes.endAll(now.isPaused ? 'paused' : 'held');
      this.#work.clear();
      const isAsked = this.#asked.isBusy || now.isAsked;
      if (isHeld || !isAsked) {
        await this.#passes.write(session);
        return LONGEST_SLEEP_MS;
      }
    }
    const began = clock.elapsed();
    if (!now.isPaused) await this.#readSources(now);
    await this.#asked.begin(session, this.#registry, now, clock.elapsed());
    const partitions = await this.#removePartitions(now);
    const next = await this.#beginLaps(now);
    const lookMs = clock.elapsed() - began;
    const removed = await this.#batches(now);
    this.#endPasses();
    await this.#passes.write(session);
    await this.#asked.endIfDone(session);
    await this.#deleteOldHistory();
    this.#hasRemoved = removed + partitions > 0;
    if (this.#hasRemoved) return 0;
    const working = this.#inLap;
    if (working.length > 0) return Math.min(...working.map(work => work.waitMs(clock)), LONGEST_SLEEP_MS);
    const untilNext = next <= now.ms ? LOCKED_SLEEP_MS : next - now.ms;
    return Math.max(Math.min(untilNext, LONGEST_SLEEP_MS), lookMs * LOOK_SHARE);
  }

  async #readSources(now: ServerNow): Promise<void> {
    const sources = await this.#registry.read(this.#options.session, now);
    const keys = new Set(sources.map(({ key }) => key));
    for (const [key, { isInLap, source }] of this.#work) {
      if (keys.has(key)) continue;
      if (isInLap) this.#passes.end(source.table.oid, 'paused');
      this.#work.delete(key);
    }
    for (const source of sources) {
      const known = this.#work.get(source.key);
      if (known === undefined) this.#work.set(source.key, new SourceWork(source));
      else known.source = source;
    }
  }

  /** Begins a lap for each source with something due. Returns the earliest deadline of the others, epoch ms. */
  async #beginLaps(now: ServerNow): Promise<number> {
    const { session, clock } = this.#options;
    let next = Number.POSITIVE_INFINITY;
    for (const work of this.#work.values()) {
      if (work.isInLap || work.waitMs(clock) > 0) continue;
      await this.#guarded(work, now, async () => {
        const at = await work.source.next(session, now);
        if (at !== null && at <= now.ms) work.begin(now.text, clock.elapsed());
        next = Math.min(next, at ?? next);
      });
    }
    return next;
  }

  /** Gives each lap a batch in turn, until all are done or wait, or the round ends. Returns the removed rows. */
  async #batches(now: ServerNow): Promise<number> {
    const { clock, isStopped } = this.#options;
    const began = clock.elapsed();
    let removed = 0;
    for (;;) {
      const able = this.#inLap.filter(work => work.waitMs(clock) === 0);
      if (able.length === 0) return removed;
      for (const work of able) {
        if (isStopped() || clock.elapsed() - began > ROUND_MS) return removed;
        await this.#guarded(work, now, async () => {
          removed += await this.#batch(work, now);
        });
      }
    }
  }

  /** Runs a batch of a source's lap. Returns the removed rows. */
  async #batch(work: SourceWork, now: ServerNow): Promise<number> {
    const { session, clock, meters, onRemoved } = this.#options;
    const { table, name } = work.source;
    const share = await this.#throttles.share(table.oid);
    if (share === 0) {
      work.waitUntil(clock.elapsed() + ROUND_MS);
      return 0;
    }
    const { outcome, ms, cutoff } = await work.batch(session, clock);
    const { removed, lagsMs, isLast, isCurrent } = outcome;
    if (removed > 0) {
      const trigger = work.isByHand ? 'manual' : work.source.trigger;
      const pass = this.#passes.count(table.oid, { name, removed, ms, cutoff, trigger }, now);
      if (work.isByHand) this.#asked.count(removed, pass);
      const counts = { removed, changed: 0, quarantined: 0, stale: 0 };
      const removalsPerLag = Math.max(1, Math.round(removed / Math.max(1, lagsMs.length)));
      const result = { ...counts, lagsMs, removalsPerLag, isDrained: isLast, heldMs: ms };
      meters.batch(table.collection, result, clock.now());
      onRemoved({ table, name, removed });
    }
    work.waitUntil(clock.elapsed() + ms * (1 / share - 1));
    if (!isCurrent) this.#passes.end(table.oid, 'paused');
    if (isLast || !isCurrent) await work.end(session, now.ms, clock.elapsed());
    return removed;
  }

  /** Runs a step of one source. One that fails is retried later, and the others continue [R4]. */
  async #guarded(work: SourceWork, now: ServerNow, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (isUnreachable(error) || error instanceof LockLost) throw error;
      const { table, name } = work.source;
      if (!work.fail(error, this.#options.clock)) return;
      this.#logFailure(table, name, error);
      this.#passes.fail(table.oid, error instanceof Error ? error.message : String(error), now);
    }
  }

  #logFailure({ collection }: GovernedTable, index: string, error: unknown): void {
    this.#options.log.error('the reaper failed and will retry', { collection, index, ...errorFields(error) });
  }

  /** Removes partitions that are past their deadline. Returns how many. */
  async #removePartitions(now: ServerNow): Promise<number> {
    const { session, clock, meters, onRemoved } = this.#options;
    let removed = 0;
    for (const work of this.#work.values()) {
      if (work.waitMs(clock) > 0) continue;
      await this.#guarded(work, now, async () => {
        const { source } = work;
        const began = clock.elapsed();
        const { partitions, rows } = await source.removePartitions(session, now);
        if (partitions === 0) return;
        removed += partitions;
        const ms = clock.elapsed() - began;
        const { name, trigger } = source;
        const batch = { name, removed: rows, ms, cutoff: now.text, trigger };
        this.#passes.count(source.table.oid, batch, now);
        meters.removed(source.table.collection, rows, [], clock.now());
        onRemoved({ table: source.table, name: source.name, removed: rows });
      });
    }
    return removed;
  }

  #endPasses(): void {
    const { clock } = this.#options;
    const inLap = this.#inLap;
    const limited = inLap.filter(work => work.waitMs(clock) > 0);
    const oids = (works: readonly SourceWork[]) => new Set(works.map(({ source }) => source.table.oid));
    this.#passes.endIdle({ busy: oids(inLap), limited: oids(limited) });
  }

  /** Work in a lap: by deadlines and schedules, and of the pass that a person started. */
  get #inLap(): SourceWork[] {
    return [...[...this.#work.values()].filter(work => work.isInLap), ...this.#asked.works];
  }

  /** One that another transaction uses is tried again. */
  async #dropDetached(): Promise<void> {
    const { session, holder, log } = this.#options;
    try {
      await dropDetached(session, holder);
    } catch (error) {
      if (isUnreachable(error) || error instanceof LockLost) throw error;
      log.warn('a detached partition could not be dropped, and will be tried again', errorFields(error));
    }
  }

  async #deleteOldHistory(): Promise<void> {
    const { session, clock } = this.#options;
    if (clock.elapsed() >= this.#nextCopiesAt) {
      await this.#dropDetached();
      const hasMore = await deleteOldRemovals(session);
      this.#nextCopiesAt = clock.elapsed() + (hasMore ? COPIES_PART_MS : COPIES_EVERY_MS);
    }
    if (clock.elapsed() - this.#oldHistoryAt < HISTORY_EVERY_MS) return;
    this.#oldHistoryAt = clock.elapsed();
    await deleteOldHistory(session);
  }
}
