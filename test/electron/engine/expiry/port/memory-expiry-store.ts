import { onTestFinished } from 'vitest';
import type {
  BatchLimits,
  BatchResult,
  BeforeCommit,
  ExpiryStore,
  PassRecord,
  ReapSettings,
  ReapSource,
} from '../../../../../electron/engine/expiry/expiry-store.ts';
import { MeterRegistry } from '../../../../../electron/engine/expiry/meters.ts';
import { Reaper, type ReaperOptions } from '../../../../../electron/engine/expiry/reaper.ts';
import type { Tick } from '../../../../../electron/engine/expiry/schedule/ticks.ts';
import type { Clock } from '../../../../../electron/engine/platform/clock.ts';
import { createLogger } from '../../../../../electron/engine/platform/logger.ts';
import { NOON } from '../../../../support/engine.ts';
import { createManualClock } from '../../../../support/manual-clock.ts';

export interface SourceOptions extends Partial<ReapSource> {
  /** Deadlines of its documents, epoch ms. */
  deadlines?: readonly number[];
  /** Documents that the time of one batch allows. */
  perBatch?: number;
}

export interface Batch {
  readonly key: string;
  readonly at: number;
  readonly cutoff: number;
  readonly maxDocuments: number;
  readonly isLast: boolean;
  readonly budgetMs: number;
  readonly pass: number;
}

type Counts = Pick<BatchResult, 'removed' | 'changed' | 'quarantined' | 'stale'>;

/** A store in memory behind the reaper's port, whose documents are deadlines, and what the reaper did with it. */
export class MemoryExpiryStore implements ExpiryStore {
  readonly batches: Batch[] = [];
  /** Rows of the pass history, by id. */
  readonly passes = new Map<number, PassRecord>();
  readonly ticks: { key: string; tick: Tick }[] = [];
  /** Budgets of the sweep steps, ms. */
  readonly sweeps: number[] = [];
  /** Sources whose next deadline was read. */
  readonly reads: string[] = [];
  /** Messages of the errors that a batch, or reading the next deadline, throws; by source. */
  readonly failing = new Map<string, string>();
  readonly unreadable = new Map<string, string>();
  /** Message of the error that `sources` throws; null: it returns the sources. */
  broken: string | null = null;
  removed = 0;
  /** Called after each batch, as a call that waited for it. */
  afterBatch: (batch: Batch) => void = () => {};
  /** Returns what a batch of so many documents did; removes all by default. */
  outcome: (documents: number) => Counts = documents => counts({ removed: documents });
  most = Number.POSITIVE_INFINITY;
  reaper: Reaper | null = null;
  current: ReapSettings = { batchMs: 8, batchMsWhileCallsWait: 1.5, mostPerPass: 0, mostPerPassInTotal: 0 };
  readonly #now: () => number;
  readonly #documents = new Map<string, number[]>();
  readonly #perBatch = new Map<string, number>();
  readonly #listeners = new Set<BeforeCommit>();
  #sources: readonly ReapSource[] = [];
  #passId = 0;

  constructor(now: () => number, sources: Readonly<Record<string, SourceOptions>>) {
    this.#now = now;
    for (const [key, { deadlines = [], perBatch = 1_000, ...options }] of Object.entries(sources)) {
      this.#documents.set(key, [...deadlines]);
      this.#perBatch.set(key, perBatch);
      this.#sources = [...this.#sources, sourceOf(key, options)];
    }
  }

  /** Adds documents in one transaction. */
  write(key: string, ...deadlines: readonly number[]): void {
    this.#documentsOf(key).push(...deadlines);
    this.#commit(key);
  }

  /** A transaction that changes the source's collection and fails to commit. */
  rollBack(key: string): void {
    this.#beforeCommit(new Set([this.#sourceOf(key).collection]));
  }

  /** Deletes all documents of a source in one transaction. */
  clear(key: string): void {
    this.#documents.set(key, []);
    this.#commit(key);
  }

