import { bucketAt } from './bucket-edges.ts';
import { COUNT_LEVELS, DAY, HOUR, SECOND } from './count-levels.ts';
import type { IndexTableReader } from './index-table-reader.ts';

/**
 * A cliff is a second with at least this many expirations, this share of its bucket, and this multiple of the seconds
 * around it.
 */
const CLIFF_LEAST = 50;
const CLIFF_SHARE = 0.25;
const CLIFF_FACTOR = 5;
const HALF_MINUTE = 30_000;
export const MAX_CLIFFS = 20;
/** Count level used to search, by length of the span: at most about 20,000 counts. */
const CLIFF_LEVELS = [6 * HOUR, 16 * DAY, 900 * DAY] as const;

/** A bucketed span of deadlines, epoch ms. */
interface CountedSpan {
  /** Of the buckets, one more than these. */
  edges: readonly number[];
  /** Documents by bucket. */
  counts: readonly number[];
}

/**
 * Returns seconds with many simultaneous expirations: a considerable share of their bucket on screen, and many more
 * than in the other seconds of that minute. Over a long span it searches a bounded number of the fullest minutes or
 * hours.
 */
export function cliffsOf(
  entries: IndexTableReader,
  addMs: number,
  { edges, counts }: CountedSpan,
): { at: number; count: number }[] {
  const [from = 0, to = from] = [edges[0], edges.at(-1)];
  const level = CLIFF_LEVELS.findIndex(span => to - from <= span);
  if (level < 0) return [];
  // Fewer are no cliff in any bucket: an even load has thousands of seconds with more than the least of a cliff.
  const least = counts.reduce(
    (low, count) => (count > 0 && count < low ? count : low),
    Number.MAX_SAFE_INTEGER,
  );
  const atLeast = Math.max(CLIFF_LEAST, Math.ceil(CLIFF_SHARE * least));
  const full = entries.fullest(level, from - addMs, to - addMs, atLeast);
  const seconds =
    level === 0
      ? full
      : full
          .slice(0, MAX_CLIFFS)
          .flatMap(({ reference }) =>
            entries.fullest(0, reference, reference + (COUNT_LEVELS[level] ?? SECOND), atLeast).slice(0, 1),
          );
  return seconds
    .filter(({ reference, documents }) => {
      const bucket = bucketAt(edges, reference + addMs);
      if (documents < CLIFF_SHARE * (counts[bucket] ?? 0)) return false;
      const around = entries.inSeconds(reference - HALF_MINUTE, reference + HALF_MINUTE) - documents;
      return documents >= (CLIFF_FACTOR * around) / 59;
    })
    .map(({ reference, documents }) => ({ at: reference + addMs, count: documents }));
}
