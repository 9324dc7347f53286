/**
 * What the API asks of a database, whichever it is. Times are epoch milliseconds, sizes bytes, durations
 * milliseconds unless a name says otherwise. Every method may throw the typed errors of shared/model/errors;
 * COLLECTION_NOT_FOUND wherever a collection is named.
 */
import type { z } from 'zod';
import type { Permission } from '../../../shared/contract/base.ts';
import type { CollectionSummary, DroppedCollection } from '../../../shared/contract/collections.ts';
import type {
  DocumentFilter,
  DocumentRecord,
  documents,
  ExpirationSetting,
  Explanation,
  WriteReport,
} from '../../../shared/contract/documents.ts';
import type { ChangeEvent } from '../../../shared/contract/events.ts';
import type { PurgeRecord } from '../../../shared/contract/expired.ts';
import type { ExpiredEntry, SeriesPoint } from '../../../shared/contract/metrics.ts';
import type { Hold, Pass } from '../../../shared/contract/reaper.ts';
import type { ReplicaCatalog, ReplicaDocument, ReplicaEntry } from '../../../shared/contract/replication.ts';
import type { Settings } from '../../../shared/contract/settings.ts';
import type { TimelineAnswer } from '../../../shared/contract/timeline.ts';
import type { TokenRecord } from '../../../shared/contract/tokens.ts';
import type {
  FieldCandidate,
  PolicyChange,
  Preview,
  TtlIndex,
} from '../../../shared/contract/ttl-indexes.ts';
import type { JsonObject } from '../../../shared/model/json.ts';
import type { LogPlace } from '../../../shared/model/log-place.ts';
import type {
  ExpireAction,
  OnExpire,
  Pause,
  TtlIndexDefinition,
  TtlSource,
} from '../../../shared/model/ttl-index.ts';
import type { ExpiryStore } from '../expiry/port.ts';

export type DocumentQuery = z.output<(typeof documents)['list']['~orpc']['inputSchema'] & {}>;

export interface DocumentPage {
  documents: DocumentRecord[];
  next: string | null;
  partial: boolean;
  now: number;
  revision: number;
}

export interface TimelineQuery {
  collection?: string | undefined;
  from: number;
  to: number;
  buckets: number;
}

export interface PreviewQuery {
  collection: string;
  /** An existing index is changed or, with `drop`, dropped; otherwise one is made. */
  name?: string | undefined;
  source?: TtlSource | undefined;
  drop?: true | undefined;
}

export interface PreviewContext {
  now: number;
  /** Documents a second that a drain removes, as last measured; null: never measured. */
  drainRate: number | null;
}

export interface HistoryQuery {
  collection?: string | undefined;
  limit: number;
}

export interface ChangesQuery {
  /** Inclusive. It may lie ahead of what is committed: then there is nothing yet. */
  from: LogPlace;
  /** Only changes of this collection, and the markers of revisions that have some. */
  collection?: string | undefined;
  /** Most changes of one page; markers come on top. At least 1. */
  limit: number;
}

export interface LoggedEvent {
  /** `revision.position` [V3]. */
  id: string;
  event: ChangeEvent;
}

export interface ChangesPage {
  events: LoggedEvent[];
  /** Where the next page begins. */
  next: LogPlace;
  /** Nothing behind `next` was committed when this was read. */
  isEnd: boolean;
}

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
  forget(name: string): void;
}

export interface ExportQuery {
  collection: string;
  after?: string | undefined;
  /** Each document carries `$expiration` (see shared/contract/exported-expiration.ts). */
  deadlines: boolean;
  includeExpired: boolean;
  limit: number;
}

export interface ExportPage {
  text: string;
  documents: number;
  next: string | null;
  revision: number;
}

/** Bytes that a store keeps beside its documents: the change log [V3] and restorable copies [X4]. */
export interface KeptBytes {
  log: number;
  retained: number;
}

export interface SeriesQuery {
  /** Of the whole store where none is named. */
  collection?: string | undefined;
  from: number;
  to: number;
}

/** Figures by the minute that survive a restart [M1]; `Reads.series` answers them. */
export interface MetricSeries {
  /** Of collections and, with null, of the store. A minute that is there already is added to. */
  append(points: readonly { collection: string | null; point: SeriesPoint }[]): void;
}

