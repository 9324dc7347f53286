import type { DroppedCollection } from '../../../../shared/contract/collections.ts';
import type { ExpirationSetting } from '../../../../shared/contract/documents.ts';
import type { PurgeRecord } from '../../../../shared/contract/expired.ts';
import type { PurgeMark } from '../../../../shared/contract/replication.ts';
import type { PartOptions, PartResult } from './writes.ts';

/** Filter of expiries. */
export interface ExpiredSpan {
  /** Name or, for a dropped collection, number; null for all collections. */
  collection: string | number | null;
  /** Index that acted, even if dropped since, or `explicit`. */
  index?: string | undefined;
  /** Span of removal times: from inclusive, to exclusive. */
  removedFrom?: number | undefined;
  removedTo?: number | undefined;
  /** Cause of the removal; absent: any. */
  cause?: 'expired' | 'deleted' | undefined;
  /** Only expiries up to this one. */
  throughId?: number | undefined;
  /** Only those that can be restored now [X4]. */
  restorable?: true;
}

/** A page of matching expiries. `cursor` starts the next page; null on the last. */
export interface ExpiredPage {
  ids: string[];
  cursor: number | null;
}

export interface RestoreOptions extends PartOptions {
  expiration: ExpirationSetting;
  /** If the `_id` is in use again; `choices` overrides it by expiry id. */
  onConflict: 'skip' | 'replace' | 'newId';
  choices: Readonly<Record<string, 'skip' | 'replace' | 'newId'>>;
}

export type RestoreResult = PartResult;

/** Removed rows of a remote database, which can be restored [X4]. */
export interface RemoteExpired {
  /** Returns a page of what can be restored, in order of removal, or latest first. */
  find(span: ExpiredSpan, from: { cursor: number | null; order: 'asc' | 'desc' }): Promise<ExpiredPage>;
  /** Id of the latest removal. */
  lastId(): Promise<number>;
  /**
   * Restores in one transaction. Fails one by one: EXPIRED_NOT_FOUND if no copy is kept, DOCUMENT_EXISTS if skipped,
   * EXPECTATION_FAILED if the database refuses it. Rejects with INVALID_EXPIRATION before anything is changed.
   */
  restore(ids: readonly string[], options: RestoreOptions & { by?: string }): Promise<RestoreResult>;
}

/** Expired documents that can be restored [X4]. */
export interface ExpiredStore {
  /** Returns a page in order of removal, or latest first. Examines a bounded number of rows, so a page may be empty. */
  find(span: ExpiredSpan, from: { cursor: number | null; order: 'asc' | 'desc' }): ExpiredPage;
  /**
   * Restores in one transaction. Fails one by one: EXPIRED_NOT_FOUND if no copy is kept, DOCUMENT_EXISTS if skipped.
   * Throws INVALID_EXPIRATION before anything is changed.
   */
  restore(ids: readonly string[], options: RestoreOptions): RestoreResult;
}

/**
 * A document as the change log records it at a revision. The collection is given by number, since it may have been
 * renamed.
 */
export interface LoggedDocument {
  collection: number;
  _id: string;
  revision: number;
}

/**
 * Erasure of what expired [X4], in short steps: delete the copies, sweep the remains of the documents, begin, delete
 * the images, redact the change log, erase the expiries, rewrite the file, complete.
 *
 * The order makes every interruption safe. Followers erase their history from `begin` on, so no follower keeps data
 * that its leader erased. Images refer to expiries, so they are deleted first. The `_id`s in the change log are found
 * by the expiries, so the expiries are erased last: after an interruption, another purge finds the rest.
 */
export interface PurgeStore {
  /** Id of the latest expiry. */
  readonly lastId: number;
  /** Makes expiries no longer restorable; their bytes are still in the file. */
  releaseCopies(ids: readonly string[]): void;
  /** Returns whether the collection's tables contain no remains of expiries up to this id. */
  isSwept(throughId: number): boolean;
  /**
   * Begins to erase expiries: followers that are registered now become pending, must copy the store again if they still
   * need images [V5], and erase their history up to the returned revision. Not listed until `complete`. `collection` is
   * null if it covers several.
   */
  begin(purge: { by: string; collection: string | null }): PurgeMark;
  /**
   * Deletes the images that followers replay, before a revision at which a purge began, in a short step. Returns
   * whether there is more.
   */
  deleteImages(beforeRevision: number): boolean;
  /** Returns the documents of expiries, except of those not yet swept. */
  erasable(ids: readonly string[]): LoggedDocument[];
  /** Deletes expiries, except those not yet swept, and returns their documents. */
  erase(ids: readonly string[]): LoggedDocument[];
  /** Blanks `_id`s in a part of the change log after a revision. Returns where to continue; null at the end. */
  redact(isErased: (change: LoggedDocument) => boolean, afterRevision: number): number | null;
  /** Rewrites the file without its free pages; blocks all calls. */
  rewriteFile(): void;
  /** Empties the write-ahead log. Returns false if a reader still needs it. */
  emptyLog(): boolean;
  /** Records that a purge has erased `documents` from this store. Durable on return. */
  complete(id: number, documents: number): PurgeRecord;
  /** The last purge that began, also if it was interrupted; null if there is none. */
  readonly latest: PurgeMark | null;
  /**
   * Records that a follower has erased the data of every purge up to and including this one. Skipped on a full disk;
   * the follower repeats the call.
   */
  confirm(follower: string, throughPurge: number): void;
  /** Latest first. */
  list(): PurgeRecord[];
}

/** Dropped collections that can be restored [X4]. */
export interface DroppedStore {
  /** Latest first. */
  list(): DroppedCollection[];
  /**
   * Restores a collection under its former name unless another is given. Due documents are held until they are
   * confirmed [R9]. Returns the name. Throws COLLECTION_NOT_FOUND, COLLECTION_EXISTS, INVALID_NAME.
   */
  restore(id: number, options: { by: string; name?: string | undefined }): string;
  /** Makes the collection no longer restorable; space is reclaimed incrementally. Throws COLLECTION_NOT_FOUND. */
  evict(id: number): DroppedCollection;
  /** Works for about `budgetMs`. Returns whether there is more to free. */
  free(budgetMs: number): boolean;
}
