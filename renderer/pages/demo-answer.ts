import type { TimelineAnswer, TimelineBucket } from '../features/timeline/model/timeline-model.ts';

/** Data of the start page's example: computed from the second, so that they change with time only. */
export const DEMO_SERIES = ['absolute_14d', 'idle_2h', 'set by hand'] as const;

const SECOND = 1_000;
/** The second of each minute in which many documents expire. */
const CLIFF_AT = 49;
const CLIFF = 184;
/** Lag of the example's reaper, ms: long enough to be visible. */
const LAG_MS = 1_600;

/** Returns a pseudo-random number from 0 to 1, constant for a second and a series. */
function chance(second: number, series: number): number {
  const mixed = Math.sin(second * 12.9898 + series * 78.233) * 43_758.5453;
  return mixed - Math.floor(mixed);
}

function documentsAt(second: number): number[] {
  const cliff = ((second % 60) + 60) % 60 === CLIFF_AT ? CLIFF : 0;
  return [
    Math.floor(chance(second, 1) * 3.2),
    Math.floor(chance(second, 2) * 5.4),
    (chance(second, 3) > 0.88 ? 1 : 0) + cliff,
  ];
}

/** One minute around now, and another one on each side for panning. */
export function demoAnswer(now: number): TimelineAnswer {
  const current = Math.floor(now / SECOND);
  const cutoff = now - LAG_MS;
  const overdue = DEMO_SERIES.map(() => 0);
  const buckets = Array.from({ length: 180 }, (_, index): TimelineBucket => {
    const second = current - 80 + index;
    const fromAt = second * SECOND;
    const counts = documentsAt(second);
    if (fromAt + SECOND <= cutoff) return { fromAt, expired: counts, due: [0, 0, 0] };
    // Between cutoff and now, documents are overdue.
    if (fromAt + SECOND <= now)
      for (const [series, count] of counts.entries()) overdue[series] = (overdue[series] ?? 0) + count;
    return { fromAt, expired: [0, 0, 0], due: counts };
  });
  const total = overdue.reduce((sum, count) => sum + count, 0);
  const cliffSecond = Math.ceil((current - CLIFF_AT) / 60) * 60 + CLIFF_AT;
  return {
    now,
    revision: 0,
    cutoff,
    overdue: total,
    oldestOverdueAt: total === 0 ? null : cutoff,
    actionDueAt: total === 0 ? null : cutoff,
    earliestAt: null,
    latestAt: null,
    recounting: false,
    series: DEMO_SERIES.map((id, index) => ({
      id,
      label: id,
      pausedSince: null,
      overdue: overdue[index] ?? 0,
    })),
    bucketMs: SECOND,
    buckets,
    cliffs: [cliffSecond - 60, cliffSecond].map(second => ({ at: second * SECOND, count: CLIFF, series: 2 })),
  };
}
