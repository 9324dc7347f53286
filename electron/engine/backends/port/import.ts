import type { RejectedDocument } from '../../../../shared/contract/jobs.ts';
import type { JsonObject } from '../../../../shared/model/json/json.ts';
import type { WriteMode } from './writes.ts';

/** A document of an import into a remote store. */
export interface ImportedDocument {
  /** Line of the text, from 1, or position in the array. */
  readonly line: number;
  /** Null: it has none. */
  readonly id: string | null;
  /** Without `_id`. */
  readonly document: JsonObject;
  /** Null: none. `isExplicit`: it was set by hand, or is that of a key; otherwise a TTL index gave it. */
  readonly deadline: { readonly at: number; readonly isExplicit: boolean } | 'never' | null;
}

export interface ImportOptions {
  /** `insert` refuses a document whose `_id` exists, `upsert` replaces it. */
  readonly mode: WriteMode;
  /** The caller, where the engine records who set an expiration. */
  readonly by: string;
  /** Called between batches: true ends the call, and `left` is the number of skipped documents. */
  readonly isOver?: (() => boolean) | undefined;
}

export interface ImportReport {
  inserted: number;
  updated: number;
  /** Documents past their deadline, which were not written. */
  expiredOnArrival: number;
  rejected: RejectedDocument[];
  left?: number;
}

/** Writes documents of an export, with their deadlines, into a store that is behind a network. */
export interface DocumentImport {
  /** Throws COLLECTION_NOT_FOUND if the collection cannot be written, or does not exist and `create` is false; READ_ONLY. */
  open(collection: string, options: { create: boolean }): void | Promise<void>;
  /**
   * Writes documents, each of which succeeds or is rejected alone. Throws SERVER_UNREACHABLE and CONNECTION_NOT_OPEN if
   * the server is lost; documents before that may be written.
   */
  write(
    collection: string,
    documents: readonly ImportedDocument[],
    options: ImportOptions,
  ): Promise<ImportReport>;
}
