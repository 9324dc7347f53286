import type { WriteReport } from '../../../../shared/contract/documents.ts';
import type { HoldRecord } from '../../../../shared/contract/reaper.ts';
import type { OnExpire } from '../../../../shared/model/ttl-index.ts';

export type WriteMode = 'insert' | 'upsert';

export interface WriteOptions {
  mode: WriteMode;
  atomic: boolean;
  idField?: string | undefined;
  /** Asked between documents, unless all or nothing is wanted: true ends the batch there, and `left` says how many it left. */
  isOver?: (() => boolean) | undefined;
  /** Where a document is due on arrival, the collection is held in the same transaction, so that none leaves [R9]. */
  holdIfDue?: { cause: HoldRecord['cause']; by: string } | undefined;
}

/** `left`: how many documents `isOver` left to be taken up; absent where it left none. */
export interface BatchReport extends WriteReport {
  left?: number;
}

/** A change of many expirations, which may be made in parts and is counted as one by the circuit breaker [R8]. */
export interface BulkChange {
  readonly by: string;
  /** Documents that it has made due at once so far. */
  madeDue: number;
  /** Until then nothing in its collection is acted on; call it in any case, then wake the reaper. */
  end(): void;
}

/** Of a change of several documents: each stands on its own. */
export interface BulkResult {
  succeeded: number;
  failed: { _id: string; code: string; message: string }[];
  revision: number;
}

/** The same where the caller may end it early: `left` is how many were not taken up; absent where all were. */
export interface PartResult extends BulkResult {
  left?: number;
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
  /** What the index is to read documents by, built beside what it reads by now [D8]. */
  | { kind: 'successor'; collection: string; index: string }
  | { kind: 'recount'; collection: string };
