import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import type { Metrics } from '../../../shared/contract/metrics.ts';
import { useLive } from '../../api.ts';
import { type Figure, Figures } from '../../components/figures/Figures.tsx';
import { Elapsed, Upcoming } from '../../components/time/Time.tsx';
import { useIsLate } from '../../components/time/use-is-late.ts';
import { formatCount } from '../../i18n/format.ts';
import { balance, drainMeasure, drainSub, lagMeasure, rate, removedNow } from './format-figure.ts';
import { isPausedOrHeld } from './is-paused-or-held.ts';
import { useMetrics } from './use-metrics.ts';

/** State of removal: stopped for the whole store, or the number of documents in paused and held collections. */
interface Standstill {
  stopped: boolean;
  held: number;
  /** A remote engine removes by itself, so no wake-up of a reaper is known. */
  isEngine: boolean;
}

function overdueInStill(all: Iterable<CollectionSummary>): number {
  let held = 0;
  for (const { state, overdue } of all) if (isPausedOrHeld(state)) held += overdue;
  return held;
}

function overdueSub(overdue: number, { stopped, held, isEngine }: Standstill): string {
  if (overdue === 0) return t`none overdue`;
  if (isEngine) return t`not removed yet`;
  if (stopped) return 'waiting';
  if (held === 0) return t`removing now`;
  return held >= overdue ? t`all held` : t`${formatCount(held)} held`;
}

/** The collection with the oldest overdue document. */
function longestOverdue(all: Iterable<CollectionSummary>): CollectionSummary | null {
  let found: CollectionSummary | null = null;
  for (const summary of all) {
    if (summary.oldestOverdueAt === null) continue;
    if (found === null || summary.oldestOverdueAt < (found.oldestOverdueAt ?? 0)) found = summary;
  }
  return found;
}

/** The collection with the earliest overdue action. */
function mostLate(all: Iterable<CollectionSummary>): CollectionSummary | null {
  let found: CollectionSummary | null = null;
  for (const summary of all) {
    if (summary.actionDueAt === null) continue;
    if (found === null || summary.actionDueAt < (found.actionDueAt ?? 0)) found = summary;
  }
  return found;
}

const lagSub = (metrics: Metrics): string =>
  metrics.recentLag.count > 0 ? t`last 10 minutes` : t`none in 10 minutes`;

/** Key figures of the whole store. */
export function StoreFigures() {
  const metrics = useMetrics(null);
  const reaper = useLive(state => state.reaper);
  const collections = useLive(state => state.collections);
  const oldest = longestOverdue(collections?.values() ?? []);
  const late = useIsLate(mostLate(collections?.values() ?? []));
  const stopped = reaper !== null && reaper.state !== 'running' && reaper.state !== 'engine';
  const isEngine = reaper?.state === 'engine';
  const held = overdueInStill(collections?.values() ?? []);
  return (
    <Figures
      label={t`The whole store`}
      figures={metrics === undefined ? WAITING : figures(metrics, oldest, late, { stopped, held, isEngine })}
    />
  );
}

const NAMES = [
  t`Due next minute`,
  t`Overdue`,
  t`Oldest overdue`,
  t`Lag p50`,
  t`Lag p99`,
  t`Removed / written`,
  t`Time to drain`,
];
const WAITING: readonly Figure[] = NAMES.map(label => ({
  label,
  value: '–',
  wide: label.startsWith('Removed'),
}));

function figures(
  metrics: Metrics,
  oldest: CollectionSummary | null,
  late: boolean,
  { stopped, held, isEngine }: Standstill,
): Figure[] {
  const wake: ReactNode =
    metrics.nextWakeAt === null ? (
      isEngine ? (
        t`by the server`
      ) : stopped ? (
        t`none will be removed`
      ) : (
        t`none scheduled`
      )
    ) : (
      <>
        <Trans>
          next <Upcoming at={metrics.nextWakeAt} />
        </Trans>
      </>
    );
  const p50 = lagMeasure(metrics.recentLag.p50Ms);
  const p99 = lagMeasure(metrics.recentLag.p99Ms);
  const drain = drainMeasure(metrics, stopped);
  return [
    { label: t`Due next minute`, value: formatCount(metrics.dueNextMinute), sub: wake },
    {
      label: t`Overdue`,
      value: formatCount(metrics.overdue),
      overdue: late && metrics.overdue > 0,
      sub: overdueSub(metrics.overdue, { stopped, held, isEngine }),
    },
    {
      label: t`Oldest overdue`,
      value: oldest?.oldestOverdueAt ? <Elapsed at={oldest.oldestOverdueAt} /> : '–',
      sub: oldest === null ? t`none` : oldest.name,
    },
    { label: t`Lag p50`, value: p50.value, unit: p50.unit, sub: lagSub(metrics) },
    {
      label: t`Lag p99`,
      value: p99.value,
      unit: p99.unit,
      sub: lagSub(metrics),
      spark: metrics.recent.lagMaxMs,
    },
    {
      label: t`Removed / written`,
      value: rate(removedNow(metrics, stopped)),
      unit: t`/ ${rate(metrics.writtenPerSecond)} per s`,
      sub: balance(metrics, stopped),
      spark: metrics.recent.removed,
      wide: true,
    },
    {
      label: t`Time to drain`,
      value: drain.value,
      unit: drain.unit,
      sub: stopped ? t`when removal resumes` : drainSub(metrics),
    },
  ];
}
