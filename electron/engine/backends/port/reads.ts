import type { MessagePort } from 'node:worker_threads';
import type { z } from 'zod';
import type { CollectionSummary } from '../../../../shared/contract/collections.ts';
import type {
  DocumentFilter,
  DocumentRecord,
  documents,
  Explanation,
} from '../../../../shared/contract/documents.ts';
import type { ExpiredEntry, SeriesPoint } from '../../../../shared/contract/metrics.ts';
import type { Pass } from '../../../../shared/contract/reaper.ts';
import type { TimelineAnswer } from '../../../../shared/contract/timeline.ts';
import type {
  DroppedIndex,
  ExpressionCandidate,
  FieldCandidate,
  PolicyChange,
  Preview,
  TtlIndex,
} from '../../../../shared/contract/ttl-indexes.ts';
import type { TtlSource } from '../../../../shared/model/ttl-index.ts';
import type { Caller } from '../../access/caller.ts';
import type { LogLevel } from '../../platform/logger.ts';
import type { ChangesPage, ChangesQuery } from './change-log.ts';
import type { SeriesQuery } from './figures.ts';
import type { ReplicaEntries, ReplicaSnapshotPage } from './replication.ts';

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
  /** Name of an index to change or, with `drop`, to drop; omitted to create one. */
  name?: string | undefined;
  source?: TtlSource | undefined;
  /** Only of tables of PostgreSQL. */
  partitions?: TtlIndex['partitions'];
  drop?: true | undefined;
}

export interface PreviewContext {
  now: number;
  /** Documents removed per second while draining, as last measured; null if never measured. */
  drainRate: number | null;
}

export interface HistoryQuery {
  collection?: string | undefined;
  limit: number;
}

export interface ExpiredQuery extends HistoryQuery {
  /** Only documents that were removed for this reason. */
  cause?: ExpiredEntry['cause'] | undefined;
  before?: string | undefined;
}

export interface ExportQuery {
  collection: string;
  after?: string | undefined;
  /** Only these documents, in this order; missing ones are omitted. */
  ids?: readonly string[] | undefined;
  /** Only matching documents. */
  filter?: DocumentFilter | undefined;
  /** Adds `$expiration` to each document (see shared/contract/exports.ts). */
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

/** Bytes of a store's file by their use, as counted with every write. */
export interface StorageBytes {
  /** JSON of the documents, overdue ones included. */
  documents: number;
  /** The change log [V3]. */
  log: number;
  /** Restorable copies and dropped collections [X4]. */
  retained: number;
}

/** Read-only queries of every engine. They do not wait for writes, and do not delay them. */
export interface Reads {
  /** Returns the named collections that exist; with null, all. More than a hundred are read in parts, each from a snapshot of its own. */
  summaries(names: readonly string[] | null, now: number): Promise<CollectionSummary[]>;
  /** Rejects with CANCELLED if the signal aborts, EXPRESSION_TIMEOUT. */
  documents(query: DocumentQuery, now: number, signal?: AbortSignal): Promise<DocumentPage>;
  /** Throws DOCUMENT_NOT_FOUND, also if the document is due, unless `includeExpired` [V1]. */
  document(
    query: { collection: string; id: string; includeExpired: boolean },
    now: number,
  ): Promise<DocumentRecord>;
  /** Returns those of `ids` under which no document is stored. Throws COLLECTION_NOT_FOUND. */
  missing(collection: string, ids: readonly string[]): Promise<{ missing: string[]; revision: number }>;
  /** Returns one page of matching `_id`s, in the order of the list; `next` is the `after` of the next page. */
  matchingIds(
    query: { collection: string; filter: DocumentFilter; after: string | null },
    now: number,
    signal?: AbortSignal,
  ): Promise<{ ids: string[]; next: string | null }>;
  explain(collection: string, id: string, now: number): Promise<Explanation>;
  timeline(query: TimelineQuery, now: number): Promise<TimelineAnswer>;
  expired(query: ExpiredQuery, now: number): Promise<{ expired: ExpiredEntry[]; next: string | null }>;
}

/** What a thread needs to answer the calls of a port by itself. */
export interface ReaderAccess {
  readonly caller: Caller;
  /** A `SharedFlag`: the caller's token was revoked. */
  readonly revoked: SharedArrayBuffer;
  /** A `SharedClockState` [R10]. */
  readonly clockState: SharedArrayBuffer;
  readonly logLevel: LogLevel;
}

/** Read-only queries of the embedded store. */
export interface EmbeddedBackendReads extends Reads {
  indexes(collection: string, now: number): Promise<TtlIndex[]>;
  /** Rejects with CANCELLED if the signal aborts. */
  preview(query: PreviewQuery, context: PreviewContext, signal?: AbortSignal): Promise<Preview>;
  candidates(
    collection: string,
    signal?: AbortSignal,
  ): Promise<{
    sampled: number;
    documents: number;
    fields: FieldCandidate[];
    expressions: ExpressionCandidate[];
  }>;
  passes(
    query: HistoryQuery & { before?: number | undefined },
  ): Promise<{ passes: Pass[]; next: number | null }>;
  /** Returns a page of the change log. Throws REVISION_COMPACTED, with the oldest revision kept [V3]. */
  changes(query: ChangesQuery): Promise<ChangesPage>;
  /**
   * Returns whole revisions after `after`, for a follower. Throws REVISION_COMPACTED if the next one is not kept [V5].
   */
  replicaEntries(after: number, limit: number): Promise<ReplicaEntries>;
  /** Returns a page of stored documents; `after` is `next` of the last page [V5]. */
  replicaSnapshot(after: string | null, limit: number): Promise<ReplicaSnapshotPage>;
  /** Returns whether the change log mentions a collection of that name, even a dropped one. */
  isInLog(collection: string): Promise<boolean>;
  /** Returns a page of NDJSON, in file order. */
  exportPage(query: ExportQuery, now: number): Promise<ExportPage>;
  /**
   * Returns every change of the indexes of that name, latest first [X5]. Throws TTL_INDEX_NOT_FOUND if there was none.
   */
  policyHistory(collection: string, index: string): Promise<PolicyChange[]>;
  /** Returns up to a hundred dropped indexes of the collection, latest first [X5]. */
  droppedIndexes(collection: string): Promise<DroppedIndex[]>;
  storage(): Promise<StorageBytes>;
  /** Returns points whose minute begins in the span, oldest first [M1]. */
  series(query: SeriesQuery): Promise<SeriesPoint[]>;
  /** Number of unanswered short reads; scans and watches are not counted. */
  readonly waiting: number;
  /** Resolves when `waiting` is 0. */
  answered(): Promise<void>;
  /**
   * Answers the calls of a port on the reader thread (`protocol/direct-calls.ts`) until it closes; closes it at once if there
   * is no such thread.
   */
  serve(port: MessagePort, access: ReaderAccess): void;
  /** To be called after each commit: calls of served ports may wait for it. */
  committed(): void;
  close(): Promise<void>;
}
