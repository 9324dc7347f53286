import type { ReaperStatus, TimelineAnswer } from './timeline-model.ts';

/** How far the reaper has got, in all and by series. */
export interface ReaperProgress {
  /** Everything due before it is gone, paused series apart. From here to now is the gap. */
  readonly frontier: number;
  readonly reapedTo: (series: number) => number;
  /** Not running: what is due stays, by decision or by mishap. */
  readonly stopped: boolean;
}

/**
 * Where the gap begins: at the cutoff, but never before the oldest document that is late. A reaper that wakes at deadlines
 * does not move its cutoff while nothing is due, and that is no lag.
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
  // The oldest may belong to a paused series; then it says nothing of the others.
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