/** Answers that change nothing; they neither wait for a write nor delay one. */
export interface Reads {
  /** Of the named collections that exist; null: of all. */
  summaries(names: readonly string[] | null, now: number): Promise<CollectionSummary[]>;
  documents(query: DocumentQuery, now: number): Promise<DocumentPage>;
  /** Throws DOCUMENT_NOT_FOUND, also for one that is due unless `includeExpired` [V1]. */
  document(collection: string, id: string, includeExpired: boolean, now: number): Promise<DocumentRecord>;
  /** The `_id`s of a page of what a filter chooses, in the order of the list; `next` is given back as `after`. */
  chosen(
    collection: string,
    filter: DocumentFilter,
    after: string | null,
    now: number,
  ): Promise<{ ids: string[]; next: string | null }>;
  explain(collection: string, id: string, now: number): Promise<Explanation>;
  indexes(collection: string, now: number): Promise<TtlIndex[]>;
  timeline(query: TimelineQuery, now: number): Promise<TimelineAnswer>;
  /** Rejects with CANCELLED when the signal aborts. */
  preview(query: PreviewQuery, context: PreviewContext, signal?: AbortSignal): Promise<Preview>;
  candidates(collection: string): Promise<{ sampled: number; documents: number; fields: FieldCandidate[] }>;
  passes(
    query: HistoryQuery & { before?: number | undefined },
  ): Promise<{ passes: Pass[]; next: number | null }>;
  expired(
    query: HistoryQuery & { before?: string | undefined },
    now: number,
  ): Promise<{ expired: ExpiredEntry[]; next: string | null }>;
  /** A page of the change log. Throws REVISION_COMPACTED, with the oldest revision kept [V3]. */
  changes(query: ChangesQuery): Promise<ChangesPage>;
  /**
   * Whole revisions behind `after`, for a follower. Throws REVISION_COMPACTED where what followed it is not kept [V5].
   */
  replicaEntries(after: number, limit: number): Promise<ReplicaEntries>;
  /** A page of every document as it is stored; `after` is what the last page gave as `next` [V5]. */
  replicaSnapshot(after: string | null, limit: number): Promise<ReplicaSnapshotPage>;
  /** Whether the change log tells of a collection of that name, even of one that is gone. */
  isInLog(collection: string): Promise<boolean>;
  /** A page of NDJSON, in the order of the file. */
  exportPage(query: ExportQuery, now: number): Promise<ExportPage>;
  /** Every change of the indexes of that name, latest first [X5]. Throws TTL_INDEX_NOT_FOUND where there was none. */
  policyHistory(collection: string, index: string): Promise<PolicyChange[]>;
  kept(): Promise<KeptBytes>;
  /** Points whose minute begins in the span, oldest first [M1]. */
  series(query: SeriesQuery): Promise<SeriesPoint[]>;
  /** Short reads that somebody waits for, asked for and not yet answered; a watch can wait. */
  readonly waiting: number;
  close(): Promise<void>;
}

/** What was committed, told after it is durable [V2]. */
export interface Commit {
  revision: number;
  at: number;
  collections: ReadonlySet<string>;
  changes: readonly {
    collection: string;
    kind: 'insert' | 'update' | 'delete' | 'expire' | 'expiration' | 'definition';
    id: string;
    /** Of an expiry: which index acted, or `explicit`, how, and how late; pass 0: a write completed it [C4]. */
    index?: string;
    deadlineAt?: number;
    action?: ExpireAction;
    lagMs?: number;
    pass?: number;
  }[];
}

export type WriteMode = 'insert' | 'upsert';

export interface WriteOptions {
  mode: WriteMode;
  atomic: boolean;
  idField?: string | undefined;
  /** Where a document is due on arrival, the collection is held in the same transaction, so that none leaves [R9]. */
  holdIfDue?: { cause: Hold['cause']; by: string } | undefined;
}

/** Absent: as it was; null: its default again [R3]. */
export type SettingChanges = { [Name in keyof Settings]?: Settings[Name] | null | undefined };

/** The store's settings. Durable when `change` returns, and in effect from the next batch on. */
export interface SettingsStore {
  get(): Settings;
  change(changes: SettingChanges): Settings;
}

export interface NewHold {
  /** Null: the whole store. */
  collection: string | null;
  cause: Hold['cause'];
  by: string;
  /** How many documents it is about; otherwise what is due, by now or by `dueAt` (epoch ms) if that is later. */
  due?: number;
  dueAt?: number;
  /** How far the clock jumped, or how long the store was closed. */
  ms?: number;
}

/** A change of many expirations, which may be made in parts and is counted as one by the circuit breaker [R8]. */
export interface BulkChange {
  readonly by: string;
  /** Documents that it has made due at once so far. */
  madeDue: number;
  /** Until then nothing in its collection is acted on; call it in any case, then wake the reaper. */
  end(): void;
}

