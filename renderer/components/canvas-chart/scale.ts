import { formatCount, formatDecimal } from '../../i18n/format.ts';

/** A vertical scale: the values labelled at the axis, and the height of a value, from 0 at the axis to 1 at the top. */
export interface Scale {
  readonly ticks: readonly number[];
  readonly heightOf: (value: number) => number;
}

/** Steps of the scale within a power of ten. */
const ROUND_FACTORS = [1, 2, 2.5, 5, 10];
/** Relative tolerance for rounding errors of a division. */
const TOLERANCE = 1e-9;

/** Returns the smallest of 1, 2, 2.5 and 5 times a power of ten that is at least `least`; `isWhole`: an integer. */
export function roundStep(least: number, isWhole = false): number {
  const magnitude = 10 ** Math.floor(Math.log10(least));
  const power = isWhole ? Math.max(1, magnitude) : magnitude;
  return (
    ROUND_FACTORS.map(factor => factor * power).find(
      step => step >= least * (1 - TOLERANCE) && (!isWhole || Number.isInteger(step)),
    ) ?? 10 * power
  );
}

/** A scale from 0 in round steps; the last tick is at or above the largest value. */
export function linearScale(largest: number, mostTicks: number, isWhole = false): Scale {
  const top = largest > 0 ? largest : 1;
  return steppedScale(top, roundStep(top / Math.max(1, mostTicks), isWhole));
}

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000] as const;
const DURATION_STEPS = [
  ...[10, 15, 30].map(count => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map(count => count * MINUTE),
  ...[1, 2, 3, 6, 12].map(count => count * HOUR),
];

/** A scale of durations in ms: in steps of a clock up to 12 hours, in whole days beyond. */
export function durationScale(largestMs: number, mostTicks: number): Scale {
  const step = DURATION_STEPS.find(length => largestMs / length <= mostTicks);
  return steppedScale(largestMs, step ?? roundStep(largestMs / DAY / mostTicks, true) * DAY);
}

function steppedScale(top: number, step: number): Scale {
  const count = Math.max(1, Math.ceil(top / step - TOLERANCE));
  return {
    ticks: Array.from({ length: count }, (_, index) => (index + 1) * step),
    heightOf: value => Math.min(1, Math.max(0, value / (count * step))),
  };
}

/** Values below this have the height of this one, on a logarithmic scale. */
const LEAST_LOG_VALUE = 0.1;

/** Powers of ten, from at or below the least value to at or above the largest. */
export function logScale(values: readonly number[], largest: number): Scale {
  const least = values.reduce(
    (min, value) => Math.min(min, Math.max(LEAST_LOG_VALUE, value)),
    Math.max(LEAST_LOG_VALUE, largest),
  );
  const from = Math.floor(Math.log10(least) + TOLERANCE);
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(LEAST_LOG_VALUE, largest)) - TOLERANCE));
  return {
    ticks: Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index)).slice(1),
    heightOf: value =>
      Math.min(1, Math.max(0, (Math.log10(Math.max(10 ** from, value)) - from) / (to - from))),
  };
}

/** Counts from this one on are labelled with a unit. */
const ABBREVIATED_FROM = 10_000;

/** Returns a count as labelled at an axis: `5,000`, `12.5 k`, `2 M`. */
export function formatAxisCount(count: number): string {
  return count < ABBREVIATED_FROM ? formatCount(count) : formatShortCount(count);
}

/** Returns an exact label for the round values of an axis: `750`, `1.5 k`, `200 k`, `2.5 M`. */
export function formatShortCount(count: number): string {
  const [size, unit] =
    count >= 1e9 ? [1e9, ' G'] : count >= 1e6 ? [1e6, ' M'] : count >= 1e3 ? [1e3, ' k'] : [1, ''];
  return `${formatDecimal(count / size, 2)}${unit}`;
}
