/**
 * Resolutions of the counts that every write maintains, so that a timeline reads only the buckets on screen. Each
 * resolution is a divisor of the next.
 */
export const SECOND = 1_000;
export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 86_400_000;

/** Width of a forecast bucket by level. */
export const COUNT_LEVELS = [SECOND, MINUTE, HOUR, DAY] as const;

/** Width of a bucket of expiry counts and how long it is kept, by level [X2]. */
export const EXPIRY_COUNT_LEVELS = [
  { width: SECOND, keepMs: DAY },
  { width: MINUTE, keepMs: 30 * DAY },
  { width: HOUR, keepMs: 730 * DAY },
] as const;
