import { durationScale, linearScale, logScale, type Scale } from '../../../components/canvas-chart/scale.ts';
import type { Chart } from './charts.ts';

/** Returns the common scale of a chart's lines and its budget, with at most about `mostTicks` labels. */
export function scaleOf(
  chart: Pick<Chart, 'lines' | 'scale' | 'budget' | 'measure'>,
  mostTicks: number,
): Scale {
  const values = chart.lines.flatMap(line => line.values.filter(value => value !== null));
  // A spread into a call is avoided: a day of three lines is four thousand values.
  const largest = values.reduce((most, value) => Math.max(most, value), chart.budget?.value ?? 0);
  if (chart.scale === 'log') return logScale(values, largest);
  if (chart.measure === 'ms' && largest > 60_000) return durationScale(largest, mostTicks);
  // A time to drain of 0 is labelled in seconds, not in fractions of a millisecond.
  if (chart.measure === 'ms' && largest === 0) return linearScale(1_000, mostTicks);
  return linearScale(largest, mostTicks, chart.measure === 'documents');
}
