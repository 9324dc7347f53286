import { NEVER_REASONS, type NeverReason } from '../../../shared/model/reference-time.ts';

/**
 * An index table holds one entry per document, ordered by reference time (epoch ms, without the TTL), so that changing
 * `expireAfter` changes no entry. A document without a deadline has its reason in the same column, as a negative
 * number: every document of an index has exactly one entry, and documents that never expire are counted and listed like
 * the others [X1].
 *
 * The counts change in the same transaction: collect changes with `add` and `remove`, then call `flushCounts` before
 * commit.
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

/** Returns the first `limit` of two lists of entries, both in the order of an index table; `isBack`: in the reverse order. */
export function merged<One extends Entry>(
  a: readonly One[],
  b: readonly One[],
  limit: number,
  isBack = false,
): One[] {
  const sign = isBack ? -1 : 1;
  return [...a, ...b].sort((x, y) => sign * (x.reference - y.reference || x.row - y.row)).slice(0, limit);
}

export function encodeReason(reason: NeverReason): number {
  return -1 - NEVER_REASONS.indexOf(reason);
}

/** A negative number that encodes no reason is an instant before 1970, which earlier releases accepted [E1]. */
export function decodeReason(reference: number): NeverReason {
  return NEVER_REASONS[-1 - reference] ?? 'out of range';
}
