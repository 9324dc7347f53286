import type { Limits, Schedule } from '../../../shared/model/ttl-index.ts';
import type { Look } from './schedule/ticks.ts';

/** One rule of one collection that makes documents due: a TTL index, or the explicit expirations. */
export interface ReapSource {
  /** Unique among the sources of a store, and stable. */
  readonly key: string;
  readonly collection: string;
  /** Tells the collection from a later one of the same name. */
  readonly collectionId: number;
  /** The index, or `explicit`. */
  readonly index: string;
  readonly schedule: Schedule;
  /** The last look as the store had it when its definition was last read; means nothing without a schedule [R1]. */
  readonly look: Look;
  /** As they apply now: the index's own, or the store's defaults [R3]. */
  readonly limits: { readonly [Name in keyof Limits]-?: NonNullable<Limits[Name]> };
  /** Paused here, in its collection or for the whole store: only a pass started by hand acts on it. */
  readonly isPaused: boolean;
  /** The narrowest of its pauses; null: it has none. A pass started by hand over something wider spares it [R6]. */
  readonly pausedAt: PauseLevel | null;
  /** Its collection, or the store, waits for somebody to confirm [R8, R9, R10]: until then nothing acts on it. */
  readonly isHeld: boolean;
}

/** What a pause, or a pass started by hand, is of, from the widest to the narrowest [R6]. */
export type PauseLevel = 'store' | 'collection' | 'index';

/** What the store settles for all sources; changeable at any time, and asked before each batch [R3]. */
export interface ReapSettings {
  /** How long a batch may hold the writer that is no source's: sweeping. */
  readonly batchMs: number;
  /** How long any batch may hold the writer while calls wait. */
  readonly batchMsWhileCallsWait: number;
  /** Most documents of one pass of a collection, and of all passes that run at once; 0: no limit. */
  readonly mostPerPass: number;
  readonly mostPerPassInTotal: number;
}

/** How long a step may hold the writer, ms; asked again as it goes on where that may change, since calls come [R5]. */
export type Budget = number | (() => number);

export function budgetMs(budget: Budget): number {
  return typeof budget === 'number' ? budget : budget();
}

export interface BatchLimits {
  /** The cutoff: nothing due later is touched, however long the batch takes [R2]. Epoch ms. */
  readonly cutoff: number;
  /** How long the batch may hold the writer; asked again as it goes on, since calls may start to wait [R5]. */
  budgetMs(): number;
  /** The most documents it may take up: what a rate, a batch size or a cap allows [R3]. */
  readonly most: number;
  /** No other source of its collection has anything left to remove: when this one is drained, so is the pass [R7]. */
  readonly isLast: boolean;
}

export interface BatchResult {
  /** Deleted or moved away. */
  readonly removed: number;
  /** Patched or replaced, and still there [A2, A3]. */
  readonly changed: number;
  /** Left as they were, and not taken up again [A5]. */
  readonly quarantined: number;
  /** Entries that did not agree with their documents: dropped, and the documents left as they were [A6]. */
  readonly stale: number;
  /** Lateness of each removal, ms [M1]. */
  readonly lagsMs: readonly number[];
  /** Nothing due at the cutoff is left in this source. */
  readonly isDrained: boolean;
  /** How long it held the writer. */
  readonly heldMs: number;
}

export type PassTrigger = 'deadline' | 'interval' | 'cron' | 'manual' | 'start';
export type PassEnding = 'drained' | 'limit' | 'paused' | 'held' | 'error' | 'stopped';

/** One busy period of the reaper on one collection, as it grows [R7]. */
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
  /** Documents taken up by each index, by its name. */
  bySource: ReadonlyMap<string, number>;
  batches: number;
  longestBatchMs: number;
  ending: PassEnding;
  error: string | null;
}

/**
 * All that the reaper knows of a database. Checking the deadline again, the action and its record are one
 * transaction of `reap` [A6].
 */
export interface ExpiryStore {
  /** Oldest first: the order in which they act where their deadlines are the same [R4]. */
  sources(): readonly ReapSource[];
  settings(): ReapSettings;
  /** Epoch ms; null: nothing will ever be due. One seek. */
  nextDeadline(source: ReapSource): number | null;
  /** Does to what is due what its source says, in deadline order [A1 to A6]; `pass` is written in the same transaction, and grows once it is durable. */
  reap(source: ReapSource, limits: BatchLimits, pass: PassRecord): BatchResult;
  /**
   * Calls `listener` inside each transaction that changes something, before it commits, with the names of the collections
   * it changes, until the returned function is called.
   */
  beforeCommit(listener: (collections: ReadonlySet<string>) => void): () => void;
  /** Stores the last look of a source, in the running transaction or in one of its own [R1]. */
  writeLook(source: ReapSource, look: Look): void;
  /** Frees what removed documents held, for about as long as the budget; true: there is more. */
  sweep(budget: Budget): boolean;
  /** Removed documents that still hold what they held; each is known to every connection, in memory. */
  unswept(): number;
  nextPassId(): number;
  writePass(pass: PassRecord): void;
}
