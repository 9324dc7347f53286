import type { HoldRecord } from '../../../../shared/contract/reaper.ts';
import type { BulkChange } from './writes.ts';

export interface NewHold {
  /** Null: the whole store. */
  collection: string | null;
  cause: HoldRecord['cause'];
  by: string;
  /** How many documents it is about; otherwise what is due, by now or by `dueAt` (epoch ms) if that is later. */
  due?: number;
  dueAt?: number;
  /** How far the clock jumped, or how long the store was closed. */
  durationMs?: number;
}

/** What nothing acts on until somebody confirms it [R8, R9, R10]. Holds survive a restart. */
export interface HoldStore {
  list(): readonly HoldRecord[];
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
