import { t } from '@lingui/core/macro';
import type { SeriesPoint } from '../../../../shared/contract/metrics.ts';
import { toCollection, toHealth, toSettings } from '../../../components/navigation/location.ts';
import { formatCount, formatDuration } from '../../../i18n/format.ts';
import type { Facts, Finder, Fix } from './finding.ts';
import { formatRate, roundUp } from './format-finding.ts';

/** Smaller delays are normal, ms. */
const LATE_MS = 30_000;
const LEAST = 100;
const MINUTE_MS = 60_000;
const LEAST_MINUTES = 2;

/**
 * Documents removed and documents that became due, per second over whole minutes; null: not known.
 * @internal
 */
export function balanceOf(
  points: readonly SeriesPoint[],
  now: number,
): { left: number; cameDue: number } | null {
  const whole = points.filter(({ at }) => at + MINUTE_MS <= now);
  const [first] = whole;
  const last = whole.at(-1);
  if (first === undefined || last === undefined) return null;
  const seconds = (last.at - first.at) / 1_000;
  if (seconds < (LEAST_MINUTES - 1) * 60) return null;
  // Removals of the first point happened before the span.
  const left = whole.slice(1).reduce((sum, { removed, changed }) => sum + removed + changed, 0) / seconds;
  return { left, cameDue: left + (last.overdue - first.overdue) / seconds };
}

/**
 * Returns whether fewer documents are overdue than a minute before: a backlog that appeared at once is being removed.
 */
function isDraining(points: readonly SeriesPoint[], now: number, overdue: number): boolean {
  const whole = points.filter(({ at }) => at + MINUTE_MS <= now);
  const [before, last] = whole.slice(-2);
  if (before === undefined || last === undefined) return false;
  return last.overdue < before.overdue || overdue < last.overdue;
}

/** More documents become due than are removed, so the backlog grows. */
export const fallingBehind: Finder = facts =>
  facts.collections.flatMap(({ name, overdue, oldestOverdueAt, actionDueAt, state }) => {
    // Pauses and holds have findings of their own; a read-only connection removes nothing.
    if (
      state !== 'running' ||
      facts.reaper.state === 'off' ||
      facts.reaper.state === 'engine' ||
      oldestOverdueAt === null ||
      overdue < LEAST
    )
      return [];
    const late = facts.now - oldestOverdueAt;
    const behind = facts.now - (actionDueAt ?? facts.now);
    const points = facts.recent.get(name) ?? [];
    const balance = balanceOf(points, facts.now);
    if (behind < LATE_MS || balance === null || balance.cameDue <= balance.left) return [];
    if (isDraining(points, facts.now, overdue)) return [];
    const { left, cameDue } = balance;
    const limit = limitOf(facts, name);
    return [
      {
        id: `behind/${name}`,
        severity: 'urgent' as const,
        icon: 'overdue' as const,
        collection: name,
        title: t`${name} removes more slowly than documents become due`,
        sentence:
          limit === null
            ? t`Removes ${formatRate(left)} a second, ${formatRate(cameDue)} become due: ${formatCount(overdue)} overdue, oldest ${formatDuration(late)}. The backlog does not shrink at this rate.`
            : t`Removes ${formatRate(left)} a second by its limit, ${formatRate(cameDue)} become due: ${formatCount(overdue)} overdue, oldest ${formatDuration(late)}. The backlog does not shrink at this rate.`,
        todo: limit === null ? t`Give batches more time.` : t`Raise the limit, or keep documents longer.`,
        fixes: fixesOf(limit, name, cameDue),
        weight: overdue,
      },
    ];
  });

type Limit = { of: 'index'; name: string; perSecond: number } | { of: 'store' };

/** Returns the limit that slows down removal: that of the index with most overdue documents, or of the store. */
function limitOf({ indexes, settings }: Facts, collection: string): Limit | null {
  const limited = (indexes.get(collection) ?? []).flatMap(({ name, limits, overdue }) =>
    limits.removalsPerSecond !== undefined && limits.removalsPerSecond > 0
      ? [{ of: 'index' as const, name, perSecond: limits.removalsPerSecond, overdue }]
      : [],
  );
  const [most] = limited.sort((a, b) => b.overdue - a.overdue);
  if (most !== undefined) return most;
  return settings.removalsPerSecond > 0 || settings.mostPerPass > 0 || settings.mostPerPassInTotal > 0
    ? { of: 'store' }
    : null;
}

function fixesOf(limit: Limit | null, collection: string, cameDue: number): readonly [Fix, ...Fix[]] {
  const details: Fix = { label: t`Details`, href: toHealth({ collection }) };
  if (limit === null) return [{ label: t`Increase batch time…`, href: toSettings('removal') }, details];
  if (limit.of === 'store') return [{ label: t`Raise the limit…`, href: toSettings('removal') }, details];
  const enough = roundUp(Math.max(cameDue, limit.perSecond) * 1.5);
  return [
    {
      label: t`Raise the limit to ${formatRate(enough)} / s`,
      action: { is: 'limit', collection, index: limit.name, before: limit.perSecond, perSecond: enough },
    },
    { label: t`Open the index`, href: toCollection(collection, 'ttl-indexes') },
  ];
}
