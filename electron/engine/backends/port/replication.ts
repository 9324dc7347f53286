import type {
  ReplicaCatalog,
  ReplicaDocument,
  ReplicaEntry,
} from '../../../../shared/contract/replication.ts';

export interface ReplicaEntries {
  entries: ReplicaEntry[];
}

export interface ReplicaSnapshotPage {
  /** The one it is true of. */
  revision: number;
  /** In the first page. */
  catalog: ReplicaCatalog | null;
  documents: ReplicaDocument[];
  /** Null: this was the last. */
  next: string | null;
}

export interface FollowerRecord {
  name: string;
  /** It has all up to here. */
  revision: number;
  seenAt: number;
}

/** Who mirrors this store [V5]. While there is somebody, the log keeps images of documents. */
export interface Followers {
  /** Tells this store from every other, also from one restored from its backup. */
  readonly storeId: string;
  /** From the answered revision on, the log keeps what a follower needs. One that is registered already stays so. */
  register(name: string): { oldest: number };
  /** It was here, and has all up to `revision`. Throws BAD_REQUEST for one that is not registered. */
  heard(name: string, revision: number): void;
  /** How far it was when it was last heard; 0: it is not registered. */
  revisionOf(name: string): number;
  /** By name. */
  list(): FollowerRecord[];
  /** Purges that wait for it wait no more: they name it as forgotten [X4]. */
  forget(name: string): void;
}

/** How far a mirror has come [V5]; it survives a restart, since each step is written in the step's own transaction. */
export type ReplicaProgress =
  /** Nothing of any leader is in it. */
  | { phase: 'empty' }
  /** Between two pages of a snapshot; `after`: the leader's own word for where the next one begins. */
  | { phase: 'copying'; storeId: string; after: string; lastRow: RowPlace | null; revision: number }
  /** Replaying the log. Before it has come to `wholeAt` it may hold what never was together. */
  | { phase: 'replaying'; storeId: string; wholeAt: number };

/** Where a page of a snapshot ended; pages come in the order of collections, then rows. */
export interface RowPlace {
  collection: number;
  row: number;
}

export interface ReplicaPage {
  storeId: string;
  /** The revision it is true of. */
  revision: number;
  /** In the first page. */
  catalog: ReplicaCatalog | null;
  documents: readonly ReplicaDocument[];
  /** Null: this was the last. */
  next: string | null;
  /** Of the first page: everything in the mirror is dropped before, so that nothing of it stands in the way. */
  discards?: boolean;
}

/** A store that mirrors another [V5]. Nothing but this changes its documents and definitions. */
export interface Replica {
  /** Under which the leader knows it. */
  readonly name: string;
  readonly progress: ReplicaProgress;
  /** It was written by other reading rules: it has to be copied anew before anything is replayed. */
  readonly isOutdated: boolean;
  /** The leader's latest purge whose erasure is done in this file [X4]; 0: none. */
  readonly purged: number;
  /** The leader's instant of the last entry, epoch ms; 0: there was none since the snapshot. */
  readonly at: number;
  /** The first page begins anew over whatever is there; every page is one transaction, of which nothing is left where it throws. */
  applyPage(page: ReplicaPage): void;
  /**
   * One transaction, at exactly the leader's revision and instant. One that is in it already changes nothing. Throws,
   * having changed nothing, where a revision before it is missing, and where it refers to what is not there.
   */
  apply(entry: ReplicaEntry): void;
  /**
   * Works for about `budgetMs` on what a definition of the entry needs beforehand, so that applying it is short.
   * False: nothing is left to prepare.
   */
  prepare(entry: ReplicaEntry, budgetMs: number): boolean;
  /** Works for about `budgetMs` on indexes and counts that are being made. False: nothing is left for now. */
  build(budgetMs: number): boolean;
  /** Forgets expiries and changes up to a revision, a short step at a time. True: there is more. */
  forgetHistory(throughRevision: number): boolean;
  /** Writes down `purged`. */
  notePurged(purge: number): void;
}