/** What nothing acts on until somebody confirms it [R8, R9, R10]. Holds survive a restart. */
export interface HoldStore {
  list(): readonly Hold[];
  /** One of the same cause is renewed, and keeps since when. Throws COLLECTION_NOT_FOUND. */
  place(hold: NewHold): void;
  /** Ends it; where a definition waits, that has effect now. Throws EXPECTATION_FAILED where there is no such hold. */
  confirm(id: string, by: string): void;
  /** Throws COLLECTION_NOT_FOUND. */
  beginBulk(collection: string, by: string): BulkChange;
  /** The clock came back by itself: its hold ends, and what fell due meanwhile goes under the circuit breaker. */
  endOfClockHold(): void;
  /** Holds what is due in a restored backup, or fell due while the store was closed for too long; `lastOpenAt` in epoch ms. */
  placeAfterOpening(lastOpenAt: number | null): void;
}

/** When the store was open [R9, R10]. */
export interface Openings {
  /**
   * When it was last known to be, before this opening, by the time that was trusted (epoch ms), and how far the wall
   * clock was ahead of that; null: never.
   */
  readonly last: { readonly at: number; readonly clockOffsetMs: number } | null;
  /** It is open now. */
  note(clockOffsetMs: number): void;
}

/** Of a change of several documents: each stands on its own. */
export interface BulkResult {
  succeeded: number;
  failed: { _id: string; code: string; message: string }[];
  revision: number;
}

/** A document as it came: its JSON text, or a value that was parsed with its digits kept. */
export type Incoming =
  | { text: string; line: number; expiration?: ExpirationOnArrival }
  | { value: unknown; line: number; expiration?: undefined };

/**
 * What an import gives a document beside its text. `at` (epoch ms) may be past: then it is due. `as index`: the same,
 * with the action of the index that governs the document here, and nothing where none does or where the write itself
 * starts its time anew [D7].
 */
export type ExpirationOnArrival =
  | { kind: 'pin' }
  | { kind: 'at'; at: number; afterMs: number | null; onExpire: OnExpire }
  | { kind: 'as index'; at: number };

export type BackfillTarget =
  | { kind: 'index'; collection: string; index: string }
  | { kind: 'recount'; collection: string };

export interface NewToken {
  name: string;
  /** Of the token, in hex; the token itself is not kept. */
  sha256: string;
  permission: Permission;
  by: string;
}

/** Who may enter the served host [P1]. Durable when a method returns. */
export interface TokenStore {
  /** By name. */
  list(): TokenRecord[];
  /** Throws TOKEN_NOT_FOUND. */
  get(name: string): TokenRecord;
  /** Throws TOKEN_EXISTS. */
  create(token: NewToken): TokenRecord;
  /** Throws TOKEN_NOT_FOUND. */
  revoke(name: string): void;
  /** Notes that it was used, to the minute. */
  whose(sha256: string): { name: string; permission: Permission } | null;
  /** Told the hash of a token when it is revoked, until the returned function is called. */
  onRevoke(listener: (sha256: string) => void): () => void;
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
}

/** A store that mirrors another [V5]. Nothing but this changes its documents and definitions. */
export interface Replica {
  /** Under which the leader knows it. */
  readonly name: string;
  readonly progress: ReplicaProgress;
  /** The leader's instant of the last entry, epoch ms; 0: there was none since the snapshot. */
  readonly at: number;
  /** The first page begins anew over whatever is there; every page is one transaction. */
  applyPage(page: ReplicaPage): void;
  /**
   * One transaction, at exactly the leader's revision and instant. One that is in it already changes nothing. Throws a
   * RangeError, having changed nothing, where a revision before it is missing.
   */
  apply(entry: ReplicaEntry): void;
  /**
   * Works for about `budgetMs` on what a definition of the entry needs beforehand, so that applying it is short.
   * False: nothing is left to prepare.
   */
  prepare(entry: ReplicaEntry, budgetMs: number): boolean;
  /** Works for about `budgetMs` on indexes and counts that are being made. False: nothing is left for now. */
  build(budgetMs: number): boolean;
}

/** Expiries by what they have in common; null: of all collections. */
export interface ExpiredSpan {
  /** By its name or, of one that was dropped, by its number. */
  collection: string | number | null;
  /** The index that acted, also one that was dropped since, or `explicit`. */
  index?: string | undefined;
  /** By removal time, from inclusive, to exclusive. */
  removedFrom?: number | undefined;
  removedTo?: number | undefined;
  /** None later than this one. */
  throughId?: number | undefined;
}

/** Some of those found, and where to look on; `cursor` null: there are no more. */
export interface ExpiredPage {
  ids: string[];
  cursor: number | null;
}