  /** Changes the definition of a source. */
  change(key: string, change: Partial<ReapSource>): void {
    this.#sources = this.#sources.map(source => (source.key === key ? { ...source, ...change } : source));
    this.#commit(key);
  }

  drop(key: string): void {
    const { collection } = this.#sourceOf(key);
    this.#sources = this.#sources.filter(source => source.key !== key);
    this.reaper?.wake(new Set([collection]));
  }

  left(key: string): number {
    return this.#documentsOf(key).length;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  sources(): readonly ReapSource[] {
    if (this.broken !== null) throw new Error(this.broken);
    return this.#sources;
  }
  settings(): ReapSettings {
    return this.current;
  }
  nextDeadline({ key }: ReapSource): number | null {
    this.reads.push(key);
    const error = this.unreadable.get(key);
    if (error !== undefined) throw new Error(error);
    return this.#documentsOf(key).toSorted((a, b) => a - b)[0] ?? null;
  }
  due({ key }: ReapSource, at: number): number {
    return this.#documentsOf(key).filter(deadline => deadline <= at).length;
  }

  reap({ key, index }: ReapSource, limits: BatchLimits, pass: PassRecord): BatchResult {
    const { cutoff, maxDocuments, isLast } = limits;
    const batch = {
      key,
      at: this.#now(),
      cutoff,
      maxDocuments,
      isLast,
      budgetMs: limits.budgetMs(),
      pass: pass.id,
    };
    this.batches.push(batch);
    const error = this.failing.get(key);
    if (error !== undefined) throw new Error(error);
    const most = Math.min(maxDocuments, this.#perBatch.get(key) ?? 0);
    const due = this.#documentsOf(key)
      .filter(deadline => deadline <= cutoff)
      .toSorted((a, b) => a - b)
      .slice(0, most);
    const left = [...this.#documentsOf(key)];
    for (const deadline of due) left.splice(left.indexOf(deadline), 1);
    const result = this.outcome(due.length);
    const processed = result.removed + result.changed + result.quarantined;
    if (processed + result.stale > 0) this.#documents.set(key, left);
    const isDrained = !this.#documentsOf(key).some(deadline => deadline <= cutoff);
    Object.assign(pass, {
      cutoff,
      endedAt: this.#now(),
      removed: pass.removed + result.removed,
      changed: pass.changed + result.changed,
      quarantined: pass.quarantined + result.quarantined,
      bySource: new Map(pass.bySource).set(index, (pass.bySource.get(index) ?? 0) + processed),
      batches: pass.batches + 1,
      ending: isDrained && isLast ? 'drained' : 'stopped',
    });
    if (processed > 0) this.writePass(pass);
    this.removed += result.removed;
    if (processed > 0) this.#commit(key);
    this.afterBatch(batch);
    return { ...result, lagsMs: due.map(deadline => this.#now() - deadline), isDrained, heldMs: 1 };
  }

  beforeCommit(listener: BeforeCommit): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  writeTick({ key }: ReapSource, tick: Tick): void {
    this.ticks.push({ key, tick });
  }
  prepareNext(): boolean {
    return false;
  }

  sweep(budget: number | (() => number)): boolean {
    this.sweeps.push(typeof budget === 'number' ? budget : budget());
    this.removed = Math.max(0, this.removed - 100);
    return this.removed > 0;
  }
  unswept(): number {
    return this.removed;
  }
  unsweptInMemory(): number {
    return this.removed;
  }
  mostUnswept(): number {
    return this.most;
  }
  nextPassId(): number {
    this.#passId += 1;
    return this.#passId;
  }
  writePass(pass: PassRecord): void {
    this.passes.set(pass.id, { ...pass });
  }

  #commit(key: string): void {
    const collections = new Set([this.#sourceOf(key).collection]);
    for (const work of this.#beforeCommit(collections)) work();
    this.reaper?.wake(collections);
  }
  /** Returns what is to be done once the transaction is committed. */
  #beforeCommit(collections: ReadonlySet<string>): (() => void)[] {
    const afterwards: (() => void)[] = [];
    const transaction = {
      afterCommit: (work: () => void) => void afterwards.push(work),
      isReplaced: () => false,
    };
    for (const listener of this.#listeners) listener(collections, transaction);
    return afterwards;
  }
  #documentsOf(key: string): number[] {
    return this.#documents.get(key) ?? [];
  }
  #sourceOf(key: string): ReapSource {
    const source = this.#sources.find(each => each.key === key);
    if (source === undefined) throw new Error(`there is no source ${key}`);
    return source;
  }
}

/** The counts of a batch; 0 by default. */
export function counts(some: Partial<Counts>): Counts {
  return { removed: 0, changed: 0, quarantined: 0, stale: 0, ...some };
}

/** A source `c1` or `c1/exp`: of the collection `c1`, whose id is 1, and of the index `exp`. */
function sourceOf(key: string, options: Partial<ReapSource>): ReapSource {
  const [collection = '', index = 'ttl'] = key.split('/');
  return {
    key,
    collection,
    collectionId: Number(collection.slice(1)),
    index,
    schedule: { mode: 'exact' },
    tick: { since: NOON, at: NOON, state: 'closed' },
    limits: { removalsPerSecond: 0, batchSize: 0, batchMs: 10 },
    isPaused: false,
    pausedAt: null,
    isHeld: false,
    ...options,
  };
}

export interface ReaperTest {
  readonly store: MemoryExpiryStore;
  readonly reaper: Reaper;
  readonly clock: ReturnType<typeof createManualClock>;
  readonly meters: MeterRegistry;
  /** Logged messages, from `info` on. */
  readonly logged: readonly string[];
  /** Timers that are set and have neither fired nor been cancelled. */
  timers(): number;
  settle(): Promise<void>;
  /** Advances time, stopping at each wake-up. */
  advance(ms: number): Promise<void>;
}

/** Starts a reaper over such a store, at noon, on a clock that only the test moves. */
export function openReaper(
  sources: Readonly<Record<string, SourceOptions>>,
  options: Partial<ReaperOptions> = {},
): ReaperTest {
  const manual = createManualClock(NOON);
  let timers = 0;
  const clock: Clock = {
    ...manual,
    setTimer(ms, fn) {
      timers += 1;
      let isSet = true;
      const end = () => {
        if (isSet) timers -= 1;
        isSet = false;
      };
      const cancel = manual.setTimer(ms, () => {
        end();
        fn();
      });
      return () => {
        end();
        cancel();
      };
    },
  };
  const store = new MemoryExpiryStore(clock.now, sources);
  const logged: string[] = [];
  const meters = new MeterRegistry();
  const reaper = new Reaper({
    store,
    clock,
    log: createLogger('info', clock.now, line => logged.push(line)),
    meters,
    yieldToCalls: () => Promise.resolve(),
    callsWaiting: () => 0,
    ...options,
  });
  store.reaper = reaper;
  onTestFinished(() => reaper.stop());
  reaper.start();

  const nextAt = () => {
    const { nextWakeAt, problem } = reaper.status;
    return Math.min(nextWakeAt ?? Number.POSITIVE_INFINITY, problem?.retryAt ?? Number.POSITIVE_INFINITY);
  };
  async function settle(): Promise<void> {
    for (let turn = 0; turn < 100; turn++) {
      manual.advance(0);
      await reaper.whenIdle();
      if (!reaper.status.isActive && nextAt() > clock.now()) return;
    }
    throw new Error('the reaper does not come to rest');
  }
  return {
    store,
    reaper,
    clock: manual,
    meters,
    logged,
    timers: () => timers,
    settle,
    async advance(ms) {
      const until = clock.now() + ms;
      for (;;) {
        await settle();
        const next = nextAt();
        if (next > until) break;
        manual.advance(next - clock.now());
      }
      manual.advance(until - clock.now());
      await settle();
    },
  };
}
