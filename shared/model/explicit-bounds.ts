import { LONGEST_EXPIRE_AFTER } from './duration.ts';
import { LAST_INSTANT } from './reference-time.ts';

/** The longest duration of an explicit expiration: 100 years, ms [E1]. */
export const LONGEST_AFTER_MS = LONGEST_EXPIRE_AFTER * 1000;

/**
 * Returns the reason why `at` (epoch ms) is outside of 1970 to 9999, the range of explicit expirations; null if it is
 * inside [E1].
 */
export function instantProblem(at: number): string | null {
  return at >= 0 && at <= LAST_INSTANT
    ? null
    : 'at is an instant in epoch milliseconds, from 1970 and before the year 10000.';
}

/**
 * Returns the reason why `ms` is outside of the range of explicit durations, more than 0 and at most 100 years; null if
 * it is inside [E1].
 */
export function durationProblem(ms: number): string | null {
  if (!(ms > 0)) return 'after is a number of seconds from now, larger than 0.';
  return ms <= LONGEST_AFTER_MS
    ? null
    : 'after is at most 100 years. Use {"never": true} to keep it for good.';
}