export interface RestoreOptions {
  expiration: ExpirationSetting;
  /** Where the `_id` was taken since; `choices` say so for single ones, by the expiry's id. */
  onConflict: 'skip' | 'replace' | 'newId';
  choices: Readonly<Record<string, 'skip' | 'replace' | 'newId'>>;
}

export type RestoreResult = BulkResult;

/** What expired and can be brought back [X4]. */
export interface ExpiredStore {
  /** A short look. In order of removal, or the latest first. */
  find(span: ExpiredSpan, from: { cursor: number | null; order: 'asc' | 'desc' }): ExpiredPage;
  /**
   * One transaction. Each on its own: EXPIRED_NOT_FOUND for what is not kept (any more), DOCUMENT_EXISTS for what is
   * skipped. Throws INVALID_EXPIRATION before anything is changed.
   */
  restore(ids: readonly string[], options: RestoreOptions): RestoreResult;
}

/** An expiry that was erased: what else tells of it is to be erased, too. */
export interface ErasedExpiry {
  collection: string;
  _id: string;
  revision: number;
}

/**
 * Erasing what expired [X4], in short steps: let go of the copies, sweep what is left of the documents, erase the
 * rows of the log, redact what else it tells, rewrite the file.
 */
export interface PurgeStore {
  /** The latest expiry. */
  readonly lastId: number;
  /** They can be restored no more; their bytes are still in the file. */
  letGo(ids: readonly string[]): void;
  /** Nothing that expired up to here is in its collection's tables any more. */
  isSwept(throughId: number): boolean;
  /** Their rows of the log; those that are not swept yet stay. */
  erase(ids: readonly string[]): ErasedExpiry[];
  /** Blanks `_id`s in a stretch of the change log after a revision; answers where to go on, null: that was all. */
  redact(isErased: (change: ErasedExpiry & { at: number }) => boolean, afterRevision: number): number | null;
  /**
   * Lets go of what followers replay of revisions up to this one, a short step at a time: they have to begin anew
   * [V5]. True: there is more.
   */
  forgetImages(throughRevision: number): boolean;
  /** Writes the file anew, without what was freed in it; nobody is answered meanwhile. */
  rewriteFile(): void;
  /** Empties the write-ahead log; false: a reader still needs it. */
  emptyLog(): boolean;
  record(purge: { by: string; documents: number }): PurgeRecord;
  /** Latest first. */
  list(): PurgeRecord[];
}

/** Collections that were dropped and can be brought back [X4]. */
export interface DroppedStore {
  /** Latest first. */
  list(): DroppedCollection[];
  /**
   * Under its name unless another is given; what is due of it is held until confirmed [R9]. Answers its name. Throws
   * COLLECTION_NOT_FOUND, COLLECTION_EXISTS, INVALID_NAME.
   */
  restore(id: number, by: string, name?: string): string;
  /** It cannot come back any more, and is freed by and by. Throws COLLECTION_NOT_FOUND. */
  letGo(id: number): DroppedCollection;
  /** Works for about `budgetMs`; true: there is more to free. */
  free(budgetMs: number): boolean;
}

export interface BackupOptions {
  signal: AbortSignal;
  /** Bytes. */
  onProgress(done: number, total: number): void;
}

export interface BackupResult {
  /** Of the file. */
  bytes: number;
  /** Rows of documents in it, those removed and not yet swept among them. */
  documents: number;
}

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
  write(collection: string, documents: readonly Incoming[], options: WriteOptions): WriteReport;
  put(collection: string, id: string, document: JsonObject): { created: boolean; expiredOnArrival: boolean };
  delete(collection: string, ids: readonly string[]): BulkResult;
  /** Null clears [E1]. Throws INVALID_EXPIRATION before anything is changed. */
  /** With `bulk`, a part of that change. */
  setExpiration(
    collection: string,
    ids: readonly string[],
    setting: ExpirationSetting | null,
    bulk?: BulkChange,
  ): BulkResult;
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
  backfill(target: BackfillTarget, budgetMs: number): { rows: number; finished: boolean } | null;

  /** Lets go of the oldest part of the change log beyond its bounds, a short step; true: there is more [V3]. */
  compactLog(): boolean;

  /** Calls after each commit until the returned function is called. */
  onCommit(listener: (commit: Commit) => void): () => void;
  /**
   * Writes a consistent copy, definitions included, that is there only when it was read back and found whole [B1].
   * Rejects with INVALID_FILE where something is there already, CANCELLED, STORE_UNREADABLE.
   */
  backup(file: string, options: BackupOptions): Promise<BackupResult>;
  close(): Promise<void>;
}
