import type { WriteReport } from '../../../../shared/contract/documents.ts';
import type { HoldRecord } from '../../../../shared/contract/reaper.ts';
import type { OnExpire, Pause } from '../../../../shared/model/ttl-index.ts';

export type WriteMode = 'insert' | 'upsert';

export interface WriteOptions {
  mode: WriteMode;
  atomic: boolean;
  idField?: string | undefined;
  /** Called between documents unless `atomic`: true ends the batch, and `left` is the number of skipped documents. */
  isOver?: (() => boolean) | undefined;
  /** If a document is due on arrival, holds the collection in the same transaction, so that none expires [R9]. */
  holdIfDue?: { cause: HoldRecord['cause']; by: string } | undefined;
}

/** `left`: number of documents that `isOver` skipped; absent if none. */
export interface BatchReport extends WriteReport {
  left?: number;
}

/** A change of many expirations, possibly in several calls, which the circuit breaker counts as one change [R8]. */
export interface BulkChange {
  readonly by: string;
  /** Documents made due at once so far. */
  madeDue: number;
  /** Ends the change; the collection is held until then. Call it in any case, then wake the reaper. */
  end(): void;
}

export interface IndexChangeOptions {
  readonly by: string;
  /** Restores an earlier definition; recorded as a revert [X5]. */
  readonly isRevert?: boolean;
  /**
   * True if a person confirmed the number of documents that become due at once: the circuit breaker does not hold the
   * change [R8].
   */
  readonly isExpected?: boolean;
}

/** Scope of a pause: an index, a collection or, without either, the whole store [R6]. */
export interface PauseScope {
  readonly collection?: string | undefined;
  readonly index?: string | undefined;
}

export interface ScopedPause {
  readonly scope: PauseScope;
  readonly pause: Pause;
}

/** Options of a call that may end early. */
export interface PartOptions {
  /** Called between documents; true ends the call, and `left` is the number of skipped documents. */
  readonly isOver?: (() => boolean) | undefined;
}

/** Result of a change of several documents, each of which succeeds or fails alone. */
export interface BulkResult {
  succeeded: number;
  failed: { _id: string; code: string; message: string }[];
  revision: number;
}

/** Result of a call that may end early: `left` is the number of skipped documents; absent if none. */
export interface PartResult extends BulkResult {
  left?: number;
  /** Documents that the condition of the change does not admit, with the reason; absent without a condition. */
  unchanged?: readonly { _id: string; message: string }[];
}

/** An incoming document: its JSON text, or a value parsed without loss of digits. */
export type Incoming =
  | { text: string; line: number; expiration?: ExpirationOnArrival }
  | { value: unknown; line: number; expiration?: undefined };

/**
 * Expiration that an import gives a document. `at` (epoch ms) may be past; the document is then due. `as index`:
 * likewise, with the action of the index that governs the document here; ignored if none does, or if the write itself
 * restarts its time [D7].
 */
export type ExpirationOnArrival =
  | { kind: 'pin' }
  | { kind: 'at'; at: number; afterMs: number | null; onExpire: OnExpire }
  | { kind: 'as index'; at: number };

export type BackfillTarget =
  | { kind: 'index'; collection: string; index: string }
  /** Index table of a changed definition, built beside the present one [D8]. */
  | { kind: 'successor'; collection: string; index: string }
  | { kind: 'recount'; collection: string };
