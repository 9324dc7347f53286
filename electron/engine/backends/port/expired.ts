import type { DroppedCollection } from '../../../../shared/contract/collections.ts';
import type { ExpirationSetting } from '../../../../shared/contract/documents.ts';
import type { PurgeRecord } from '../../../../shared/contract/expired.ts';
import type { PurgeMark } from '../../../../shared/contract/replication.ts';
import type { BulkResult } from './writes.ts';

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
  /** Only those that can be brought back now [X4]. */
  restorable?: true;
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

/** A document as the change log tells of it at a revision; its collection by number, whatever it was called then. */
export interface LoggedDocument {
  collection: number;
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
  erase(ids: readonly string[]): LoggedDocument[];
  /** Blanks `_id`s in a stretch of the change log after a revision; answers where to go on, null: that was all. */
  redact(isErased: (change: LoggedDocument) => boolean, afterRevision: number): number | null;
  /**
   * Lets go of what followers replay of revisions up to this one, a short step at a time: they have to begin anew
   * [V5]. True: there is more.
   */
  forgetImages(throughRevision: number): boolean;
  /** Writes the file anew, without what was freed in it; nobody is answered meanwhile. */
  rewriteFile(): void;
  /** Empties the write-ahead log; false: a reader still needs it. */
  emptyLog(): boolean;
  /** Registered followers are pending from here on; `collection` null: of several. */
  record(purge: { by: string; documents: number; collection: string | null }): PurgeRecord;
  /** Null: nothing was purged yet. */
  readonly latest: PurgeMark | null;
  /** A follower says that it has erased what every purge up to this one did. Left out on a full disk: it says so again. */
  confirm(follower: string, throughPurge: number): void;
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
