import type { TimelineRange } from './timeline-model.ts';

/** Margin read beyond each edge, as a share of the span: dragging by half a window shows no gap. */
const MARGIN = 0.5;
/** If less margin is left, the next range is read, as a share of the span. */
const LEAST_MARGIN = 0.15;

/**
 * Returns the range to read from the engine, on the grid of its buckets and with margins, for a view that begins at
 * `from`; null while the range of the last request covers the view with margins.
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
