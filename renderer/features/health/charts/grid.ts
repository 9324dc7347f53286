import type { SeriesPoint } from '../../../../shared/contract/metrics.ts';
import { mergePoints } from '../../../../shared/model/minute-figures.ts';

export const MINUTE_MS = 60_000;

export const SPANS = ['15m', '1h', '6h', '24h'] as const;
export type Span = (typeof SPANS)[number];
export const SPAN_MINUTES: Record<Span, number> = { '15m': 15, '1h': 60, '6h': 360, '24h': 1_440 };

/** The default span: an hour, or 15 minutes if nothing older was measured, because an hour would be mostly empty. */
export function spanFor(points: readonly Pick<SeriesPoint, 'at'>[], now: number): Span {
  const [first] = points;
  return first !== undefined && first.at >= now - SPAN_MINUTES['15m'] * MINUTE_MS ? '15m' : '1h';
}

/** Every minute of a span, the current one last; null: not measured. */
export interface Grid {
  /** Start of the first minute, epoch ms. */
  readonly from: number;
  readonly points: readonly (SeriesPoint | null)[];
}

/** Assigns each measurement to its minute; a minute without one is a gap. */
export function gridOf(points: readonly SeriesPoint[], now: number, minutes: number): Grid {
  const last = Math.floor(now / MINUTE_MS);
  const from = (last - minutes) * MINUTE_MS;
  const places: (SeriesPoint | null)[] = Array.from({ length: minutes + 1 }, () => null);
  for (const point of points) {
    const place = Math.round((point.at - from) / MINUTE_MS);
    if (place >= 0 && place <= minutes) places[place] = point;
  }
  return { from, points: places };
}

export const instantOf = ({ from }: Pick<Grid, 'from'>, index: number): number => from + index * MINUTE_MS;

/** Returns the index of the minute of an instant, or of the nearest in the span. */
export function indexOf({ from, points }: Grid, at: number): number {
  return Math.min(points.length - 1, Math.max(0, Math.floor((at - from) / MINUTE_MS)));
}

/** Returns how many seconds of a minute have passed, 1 to 60. */
export const secondsOf = (at: number, now: number): number => Math.min(60, Math.max(1, (now - at) / 1_000));

/** A shorter part of a minute gives no rate. */
const LEAST_SECONDS = 5;

/** Returns the rate of a minute, per second; null while less than 5 s of it have passed. */
export function rateOf(count: number, at: number, now: number): number | null {
  const seconds = secondsOf(at, now);
  return seconds < LEAST_SECONDS ? null : count / seconds;
}

/**
 * Returns the time to remove everything overdue at the rate of its minute, ms; null if nothing was removed, or less
 * than 5 s have passed.
 */
export function drainMsOf({ at, overdue, removed, changed }: SeriesPoint, now: number): number | null {
  if (overdue === 0) return 0;
  const rate = rateOf(removed + changed, at, now);
  return rate === null || rate === 0 ? null : (overdue / rate) * 1_000;
}

/** Merges minutes into steps for a table, newest first; steps without a measurement are left out. */
export function stepsOf(
  { points }: Grid,
  minutes: number,
): { at: number; minutes: number; point: SeriesPoint }[] {
  const steps = new Map<number, { at: number; minutes: number; point: SeriesPoint }>();
  for (const point of points) {
    if (point === null) continue;
    const at = Math.floor(point.at / (minutes * MINUTE_MS)) * minutes * MINUTE_MS;
    const before = steps.get(at);
    steps.set(at, {
      at,
      minutes: (before?.minutes ?? 0) + 1,
      point: before === undefined ? point : mergePoints(before.point, point),
    });
  }
  return [...steps.values()].sort((a, b) => b.at - a.at);
}
