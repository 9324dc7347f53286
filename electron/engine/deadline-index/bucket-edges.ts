import { SECOND } from './count-levels.ts';

export interface TimelineSpan {
  readonly from: number;
  readonly to: number;
  readonly buckets: number;
}

/** Returns the edges of `buckets` spans of `width` ms from `from` on, one more than spans; all may be fractions. */
export function evenEdges(from: number, width: number, buckets: number): number[] {
  return Array.from({ length: buckets + 1 }, (_, i) => from + width * i);
}

/**
 * Returns the edges of a timeline's buckets, one more than buckets [X2]. Buckets of a second or more meet at whole
 * seconds, the finest that documents are counted by; the span begins and ends where it was asked to. An edge inside a
 * second costs its entries one by one, so that three hundred of them took longer than all the rest.
 */
export function timelineEdges({ from, to, buckets }: TimelineSpan): number[] {
  const width = (to - from) / buckets;
  const even = evenEdges(from, width, buckets);
  const isInner = (i: number) => i > 0 && i < buckets;
  return even.map((edge, i) =>
    i === buckets ? to : width >= SECOND && isInner(i) ? Math.round(edge / SECOND) * SECOND : edge,
  );
}

/** Returns the bucket between ascending edges that contains `at`; −1 before the first edge, their number − 1 after the last. */
export function bucketAt(edges: readonly number[], at: number): number {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((edges[middle] ?? Number.POSITIVE_INFINITY) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
