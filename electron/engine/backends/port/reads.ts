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
  FieldCandidate,
  PolicyChange,
  Preview,
  TtlIndex,
} from '../../../../shared/contract/ttl-indexes.ts';
import type { TtlSource } from '../../../../shared/model/ttl-index.ts';
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

export interface ExportQuery {
  collection: string;
  after?: string | undefined;
  /** Only these, in this order; what is gone is left out. */
  ids?: readonly string[] | undefined;
  /** Only what it chooses. */
  filter?: DocumentFilter | undefined;
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

/** Bytes of a store's file by their use, as counted with every write. */
export interface StorageBytes {
  /** JSON of the documents, overdue ones included. */
  documents: number;
  /** The change log [V3]. */
  log: number;
  /** Restorable copies and dropped collections [X4]. */
  retained: number;
}

/** Answers that change nothing; they neither wait for a write nor delay one. */
export interface Reads {
  /** Of the named collections that exist; null: of all. */
  summaries(names: readonly string[] | null, now: number): Promise<CollectionSummary[]>;
  /** Rejects with CANCELLED when the signal aborts, EXPRESSION_TIMEOUT. */
  documents(query: DocumentQuery, now: number, signal?: AbortSignal): Promise<DocumentPage>;
  /** Throws DOCUMENT_NOT_FOUND, also for one that is due unless `includeExpired` [V1]. */
  document(collection: string, id: string, includeExpired: boolean, now: number): Promise<DocumentRecord>;
  /** The `_id`s of a page of what a filter chooses, in the order of the list; `next` is given back as `after`. */
  chosen(
    collection: string,
    filter: DocumentFilter,
    after: string | null,
    now: number,
    signal?: AbortSignal,
  ): Promise<{ ids: string[]; next: string | null }>;
  explain(collection: string, id: string, now: number): Promise<Explanation>;
  indexes(collection: string, now: number): Promise<TtlIndex[]>;
  timeline(query: TimelineQuery, now: number): Promise<TimelineAnswer>;
  /** Rejects with CANCELLED when the signal aborts. */
  preview(query: PreviewQuery, context: PreviewContext, signal?: AbortSignal): Promise<Preview>;
  candidates(
    collection: string,
    signal?: AbortSignal,
  ): Promise<{ sampled: number; documents: number; fields: FieldCandidate[] }>;
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
  /** Indexes of the collection that are gone, latest first, a hundred at most [X5]. */
  droppedIndexes(collection: string): Promise<DroppedIndex[]>;
  storage(): Promise<StorageBytes>;
  /** Points whose minute begins in the span, oldest first [M1]. */
  series(query: SeriesQuery): Promise<SeriesPoint[]>;
  /** Short reads that somebody waits for, asked for and not yet answered; a watch can wait. */
  readonly waiting: number;
  /** Resolves when none of them waits. */
  answered(): Promise<void>;
  close(): Promise<void>;
}
