import type { Chart } from './charts.ts';

/** Which figures stand at the left, and how high each value is, from 0 at the axis to 1 at the top. */
export interface Scale {
  readonly ticks: readonly number[];
  readonly heightOf: (value: number) => number;
}

/** At most so many figures fit. */
export function scaleOf(
  chart: Pick<Chart, 'lines' | 'scale' | 'budget' | 'measure'>,
  mostTicks: number,
): Scale {
  const values = chart.lines.flatMap(line => line.values.filter(value => value !== null));
  // Not spread into a call: a day of three lines is four thousand values.
  const largest = values.reduce((most, value) => Math.max(most, value), chart.budget?.value ?? 0);
  if (chart.scale === 'log') return logScale(values, largest);
  // Minutes and hours are no powers of ten; and of a document there is no half.
  if (chart.measure === 'ms' && largest > 60_000) return timeScale(largest, mostTicks);
  // Parts of a millisecond are no times to drain.
  if (chart.measure === 'ms' && largest === 0) return linearScale(1_000, mostTicks);
  return linearScale(largest, mostTicks, chart.measure === 'documents' ? 1 : 0);
}

/** Steps of 1, 2, 2.5 and 5 times a power of ten; the last is at or above the largest value. */
export function linearScale(largest: number, mostTicks: number, leastStep = 0): Scale {
  const top = largest > 0 ? largest : 1;
  const step = stepOf(top, Math.max(1, mostTicks), leastStep);
  return stepped(top, step);
}

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000] as const;
const TIME_STEPS = [
  ...[10, 15, 30].map(count => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map(count => count * MINUTE),
  ...[1, 2, 3, 6, 12].map(count => count * HOUR),
];

/** Steps of a clock; of a calendar beyond. */
function timeScale(largest: number, mostTicks: number): Scale {
  const step = TIME_STEPS.find(length => largest / length <= mostTicks);
  return stepped(largest, step ?? stepOf(largest / DAY, mostTicks, 1) * DAY);
}

function stepped(top: number, step: number): Scale {
  const count = Math.max(1, Math.ceil(top / step - 1e-9));
  return {
    ticks: Array.from({ length: count }, (_, index) => (index + 1) * step),
    heightOf: value => Math.min(1, Math.max(0, value / (count * step))),
  };
}

function stepOf(top: number, mostTicks: number, least: number): number {
  const power = Math.max(least, 10 ** Math.floor(Math.log10(top / mostTicks)));
  return (
    [1, 2, 2.5, 5, 10]
      .map(factor => factor * power)
      .find(step => top / step <= mostTicks + 1e-9 && (least === 0 || Number.isInteger(step))) ?? 10 * power
  );
}

/** Powers of ten from below the least to above the largest; less than a tenth of a unit is all the same. */
const LEAST = 0.1;

function logScale(values: readonly number[], largest: number): Scale {
  const least = values.reduce(
    (min, value) => Math.min(min, Math.max(LEAST, value)),
    Math.max(LEAST, largest),
  );
  const from = Math.floor(Math.log10(least) + 1e-9);
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(LEAST, largest)) - 1e-9));
  return {
    ticks: Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index)).slice(1),
    heightOf: value =>
      Math.min(1, Math.max(0, (Math.log10(Math.max(10 ** from, value)) - from) / (to - from))),
  };
}
