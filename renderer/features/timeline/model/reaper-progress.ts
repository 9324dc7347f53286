import type { ReaperStatus, TimelineAnswer } from './timeline-model.ts';

/** The progress of the reaper, in total and by series. */
export interface ReaperProgress {
  /** Everything due before it was removed, except in paused series. The gap is from here to now. */
  readonly frontier: number;
  readonly reapedTo: (series: number) => number;
  /** Stopped: due documents are not removed. */
  readonly stopped: boolean;
}

/**
 * Start of the gap: the cutoff, but not before the oldest overdue document. A reaper that wakes at deadlines does not
 * move its cutoff while nothing is due, which is not a lag.
 */
export function reaperProgress(
  answer: TimelineAnswer | null,
  reaper: ReaperStatus,
  now: number,
): ReaperProgress {
  const stopped = reaper.state !== 'running';
  if (answer === null) return { frontier: now, reapedTo: () => now, stopped };

  const inPaused = answer.series.reduce(
    (late, series) => late + (series.pausedSince === null ? 0 : series.overdue),
    0,
  );
  const late = answer.overdue - inPaused;
  // The oldest document may be of a paused series, and then does not describe the others.
  const oldest = inPaused === 0 ? answer.oldestOverdueAt : null;
  const cutoff = answer.cutoff ?? (stopped ? reaper.since : null);
  const known = Math.max(cutoff ?? Number.NEGATIVE_INFINITY, oldest ?? Number.NEGATIVE_INFINITY);
  const begun = Number.isFinite(known) ? known : (answer.oldestOverdueAt ?? now);
  const frontier = Math.min(now, stopped || late > 0 ? begun : Math.max(begun, answer.now));

  const reapedTo = (series: number) => {
    const paused = answer.series[series]?.pausedSince ?? null;
    return paused === null ? frontier : Math.min(frontier, paused);
  };
  return { frontier, reapedTo, stopped };
}
