import { plural, t } from '@lingui/core/macro';
import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import type { ExpiredEntry, Metrics } from '../../../shared/contract/metrics.ts';
import {
  formatCompact,
  formatCount,
  formatDecimal,
  formatDuration,
  formatFixed,
  formatLag,
} from '../../i18n/format.ts';

/** Value and unit, separate so that they are styled differently: `1.92` `s`. */
export interface Measure {
  value: string;
  unit?: string;
}

export function lagMeasure(ms: number | null): Measure {
  if (ms === null) return { value: '–' };
  if (ms < 1) return { value: '< 1', unit: 'ms' };
  const [length, name] = LONG_UNITS.find(([least]) => ms >= least) ?? [];
  if (length !== undefined && name !== undefined) return { value: oneDecimal(ms / length), unit: name };
  const [value = '', unit] = formatDuration(ms).split(' ');
  return { value, ...(unit && { unit }) };
}

/** Formats with a single unit, because two figures share a cell. */
const LONG_UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
] as const;

/** Formats an age, truncated so that it is not overstated. */
const oneDecimal = (value: number) =>
  formatDecimal(value >= 100 ? Math.floor(value) : Math.floor(value * 10) / 10, 1);

/** `22.1`, `0.05`, `12 k`. */
export function rate(perSecond: number): string {
  if (perSecond === 0) return '0';
  if (perSecond >= 10_000) return formatCompact(perSecond);
  if (perSecond >= 100) return formatCount(perSecond);
  return formatFixed(perSecond, perSecond < 0.1 ? 2 : 1);
}

/**
 * Returns removals a second. The metric is a mean over several seconds: while removal is stopped, only the last second
 * counts.
 */
export function removedNow({ removedPerSecond, recent }: Metrics, stopped: boolean): number {
  return stopped ? (recent.removed.at(-1) ?? 0) : removedPerSecond;
}

export function balance(metrics: Metrics, stopped: boolean): string {
  const removed = removedNow(metrics, stopped);
  const growth = metrics.writtenPerSecond - removed;
  if (stopped && removed === 0 && growth < 0.05) return t`none removed`;
  if (Math.abs(growth) < 0.05) return t`steady`;
  return growth > 0 ? t`growing ${rate(growth)} per s` : t`shrinking ${rate(-growth)} per s`;
}

export function drainMeasure(metrics: Metrics, stopped: boolean): Measure {
  if (metrics.overdue === 0 && !stopped) return { value: '0', unit: 's' };
  if (metrics.drainMs === null) return { value: '–' };
  if (metrics.drainMs < 1_000) return { value: '< 1', unit: 's' };
  return { value: formatDuration(metrics.drainMs) };
}

export function drainSub({ drainMs, overdue }: Metrics): string {
  if (overdue === 0) return t`none overdue`;
  return drainMs === null ? t`not measured yet` : t`at the present rate`;
}

/** Text under *Next expiry* if there is none. */
export const noNextSub = (overdue: number) => (overdue > 0 ? t`all are overdue` : t`no deadlines`);

/**
 * A larger delay is not caused by the reaper: the document was due when it was written, or removal waited for a
 * schedule or a limit.
 */
const LAG_AT_MOST_MS = 1_000;

/** Describes the delay of a removal, counted from when its rule made the document due, like lag in the metrics. */
export function formatRemovalLag({
  removedAt,
  dueSinceAt,
  deadlineAt,
}: Pick<ExpiredEntry, 'removedAt' | 'dueSinceAt' | 'deadlineAt'>): { text: string; title: string } {
  const lagMs = Math.max(0, removedAt - dueSinceAt);
  const pastMs = Math.max(0, removedAt - deadlineAt);
  if (lagMs > LAG_AT_MOST_MS) {
    const late = formatDuration(pastMs);
    return {
      text: t`${late} past deadline`,
      title: t`removed ${late} after its deadline: not counted as lag if it was written after its deadline`,
    };
  }
  const lag = formatLag(lagMs);
  const earlier = dueSinceAt > deadlineAt;
  return {
    text: t`lag ${lag}`,
    title: earlier
      ? t`removed ${lag} after its rule took effect or was resumed, ${formatDuration(pastMs)} after its deadline`
      : t`removed ${lag} after its deadline`,
  };
}

export const indexCount = (count: number) => plural(count, { one: '# index', other: '# indexes' });

/** Documents with neither a deadline nor a pin. */
export const neverExpiring = ({ documents, withDeadline, pinned }: CollectionSummary) =>
  Math.max(0, documents - withDeadline - pinned);
