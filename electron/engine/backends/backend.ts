/**
 * The database as the API uses it. `Backend` contains what every engine offers. An engine's further features are
 * interfaces that extend it, named by `capabilities`. Times are epoch milliseconds, sizes bytes, durations milliseconds
 * unless a name says otherwise. Every method may throw the typed errors of shared/model/errors: COLLECTION_NOT_FOUND if
 * it takes a collection's name, and SERVER_UNREACHABLE for a remote engine.
 */
import type { Capabilities, RemoteStore } from '../../../shared/contract/capabilities.ts';
import type { ExpirationSetting } from '../../../shared/contract/documents.ts';
import type { SeriesPoint } from '../../../shared/contract/metrics.ts';
import type { MirrorSettingChanges, MirrorSettings } from '../../../shared/contract/mirror.ts';
import type { DeadlineCondition } from '../../../shared/model/deadline-condition.ts';
import type { JsonObject } from '../../../shared/model/json/json.ts';
import type { Pause, TtlIndexDefinition } from '../../../shared/model/ttl-index.ts';
import type { Budget, ExpiryStore } from '../expiry/expiry-store.ts';
import type { BackupOptions, BackupResult } from './port/backup.ts';
import type { Commit } from './port/change-log.ts';
import type { DeadlineUndo } from './port/deadline-undo.ts';
import type { DroppedStore, ExpiredStore, PurgeStore, RemoteExpired } from './port/expired.ts';
import type { MetricSeries, SeriesQuery } from './port/figures.ts';
import type { FileCare } from './port/file-care.ts';
import type { Disk } from './port/full-disk.ts';
import type { Governance } from './port/governance.ts';
import type { HoldStore, Openings } from './port/holds.ts';
import type { DocumentImport } from './port/import.ts';
import type { LeaseControl } from './port/leases.ts';
import type { EmbeddedBackendReads, Reads } from './port/reads.ts';
import type { Followers, Replica } from './port/replication.ts';
import type { SettingsStore } from './port/settings.ts';
import type { TokenStore } from './port/tokens.ts';
import type {
  BackfillTarget,
  BatchReport,
  BulkChange,
  Incoming,
  IndexChangeOptions,
  PartOptions,
  PartResult,
  PauseScope,
  ScopedPause,
  WriteOptions,
} from './port/writes.ts';

export type * from './port/backup.ts';
export type * from './port/change-log.ts';
export type * from './port/expired.ts';
export type * from './port/figures.ts';
export type * from './port/file-care.ts';
export type * from './port/full-disk.ts';
export type * from './port/governance.ts';
export type * from './port/holds.ts';
export type * from './port/import.ts';
export type * from './port/reads.ts';
export type * from './port/replication.ts';
export type * from './port/settings.ts';
export type * from './port/tokens.ts';
export type * from './port/writes.ts';

/** A value, or its promise if the engine is behind a network. */
export type Awaitable<Value> = Value | Promise<Value>;

export interface Backend {
  readonly capabilities: Capabilities;
  readonly reads: Reads;
  /** Number of changes so far; of a remote engine, changes of its mirror. */
  readonly revision: number;
  readonly settings: SettingsStore;
  hasCollection(name: string): boolean;
  collectionNames(): string[];

  /** Inserts a document or replaces its value; its expiration stays. */
  put(
    collection: string,
    id: string,
    document: JsonObject,
  ): Awaitable<{ created: boolean; expiredOnArrival: boolean }>;
  delete(collection: string, ids: readonly string[], options?: PartOptions): Awaitable<PartResult>;
  /**
   * Sets explicit expirations; null clears them [E1]. A duration counts from `from`, epoch ms, by default now. Throws
   * INVALID_EXPIRATION, and NOT_SUPPORTED for `only`, before anything is changed.
   */
  setExpiration(
    collection: string,
    ids: readonly string[],
    setting: ExpirationSetting | null,
    options?: SetExpirationOptions,
  ): Awaitable<PartResult>;
  /**
   * Returns how many existing documents a call of `setExpiration` would make due by an instant, epoch ms, without those
   * that are due by then already. Changes nothing. Throws as `setExpiration` does.
   */
  dueAfterSetting(
    collection: string,
    ids: readonly string[],
    setting: ExpirationSetting | null,
    options: DueOptions,
  ): Awaitable<DueCount>;

  /** Calls `listener` after each commit. Returns the function that unsubscribes. */
  onCommit(listener: (commit: Commit) => void): () => void;
  close(): Promise<void>;
}

export type SetExpirationOptions = PartOptions & {
  bulk?: BulkChange | undefined;
  from?: number;
  /** The caller, where the engine records who set an expiration. */
  by?: string;
  /** Changes only the documents that it admits. */
  only?: DeadlineCondition | undefined;
  /** Id of the job for whose undo the previous deadlines are kept, where the engine has an undo. */
  job?: string;
};

export interface DueOptions {
  readonly by: number;
  readonly isOver: () => boolean;
  readonly only?: DeadlineCondition | undefined;
}

/** Documents that become due, those that a condition leaves unchanged, and those that were counted. */
export interface DueCount {
  readonly due: number;
  readonly unchanged?: number;
  readonly done: number;
}

