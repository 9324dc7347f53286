import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import type { Metrics } from '../../../shared/contract/metrics.ts';
import { formatCompact, formatCount, formatDuration } from '../../../shared/model/format.ts';

/** Value and unit apart, so that the unit can be quieter: `1.92` `s`. */
export interface Measure {
  value: string;
  unit?: string;
}

export function lagMeasure(ms: number | null): Measure {
  if (ms === null) return { value: '–' };
  if (ms < 1) return { value: '< 1', unit: 'ms' };
  const [value = '', unit, ...rest] = formatDuration(ms).split(' ');
  return rest.length > 0 ? { value: formatDuration(ms) } : { value, ...(unit && { unit }) };
}

/** `22.1`, `0.05`, `12 k`: three digits are enough for a rate. */
export function rate(perSecond: number): string {
  if (perSecond === 0) return '0';
  if (perSecond >= 10_000) return formatCompact(perSecond);
  if (perSecond >= 100) return formatCount(perSecond);
  return perSecond < 0.1 ? perSecond.toFixed(2) : perSecond.toFixed(1);
}

export function balance({ removedPerSecond, writtenPerSecond }: Metrics): string {
  const growth = writtenPerSecond - removedPerSecond;
  if (Math.abs(growth) < 0.05) return 'steady';
  return `${growth > 0 ? 'growing' : 'shrinking'} ${rate(Math.abs(growth))} per s`;
}

export function drainMeasure(metrics: Metrics, stopped: boolean): Measure {
  if (metrics.overdue === 0 && !stopped) return { value: '0', unit: 's' };
  if (metrics.drainMs === null) return { value: '–' };
  if (metrics.drainMs < 1_000) return { value: '< 1', unit: 's' };
  return { value: formatDuration(metrics.drainMs) };
}

export function drainSub({ drainMs, overdue }: Metrics): string {
  if (overdue === 0) return 'nothing waits';
  return drainMs === null ? 'not measured yet' : 'at the last rate';
}

export const indexCount = (count: number) => `${count} ${count === 1 ? 'index' : 'indexes'}`;

/** Without a rule or a hand-set expiration: neither with a deadline nor pinned. */
export const neverExpiring = ({ documents, withDeadline, pinned }: CollectionSummary) =>
  Math.max(0, documents - withDeadline - pinned);
