import type { Limits, Schedule } from '../../../shared/model/ttl-index.ts';
import type { Tick } from './schedule/ticks.ts';

/** One rule of one collection that makes documents due: a TTL index, or the explicit expirations. */
export interface ReapSource {
  /** Stable, and unique among the sources of a store. */
  readonly key: string;
  readonly collection: string;
  /** Distinguishes the collection from a later one of the same name. */
  readonly collectionId: number;
  /** Name of the index, or `explicit`. */
  readonly index: string;
  readonly schedule: Schedule;
  /** Last tick, as stored when the definition was last read; unused without a schedule [R1]. */
  readonly tick: Tick;
  /** Effective limits: the index's own, or the store's defaults [R3]. */
  readonly limits: { readonly [Name in keyof Limits]-?: NonNullable<Limits[Name]> };
  /** Paused at the index, its collection or the store: only a manual pass acts on it. */
  readonly isPaused: boolean;
  /** Narrowest of its pauses; null if none. A manual pass over a wider scope skips it [R6]. */
  readonly pausedAt: PauseLevel | null;
  /** The collection or the store waits for confirmation [R8, R9, R10]; no action runs until then. */
  readonly isHeld: boolean;
}

/** Scope of a pause or a manual pass, from the widest to the narrowest [R6]. */
export type PauseLevel = 'store' | 'collection' | 'index';

/** Store-wide settings. They may change at any time and are read before each batch [R3]. */
export interface ReapSettings {
  /** Time that a sweep step may hold the writer, ms. */
  readonly batchMs: number;
  /** Time that any batch may hold the writer while calls wait, ms. */
  readonly batchMsWhileCallsWait: number;
  /** Most documents of one pass of a collection, and of all passes that run at once; 0 for no limit. */
  readonly mostPerPass: number;
  readonly mostPerPassInTotal: number;
}

/**
 * Time that a step may hold the writer, ms; a function if it may decrease during the step because calls start to wait
 * [R5].
 */
export type Budget = number | (() => number);

export function budgetMs(budget: Budget): number {
  return typeof budget === 'number' ? budget : budget();
}

export interface BatchLimits {
  /** Documents with a later deadline are not processed, however long the batch takes [R2]. Epoch ms. */
  readonly cutoff: number;
  /** Time that the batch may hold the writer, ms; read repeatedly, since calls may start to wait [R5]. */
  budgetMs(): number;
  /** Most documents it may process, from rate, batch size and caps [R3]. */
  readonly maxDocuments: number;
  /**
   * True if no other source of the collection has due documents left: when this one is drained, the pass ends as
   * drained [R7].
   */
  readonly isLast: boolean;
}

export interface LagGroup {
  readonly lagMs: number;
  readonly documents: number;
}

/** Index entries that did not agree with their documents: dropped, with the documents unchanged [A6]. */
export interface StaleEntries {
  readonly collection: string;
  readonly index: string;
  readonly entries: number;
}

export interface BatchResult {
  /** Deleted or moved. */
  readonly removed: number;
  /** Patched or replaced, and still there [A2, A3]. */
  readonly changed: number;
  /** Left unchanged, and skipped from now on [A5]. */
  readonly quarantined: number;
  /** Index entries that did not agree with their documents: deleted, with the documents unchanged [A6]. */
  readonly stale: number;
  /** Lag of each removal, ms [M1]; or of some, each of which stands for `removalsPerLag`. */
  readonly lagsMs: readonly number[];
  /** 1 by default. */
  readonly removalsPerLag?: number;
  /** Lag of removals that were not measured one by one: of so many documents each. */
  readonly lagGroups?: readonly LagGroup[];
  /** True if the source has no more documents that are due at the cutoff. */
  readonly isDrained: boolean;
  /** Time that it held the writer, ms. */
  readonly heldMs: number;
}

export type PassTrigger = 'deadline' | 'interval' | 'cron' | 'manual' | 'start';
export type PassEnding = 'drained' | 'limit' | 'paused' | 'held' | 'error' | 'stopped';

/** Receives the error of a preparation: the removal itself is not affected. */
export type OnUnprepared = (source: Pick<ReapSource, 'collection' | 'index'>, error: unknown) => void;

/** One busy period of the reaper on one collection, updated while it runs [R7]. */
export interface PassRecord {
  readonly id: number;
  readonly collection: string;
  readonly startedAt: number;
  trigger: PassTrigger;
  endedAt: number;
  cutoff: number;
  removed: number;
  changed: number;
  quarantined: number;
  /** Documents processed, by index name. */
  bySource: ReadonlyMap<string, number>;
  batches: number;
  longestBatchMs: number;
  ending: PassEnding;
  error: string | null;
}

/**
 * Called inside a transaction, before it commits, with the names of the changed collections. What it passes to
 * `afterCommit` runs once the transaction is committed, and never if it is rolled back.
 */
export type BeforeCommit = (
  collections: ReadonlySet<string>,
  transaction: {
    afterCommit(work: () => void): void;
    /** Whether the transaction drops the source, or replaces what its deadlines are read from. */
    isReplaced(source: ReapSource): boolean;
  },
) => void;

/**
 * The reaper's view of a database. One transaction of `reap` holds the second check of the deadline, the action and its
 * record [A6].
 */
export interface ExpiryStore {
  /** Oldest first: the order in which sources with equal deadlines act [R4]. */
  sources(): readonly ReapSource[];
  settings(): ReapSettings;
  /** Returns the earliest deadline, epoch ms; null if no document has one. One seek. */
  nextDeadline(source: ReapSource): number | null;
  /** Returns the number of documents of the source that are due at an instant, epoch ms, and not removed. */
  due(source: ReapSource, at: number): number;
  /**
   * Applies the source's action to due documents, in deadline order [A1 to A6]. Writes `pass` in the same transaction
   * and updates it once that is durable.
   */
  reap(source: ReapSource, limits: BatchLimits, pass: PassRecord): BatchResult;
  /** Calls `listener` inside each transaction that changes something. Returns the function that unsubscribes. */
  beforeCommit(listener: BeforeCommit): () => void;
  /** Stores the last tick of a source, in the running transaction or in one of its own [R1]. */
  writeTick(source: ReapSource, tick: Tick): void;
  /**
   * Prepares the removal of a source that was not prepared yet, so that it takes less time when documents are due. Called
   * when nothing is unswept; visits a bounded number of sources. Returns false if there is nothing left to prepare.
   */
  prepareNext(onFailure: OnUnprepared): boolean;
  /** Reclaims the space of removed documents, for about as long as the budget. Returns whether there is more. */
  sweep(budget: Budget): boolean;
  /** Returns the number of removed documents whose space is not reclaimed. */
  unswept(): number;
  /** Returns how many of them every connection holds in memory. */
  unsweptInMemory(): number;
  /**
   * Returns how many removed documents the free space allows; above this number, space is reclaimed before further
   * removals.
   */
  mostUnswept(): number;
  nextPassId(): number;
  writePass(pass: PassRecord): void;
}