/** A store behind a network, with a mirror of its deadlines in a file of this machine. */
export interface RemoteBackend extends Backend {
  /** The server, the state of the mirror, and findings about the configuration. */
  readonly remote: RemoteStore;
  /** Null: the engine has no mirror. */
  readonly mirror: MirrorControl | null;
  /** Figures per minute, kept on this machine [M1]; null: none are kept. */
  readonly minutes: MinuteStore | null;
  /** Null: the engine has no leases. */
  readonly leases: LeaseControl | null;
  /** Null: changes of deadlines cannot be undone. */
  readonly undo: DeadlineUndo | null;
  readonly documentImport: DocumentImport;
  /** Null: Sandglass does not remove documents there. */
  readonly governance: Governance | null;
  /** Null: nothing of what is removed is kept. */
  readonly expired: RemoteExpired | null;
  /** Calls `listener` when `remote` has changed. Returns the function that unsubscribes. */
  onRemoteChange(listener: () => void): () => void;
}

export interface MinuteStore extends MetricSeries {
  /** Points whose minute begins in the span, oldest first. Throws COLLECTION_NOT_FOUND. */
  read(query: SeriesQuery): Promise<SeriesPoint[]>;
}

/** Settings and actions for reading a remote store into its mirror. */
export interface MirrorControl {
  readonly settings: MirrorSettings;
  /** Stores the settings in the mirror's file. Throws BAD_REQUEST for a grouping if the engine's grouping is fixed. */
  change(changes: MirrorSettingChanges): MirrorSettings;
  /** Null: the engine has no notifications that have to be turned on. Resolves to the flags that are set. */
  readonly enableNotifications: (() => Promise<{ flags: string }>) | null;
}

/** Sandglass's own store: a SQLite file, in which Sandglass's reaper removes due documents. */
export interface EmbeddedBackend extends Backend {
  readonly file: string;
  /** Null if the store is not a mirror. */
  readonly replica: Replica | null;
  readonly reads: EmbeddedBackendReads;
  readonly expiry: ExpiryStore;
  readonly tokens: TokenStore;
  readonly followers: Followers;
  readonly holds: HoldStore;
  readonly openings: Openings;
  readonly expired: ExpiredStore;
  readonly purges: PurgeStore;
  readonly dropped: DroppedStore;
  readonly series: MetricSeries;
  readonly disk: Disk;
  readonly fileCare: FileCare;
  /** Returns the size of the store's files, in bytes. */
  bytes(): number;
  /** Returns the number of removed rows, which every read hides, whose space is not reclaimed yet. */
  unswept(): number;

  createCollection(name: string): void;
  /**
   * Drops a collection; it stays restorable for the store's retention [X4]. Returns how many documents were dropped
   * with it.
   */
  dropCollection(name: string, by: string): number;

  /**
   * Writes in one transaction. With `atomic`, one bad document rejects all: INVALID_DOCUMENT carries every rejection.
   */
  write(collection: string, documents: readonly Incoming[], options: WriteOptions): BatchReport;
  put(collection: string, id: string, document: JsonObject): { created: boolean; expiredOnArrival: boolean };
  delete(collection: string, ids: readonly string[], options?: PartOptions): PartResult;
  setExpiration(
    collection: string,
    ids: readonly string[],
    setting: ExpirationSetting | null,
    options?: SetExpirationOptions,
  ): PartResult;
  dueAfterSetting(
    collection: string,
    ids: readonly string[],
    setting: ExpirationSetting | null,
    options: { by: number; isOver: () => boolean },
  ): { due: number; done: number };
  /** Restarts the explicit duration of a document from now [E2]. Throws NO_EXPIRATION, DOCUMENT_NOT_FOUND. */
  keepAlive(collection: string, id: string): void;

  /** Creates an index and records the change in its history [X5]. */
  createIndex(collection: string, definition: TtlIndexDefinition, options: IndexChangeOptions): void;
  index(collection: string, name: string): TtlIndexDefinition;
  indexDefinitions(collection: string): TtlIndexDefinition[];
  /** Changes an index and records the change in its history [X5]. */
  changeIndex(collection: string, definition: TtlIndexDefinition, options: IndexChangeOptions): void;
  /**
   * Returns the definition that applies after the running build [D8]; without a build, the present one. Throws as
   * `index` does.
   */
  intendedDefinition(collection: string, name: string): TtlIndexDefinition;
  /** Cancels the build of a changed definition; the index keeps its present one [D8]. */
  cancelSuccessor(collection: string, name: string): void;
  dropIndex(collection: string, name: string, by: string): void;
  /** Pauses or, with null, resumes an index, a collection or, without either, the whole store [R6]. */
  setPause(scope: PauseScope, pause: Pause | null, by: string): void;
  pauses(): ScopedPause[];

  /** Returns the index tables still to be built, as after a restart. */
  pendingBackfills(): BackfillTarget[];
  /** Works for about `budgetMs`. Returns null if the target is gone or complete. */
  backfill(target: BackfillTarget, budget: Budget): { rows: number; finished: boolean } | null;

  /**
   * Deletes the oldest part of the change log beyond its bounds, in a short step. Returns whether there is more [V3].
   */
  compactLog(): boolean;

  /** Resolves when earlier writes no longer delay further ones. Long work awaits it between its steps. */
  caughtUp(): Promise<void>;
  /** Resolves when no background work delays the next commit. Work that must hold the writer only briefly awaits it. */
  settled(): Promise<void>;

  /**
   * Writes a consistent copy, definitions included, which is kept only if it is read back without errors [B1]. Rejects
   * with EXPECTATION_FAILED if the file exists, INVALID_FILE, CANCELLED, STORE_UNREADABLE.
   */
  backup(file: string, options: BackupOptions): Promise<BackupResult>;
}
