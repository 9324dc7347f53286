/**
 * What the API asks of a database, whichever it is. Times are epoch milliseconds, sizes bytes, durations
 * milliseconds unless a name says otherwise. Every method may throw the typed errors of shared/model/errors;
 * COLLECTION_NOT_FOUND wherever a collection is named.
 */
import type { ExpirationSetting } from '../../../shared/contract/documents.ts';
import type { JsonObject } from '../../../shared/model/json/json.ts';
import type { Pause, TtlIndexDefinition } from '../../../shared/model/ttl-index.ts';
import type { Budget, ExpiryStore } from '../expiry/port.ts';
import type { BackupOptions, BackupResult } from './port/backup.ts';
import type { Commit } from './port/change-log.ts';
import type { Disk } from './port/disk.ts';
import type { DroppedStore, ExpiredStore, PurgeStore } from './port/expired.ts';
import type { MetricSeries } from './port/figures.ts';
import type { FileCare } from './port/file-care.ts';
import type { HoldStore, Openings } from './port/holds.ts';
import type { Reads } from './port/reads.ts';
import type { Followers, Replica } from './port/replication.ts';
import type { SettingsStore } from './port/settings.ts';
import type { TokenStore } from './port/tokens.ts';
import type {
  BackfillTarget,
  BatchReport,
  BulkChange,
  Incoming,
  PartResult,
  WriteOptions,
} from './port/writes.ts';

export type * from './port/backup.ts';
export type * from './port/change-log.ts';
export type * from './port/disk.ts';
export type * from './port/expired.ts';
export type * from './port/figures.ts';
export type * from './port/file-care.ts';
export type * from './port/holds.ts';
export type * from './port/reads.ts';
export type * from './port/replication.ts';
export type * from './port/settings.ts';
export type * from './port/tokens.ts';
export type * from './port/writes.ts';

export interface Backend {
  readonly file: string;
  /** Null: a store of its own. */
  readonly replica: Replica | null;
  readonly reads: Reads;
  readonly expiry: ExpiryStore;
  readonly tokens: TokenStore;
  readonly followers: Followers;
  readonly settings: SettingsStore;
  readonly holds: HoldStore;
  readonly openings: Openings;
  readonly expired: ExpiredStore;
  readonly purges: PurgeStore;
  readonly dropped: DroppedStore;
  readonly series: MetricSeries;
  readonly disk: Disk;
  readonly fileCare: FileCare;
  readonly revision: number;
  /** Bytes of the store's files. */
  bytes(): number;
  /** Rows cut from every read whose bytes are not yet freed. */
  unswept(): number;
  hasCollection(name: string): boolean;
  collectionNames(): string[];

  createCollection(name: string): void;
  /** It can be brought back for a while [X4]. Answers how many documents went with it. */
  dropCollection(name: string, by: string): number;

  /** One transaction. With `atomic`, one bad document rejects them all: INVALID_DOCUMENT carries every rejection. */
  write(collection: string, documents: readonly Incoming[], options: WriteOptions): BatchReport;
  put(collection: string, id: string, document: JsonObject): { created: boolean; expiredOnArrival: boolean };
  /** `isOver`, asked between documents, ends it early: `left` says how many it left. */
  delete(collection: string, ids: readonly string[], isOver?: () => boolean): PartResult;
  /** Null clears [E1]. Throws INVALID_EXPIRATION before anything is changed. */
  /** With `bulk`, a part of that change. */
  setExpiration(
    collection: string,
    ids: readonly string[],
    setting: ExpirationSetting | null,
    bulk?: BulkChange,
    isOver?: () => boolean,
  ): PartResult;
  /** Counts its explicit duration anew [E2]. Throws NO_EXPIRATION, DOCUMENT_NOT_FOUND. */
  keepAlive(collection: string, id: string): void;

  /**
   * Each change of an index is kept with who made it [X5]; `revert` says that it puts back what was. `expected`: somebody
   * saw what it makes due at once; otherwise it may wait for confirmation [R8].
   */
  createIndex(
    collection: string,
    definition: TtlIndexDefinition,
    by: string,
    change?: 'create' | 'revert',
    expected?: boolean,
  ): void;
  index(collection: string, name: string): TtlIndexDefinition;
  indexDefinitions(collection: string): TtlIndexDefinition[];
  changeIndex(
    collection: string,
    definition: TtlIndexDefinition,
    by: string,
    change?: 'change' | 'revert',
    expected?: boolean,
  ): void;
  /** What the index is to be once its build is done [D8]; otherwise what it is. Throws as `index` does. */
  intendedDefinition(collection: string, name: string): TtlIndexDefinition;
  /** Stops the build of what an index is to read documents by; it stays as it is [D8]. */
  cancelSuccessor(collection: string, name: string): void;
  dropIndex(collection: string, name: string, by: string): void;
  /** Null resumes; the whole store where no collection is named [R6]. */
  setPause(
    scope: { collection?: string | undefined; index?: string | undefined },
    pause: Pause | null,
    by: string,
  ): void;
  pauses(): { scope: { collection?: string; index?: string }; pause: Pause }[];

  /** Tables still to be made, as after a restart. */
  pendingBackfills(): BackfillTarget[];
  /** Works for about `budgetMs`; null: the target is gone or complete. */
  backfill(target: BackfillTarget, budget: Budget): { rows: number; finished: boolean } | null;

  /** Lets go of the oldest part of the change log beyond its bounds, a short step; true: there is more [V3]. */
  compactLog(): boolean;

  /** Resolves when what was written so far no longer stands in the way of more: what long work waits for between its steps. */
  caughtUp(): Promise<void>;
  /** Resolves when nothing of it makes the next commit take longer: what work waits for that is to hold the writer briefly. */
  settled(): Promise<void>;

  /** Calls after each commit until the returned function is called. */
  onCommit(listener: (commit: Commit) => void): () => void;
  /**
   * Writes a consistent copy, definitions included, that is there only when it was read back and found whole [B1].
   * Rejects with EXPECTATION_FAILED where something is there already, INVALID_FILE, CANCELLED, STORE_UNREADABLE.
   */
  backup(file: string, options: BackupOptions): Promise<BackupResult>;
  close(): Promise<void>;
}
