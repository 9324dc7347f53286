/**
 * What the API asks of a database, whichever it is. Times are epoch milliseconds, sizes bytes, durations
 * milliseconds unless a name says otherwise. Every method may throw the typed errors of shared/model/errors;
 * COLLECTION_NOT_FOUND wherever a collection is named.
 */
import type { z } from 'zod';
import type { Permission } from '../../../shared/contract/base.ts';
import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import type {
  DocumentRecord,
  documents,
  ExpirationSetting,
  Explanation,
  WriteReport,
} from '../../../shared/contract/documents.ts';
import type { ExpiredEntry } from '../../../shared/contract/metrics.ts';
import type { Pass } from '../../../shared/contract/reaper.ts';
import type { TimelineAnswer } from '../../../shared/contract/timeline.ts';
import type { TokenRecord } from '../../../shared/contract/tokens.ts';
import type { FieldCandidate, Preview, TtlIndex } from '../../../shared/contract/ttl-indexes.ts';
import type { JsonObject } from '../../../shared/model/json.ts';
import type { Pause, TtlIndexDefinition, TtlSource } from '../../../shared/model/ttl-index.ts';
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

/** Answers that change nothing; they neither wait for a write nor delay one. */
export interface Reads {
  /** Of the named collections that exist; null: of all. */
  summaries(names: readonly string[] | null, now: number): Promise<CollectionSummary[]>;
  documents(query: DocumentQuery, now: number): Promise<DocumentPage>;
  /** Throws DOCUMENT_NOT_FOUND, also for one that is due unless `includeExpired` [V1]. */
  document(collection: string, id: string, includeExpired: boolean, now: number): Promise<DocumentRecord>;
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
  ): Promise<{ expired: ExpiredEntry[]; next: string | null }>;
  /** Short reads asked for and not yet answered. */
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
    index?: string;
    deadlineAt?: number;
  }[];
}

export type WriteMode = 'insert' | 'upsert';

/** Of a change of several documents: each stands on its own. */
export interface BulkResult {
  succeeded: number;
  failed: { _id: string; code: string; message: string }[];
  revision: number;
}

/** A document as it came: its JSON text, or a value that was parsed with its digits kept. */
export type Incoming = { text: string; line: number } | { value: unknown; line: number };

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

export interface Backend {
  readonly file: string;
  readonly reads: Reads;
  readonly expiry: ExpiryStore;
  readonly tokens: TokenStore;
  readonly revision: number;
  /** Bytes of the store's files. */
  bytes(): number;
  /** Rows cut from every read whose bytes are not yet freed. */
  unswept(): number;
  hasCollection(name: string): boolean;
  collectionNames(): string[];

  createCollection(name: string): void;
  /** Answers how many documents went with it. */
  dropCollection(name: string): number;

  /** One transaction. With `atomic`, one bad document rejects them all: INVALID_DOCUMENT carries every rejection. */
  write(
    collection: string,
    documents: readonly Incoming[],
    options: { mode: WriteMode; atomic: boolean; idField?: string | undefined },
  ): WriteReport;
  put(collection: string, id: string, document: JsonObject): { created: boolean; expiredOnArrival: boolean };
  delete(collection: string, ids: readonly string[]): BulkResult;
  /** Null clears [E1]. Throws INVALID_EXPIRATION before anything is changed. */
  setExpiration(collection: string, ids: readonly string[], setting: ExpirationSetting | null): BulkResult;

  createIndex(collection: string, definition: TtlIndexDefinition, by: string): void;
  index(collection: string, name: string): TtlIndexDefinition;
  indexDefinitions(collection: string): TtlIndexDefinition[];
  changeIndex(collection: string, definition: TtlIndexDefinition): void;
  dropIndex(collection: string, name: string): void;
  /** Null resumes; the whole store where no collection is named [R6]. */
  setPause(scope: { collection?: string | undefined; index?: string | undefined }, pause: Pause | null): void;
  pauses(): { scope: { collection?: string; index?: string }; pause: Pause }[];

  /** Tables still to be made, as after a restart. */
  pendingBackfills(): BackfillTarget[];
  /** Works for about `budgetMs`; null: the target is gone or complete. */
  backfill(target: BackfillTarget, budgetMs: number): { rows: number; finished: boolean } | null;

  /** Calls after each commit until the returned function is called. */
  onCommit(listener: (commit: Commit) => void): () => void;
  close(): Promise<void>;
}
