import type {
  ReplicaCatalog,
  ReplicaDocument,
  ReplicaEntry,
  ReplicaTick,
} from '../../../../shared/contract/replication.ts';

export interface ReplicaEntries {
  entries: ReplicaEntry[];
}

export interface ReplicaSnapshotPage {
  /** Revision of which the page is true. */
  revision: number;
  /** Only in the first page. */
  catalog: ReplicaCatalog | null;
  documents: ReplicaDocument[];
  /** Null on the last page. */
  next: string | null;
}

export interface FollowerRecord {
  name: string;
  /** Last revision that it has. */
  revision: number;
  seenAt: number;
}

/** SHA-256 of a token in hex; empty for a caller without one, as the launch token's. */
export type FollowerToken = string;

/** Followers that mirror this store [V5]. While there are any, the log keeps document images. */
export interface Followers {
  /** Distinguishes this store from every other, including one restored from its backup. */
  readonly storeId: string;
  /**
   * Registers a follower under `token`; from the returned revision on, the log keeps the entries that it needs. If it
   * is already registered, only its token changes.
   */
  register(name: string, token: FollowerToken): { oldest: number };
  /** Returns the token that registered it; null if it is not registered, or an earlier version registered it. */
  tokenOf(name: string): FollowerToken | null;
  /**
   * Records contact with a follower that has everything up to `revision`. Throws BAD_REQUEST if it is not registered.
   */
  recordProgress(name: string, revision: number): void;
  /** Returns the follower's last reported revision; 0 if it is not registered. */
  revisionOf(name: string): number;
  /** The last tick of each schedule of this store [R1], for followers. */
  ticks(): ReplicaTick[];
  /** By name. */
  list(): FollowerRecord[];
  /** Removes a follower. Pending purges no longer wait for it, and list it as `forgotten` [X4]. */
  forget(name: string): void;
}

/** Progress of a mirror [V5]. Survives a restart, since each step writes it in its own transaction. */
export type ReplicaProgress =
  /** The mirror is empty. */
  | { phase: 'empty' }
  /** Between two pages of a snapshot; `after` is the leader's opaque cursor of the next page. */
  | { phase: 'copying'; storeId: string; after: string; lastRow: RowPlace | null; revision: number }
  /** Replays the log. Consistent only from `consistentFrom` on, the leader's revision at the last page of the copy. */
  | { phase: 'replaying'; storeId: string; consistentFrom: number };

/** End of a snapshot page; pages are ordered by collection, then row. */
export interface RowPlace {
  collection: number;
  row: number;
}

export interface ReplicaPage {
  storeId: string;
  /** Revision of which the page is true. */
  revision: number;
  /** Only in the first page. */
  catalog: ReplicaCatalog | null;
  documents: readonly ReplicaDocument[];
  /** Null on the last page. */
  next: string | null;
  /** With the first page: drops everything in the mirror first. */
  discards?: boolean;
}

/** A store that mirrors another [V5]. Its documents and definitions are changed only through this. */
export interface Replica {
  /** Name under which the leader registered it. */
  readonly name: string;
  readonly progress: ReplicaProgress;
  /**
   * True if its entries were made by other reading rules: the store must be copied again before anything is replayed.
   */
  readonly isOutdated: boolean;
  /** The leader's latest purge that is completed in this file [X4]; 0 if none. */
  readonly purged: number;
  /** The leader's time of the last entry, epoch ms; 0 if there was none since the snapshot. */
  readonly at: number;
  /** Applies a page in one transaction. The first page replaces the content of the mirror. */
  applyPage(page: ReplicaPage): void;
  /**
   * Applies an entry in one transaction, at exactly the leader's revision and instant. Does nothing if it is applied
   * already. Throws, without a change, if a previous revision is missing or it refers to something that does not exist.
   */
  apply(entry: ReplicaEntry): void;
  /**
   * Prepares the mirror for an entry for about `budgetMs`, so that applying it is possible, and short. Returns whether
   * there is more to prepare.
   */
  prepare(entry: ReplicaEntry, budgetMs: number): boolean;
  /** Replaces the last ticks of the leader's schedules [R1]. Skipped on a full disk, until the next call. */
  setTicks(ticks: readonly ReplicaTick[]): void;
  /**
   * Works for about `budgetMs` on the rows of expired documents, and on history whose retention has ended. Returns
   * whether there is more. Must be complete before a copy that discards nothing.
   */
  sweep(budgetMs: number): boolean;
  /** Works for about `budgetMs` on indexes and counts under construction. Returns whether there is more. */
  build(budgetMs: number): boolean;
  /** Deletes expiries and changes up to a revision, in a short step. Returns whether there is more. */
  deleteHistory(throughRevision: number): boolean;
  /** Stores `purged`. */
  setPurged(purge: number): void;
}
