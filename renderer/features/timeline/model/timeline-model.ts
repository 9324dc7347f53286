/**
 * The model of the timeline. Terms of this folder: a **bucket** is a span of time with the documents due in it; its
 * length depends on the zoom, not on the width of the window. A **series** is one colour of the stack: a TTL index, or
 * a collection on the store's timeline. The **cutoff** is the time up to which due documents have been removed; the
 * **gap** between it and now is the lag. **Overdue** documents are past their deadline and still stored: a stack at the
 * line of now. A **cliff** is many documents with one deadline.
 */

import type { ReaperState } from '../../../../shared/contract/reaper.ts';

/** Times are epoch ms on the engine's clock. */
export interface TimelineAnswer {
  readonly now: number;
  readonly revision: number;
  /** Everything due at or before it was removed, except in paused series; null: no pass yet. */
  readonly cutoff: number | null;
  /** Overdue documents of all series. */
  readonly overdue: number;
  readonly oldestOverdueAt: number | null;
  /** Time at which the reaper is to act on the first of them [R1]. */
  readonly actionDueAt: number | null;
  /** First and last known instant: the ends of the zoom *All*. */
  readonly earliestAt: number | null;
  readonly latestAt: number | null;
  /** Counts are being rebuilt, and may still change. */
  readonly recounting: boolean;
  readonly series: readonly TimelineSeries[];
  readonly bucketMs: number;
  /** Ascending; empty buckets may be left out. */
  readonly buckets: readonly TimelineBucket[];
  readonly cliffs: readonly Cliff[];
}

export interface TimelineSeries {
  readonly id: string;
  readonly label: string;
  readonly pausedSince: number | null;
  readonly overdue: number;
  /** Position in the palette of series; absent: the position among the series. */
  readonly colour?: number;
  /** Number of collections that it counts together; absent: one. */
  readonly collections?: number;
}

/** Counts by position of their series. */
export interface TimelineBucket {
  readonly fromAt: number;
  readonly expired: readonly number[];
  readonly due: readonly number[];
  /** Part of `due` that is past its deadline at the answer's now. Given for the bucket of now. */
  readonly overdue?: readonly number[];
}

export interface Cliff {
  readonly at: number;
  readonly count: number;
  /** Position of its series. */
  readonly series: number;
  /** The cause of the common deadline; absent: not known. */
  readonly cause?: string;
}

export interface TimelineRange {
  readonly from: number;
  readonly to: number;
  readonly bucketMs: number;
}

export interface BucketSpan {
  readonly fromAt: number;
  readonly toAt: number;
}

export interface ReaperStatus {
  readonly state: ReaperState['state'];
  /** Instant since which removal is stopped. */
  readonly since: number | null;
}

/** `mini`: bars only, for little room. `preview`: nothing has expired yet, now is at the far left. */
export type Variant = 'full' | 'mini' | 'preview';

export const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** Returns whether each series is shown, by position. */
export function visibleSeries(answer: TimelineAnswer, hidden: ReadonlySet<string>): boolean[] {
  return answer.series.map(series => !hidden.has(series.id));
}

/** Returns the overdue documents of the series shown; the engine's own total if none is hidden. */
export function visibleOverdue(answer: TimelineAnswer, visible: readonly boolean[]): number {
  if (visible.every(Boolean)) return answer.overdue;
  return sum(answer.series.map((series, position) => (visible[position] ? series.overdue : 0)));
}
