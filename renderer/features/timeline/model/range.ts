import type { TimelineRange } from './timeline-model.ts';

/** What is asked for beyond each edge, as a share of the span: a drag of half a window shows no hole. */
const MARGIN = 0.5;
/** What must be left of it; below, the next range is asked for. */
const LEAST_MARGIN = 0.15;

/**
 * The range to ask the engine for, on the grid of its buckets and with margins, for a view that begins at `from`.
 * Given the range of the last request, null while that still covers the view with room to spare at both edges.
 */
export function rangeNeeded(
  from: number,
  span: number,
  bucketMs: number,
  last: TimelineRange | null,
): TimelineRange | null {
  if (last !== null && last.bucketMs === bucketMs) {
    const covered = last.from <= from - span * LEAST_MARGIN && last.to >= from + span * (1 + LEAST_MARGIN);
    if (covered) return null;
  }
  return {
    from: Math.floor((from - span * MARGIN) / bucketMs) * bucketMs,
    to: Math.ceil((from + span * (1 + MARGIN)) / bucketMs) * bucketMs,
    bucketMs,
  };
}
