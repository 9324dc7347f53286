import { type Plot, plotWithin } from '../../../../renderer/components/canvas-chart/plot.ts';
import type {
  TimelineAnswer,
  TimelineBucket,
} from '../../../../renderer/features/timeline/model/timeline-model.ts';
import { marginsOf } from '../../../../renderer/features/timeline/scene/margins.ts';

/** A plot of the full timeline. */
export const plotOf = (width: number, height: number): Plot => plotWithin(width, height, marginsOf('full'));

export const NOW = Date.UTC(2026, 10, 21, 14, 32, 38);
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** An answer with one series and nothing overdue, with changes. */
export function answerWith(parts: Partial<TimelineAnswer> = {}): TimelineAnswer {
  return {
    now: NOW,
    revision: 1,
    cutoff: NOW,
    overdue: 0,
    oldestOverdueAt: null,
    actionDueAt: null,
    earliestAt: null,
    latestAt: null,
    recounting: false,
    series: [{ id: 'a', label: 'idle_2h', pausedSince: null, overdue: 0 }],
    bucketMs: MINUTE,
    buckets: [],
    cliffs: [],
    ...parts,
  };
}

export function bucket(
  fromAt: number,
  expired: number | number[],
  due: number | number[],
  overdue?: number[],
): TimelineBucket {
  return { fromAt, expired: [expired].flat(), due: [due].flat(), ...(overdue && { overdue }) };
}
