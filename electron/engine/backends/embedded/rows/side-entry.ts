import { NEVER_REASONS, type NeverReason } from '../../../../../shared/model/reference-time.ts';

/**
 * A side table holds one entry a document, ordered by reference time (epoch ms; the deadline less what is added
 * to it), so that changing `expireAfter` touches none of them. A document without a deadline has its reason in
 * the same place, as a negative number, so that every document of an index is in it exactly once and *never,
 * because* is counted and listed like everything else [X1].
 *
 * Its counts are kept in the same transaction: gather with `add` and `remove`, then `flushCounts` before commit.
 */
export interface Entry {
  reference: number;
  row: number;
  bytes: number;
}
export interface Tally {
  documents: number;
  bytes: number;
}

/** Level of the counts by reason. */
export const REASONS = -1;

export function encodeReason(reason: NeverReason): number {
  return -1 - NEVER_REASONS.indexOf(reason);
}

/** A number that stands for no reason is an instant before 1970, which earlier releases let in [E1]. */
export function decodeReason(reference: number): NeverReason {
  return NEVER_REASONS[-1 - reference] ?? 'out of range';
}
