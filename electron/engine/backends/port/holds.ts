import type { HoldRecord } from '../../../../shared/contract/reaper.ts';
import type { BulkChange } from './writes.ts';

export interface NewHold {
  /** Null for the whole store. */
  collection: string | null;
  cause: HoldRecord['cause'];
  by: string;
  /** Number of documents; if omitted, those due now or by `dueAt` (epoch ms) if that is later. */
  due?: number;
  dueAt?: number;
  /** Size of the clock jump, or time the store was closed. */
  durationMs?: number;
}

/** Holds: nothing acts on their documents until a person confirms [R8, R9, R10]. They survive a restart. */
export interface HoldStore {
  list(): readonly HoldRecord[];
  /** Adds a hold, or renews one of the same cause without changing its start. Throws COLLECTION_NOT_FOUND. */
  place(hold: NewHold): void;
  /** Ends a hold; a held definition takes effect. Throws EXPECTATION_FAILED if there is no such hold. */
  confirm(id: string, by: string): void;
  /** Throws COLLECTION_NOT_FOUND. */
  beginBulk(collection: string, by: string): BulkChange;
  /**
   * Ends the hold after the wall clock has caught up; documents that became due meanwhile count for the circuit
   * breaker.
   */
  endOfClockHold(): void;
  /**
   * Holds documents that are due in a restored backup, or became due while the store was closed too long; `lastOpenAt`
   * in epoch ms.
   */
  placeAfterOpening(lastOpenAt: number | null): void;
}

/** Times at which the store was open [R9, R10]. */
export interface Openings {
  /**
   * When the store was last known to be open before this opening, by trusted time (epoch ms), and how far the wall
   * clock was ahead of it; null if never.
   */
  readonly last: { readonly at: number; readonly clockOffsetMs: number } | null;
  /** Records that the store is open now. */
  record(clockOffsetMs: number): void;
}
