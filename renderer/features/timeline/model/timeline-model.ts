/**
 * What the timeline draws. Words used throughout this folder:
 *
 * - **bucket**: a span of time and what falls into it; its length depends on the zoom, never on the window's width
 * - **series**: one colour of the stack: a TTL index, or a collection where all collections are shown
 * - **cutoff**: how far the reaper has got; the **gap** lies between it and now, and is the lag
 * - **overdue**: past its deadline and still stored; stands as a stack on the line
 * - **cliff**: many documents with one deadline
 */

import type { ReaperState } from '../../../../shared/contract/reaper.ts';

/** Times are epoch milliseconds on the engine's clock. */
export interface TimelineAnswer {
  readonly now: number;
  readonly revision: number;
  /** Everything due at or before it is gone, paused series apart; null: nothing was reaped yet. */
  readonly cutoff: number | null;
  /** Due and still there, in all series. */
  readonly overdue: number;
  readonly oldestOverdueAt: number | null;
  /** When the reaper is to act on it [R1]. */
  readonly actionDueAt: number | null;
  /** First and last instant anything is known of: the ends of the zoom *All*. */
  readonly earliestAt: number | null;
  readonly latestAt: number | null;
  /** Counts are being rebuilt: what is shown may still change. */
  readonly recounting: boolean;
  readonly series: readonly TimelineSeries[];
  readonly bucketMs: number;
  /** Ascending; buckets with nothing in them may be left out. */
  readonly buckets: readonly TimelineBucket[];
  readonly cliffs: readonly Cliff[];
}

export interface TimelineSeries {
  readonly id: string;
  readonly label: string;
  readonly pausedSince: number | null;
  readonly overdue: number;
}

/** Counts stand at their series' position. */
export interface TimelineBucket {
  readonly fromAt: number;
  readonly expired: readonly number[];
  readonly due: readonly number[];
}

export interface Cliff {
  readonly at: number;
  readonly count: number;
  /** Position of its series. */
  readonly series: number;
  /** What made these deadlines one, where it is known. */
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
  /** Since when it is not running. */
  readonly since: number | null;
}

/** `mini`: bars only, for a small place. `preview`: nothing has happened yet, now stands at the far left. */
export type Variant = 'full' | 'mini' | 'preview';

export const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** Which series are drawn, by position. */
export function visibleSeries(answer: TimelineAnswer, hidden: ReadonlySet<string>): boolean[] {
  return answer.series.map(series => !hidden.has(series.id));
}

/** Overdue in what is shown: the engine's own total unless something is hidden. */
export function visibleOverdue(answer: TimelineAnswer, visible: readonly boolean[]): number {
  if (visible.every(Boolean)) return answer.overdue;
  return sum(answer.series.map((series, position) => (visible[position] ? series.overdue : 0)));
}
