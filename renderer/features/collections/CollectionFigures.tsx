import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import type { Metrics } from '../../../shared/contract/metrics.ts';
import { useLive } from '../../api.ts';
import { type Figure, Figures } from '../../components/figures/Figures.tsx';
import { Countdown, Elapsed, Instant } from '../../components/time/Time.tsx';
import { useIsLate } from '../../components/time/use-is-late.ts';
import { formatCount } from '../../i18n/format.ts';
import {
  balance,
  drainMeasure,
  drainSub,
  lagMeasure,
  neverExpiring,
  noNextSub,
  rate,
  removedNow,
} from './format-figure.ts';
import { isPausedOrHeld } from './is-paused-or-held.ts';
import { toOverdue } from './overdue-link.ts';
import { useMetrics } from './use-metrics.ts';

/** Key figures of one collection. */
export function CollectionFigures({ summary }: { summary: CollectionSummary }) {
  const metrics = useMetrics(summary.name);
  const late = useIsLate(summary);
  const stopped = useLive(
    ({ reaper }) => reaper !== null && reaper.state !== 'running' && reaper.state !== 'engine',
  );
  return (
    <Figures
      label={t`Figures of ${summary.name}`}
      figures={[
        ...stored(summary, late),
        ...measured(metrics, stopped || isPausedOrHeld(summary.state)),
        rest(summary),
      ]}
    />
  );
}

function stored(summary: CollectionSummary, late: boolean): Figure[] {
  const { nextDeadlineAt, nextDeadlineFrom, oldestOverdueAt, overdue } = summary;
  return [
    summary.paused !== null
      ? pausedFigure(summary.paused)
      : summary.state === 'held'
        ? { label: t`Next expiry`, value: 'held', sub: t`until confirmed` }
        : {
            label: t`Next expiry`,
            value: nextDeadlineAt === null ? '–' : <Countdown at={nextDeadlineAt} />,
            sub:
              nextDeadlineAt === null ? (
                noNextSub(overdue)
              ) : (
                <>
                  {nextDeadlineFrom === 'explicit' ? t`set by hand` : nextDeadlineFrom},{' '}
                  <Instant at={nextDeadlineAt} />
                </>
              ),
          },
    {
      label: t`Overdue`,
      value: overdue === 0 ? '0' : <a href={toOverdue(summary)}>{formatCount(overdue)}</a>,
      overdue: late && overdue > 0,
      sub:
        oldestOverdueAt === null ? (
          t`none`
        ) : (
          <>
            <Trans>
              oldest <Elapsed at={oldestOverdueAt} />
            </Trans>
          </>
        ),
    },
  ];
}

function pausedFigure({ by, since }: { by: string; since: number }): Figure {
  const sub = (
    <>
      <Trans>
        by {by} since <Instant at={since} />
      </Trans>
    </>
  );
  return { label: t`Next expiry`, value: 'paused', sub };
}

function measured(metrics: Metrics | undefined, stopped: boolean): Figure[] {
  const labels = [t`Lag p50 and p99`, t`Removed / written`, t`Time to drain`] as const;
  if (metrics === undefined) return labels.map(label => ({ label, value: '–', wide: label === labels[1] }));
  const p50 = lagMeasure(metrics.recentLag.p50Ms);
  const p99 = lagMeasure(metrics.recentLag.p99Ms);
  const drain = drainMeasure(metrics, stopped);
  const lags = [p50.value, p50.unit !== p99.unit ? p50.unit : undefined].filter(Boolean).join(' ');
  return [
    {
      label: labels[0],
      value: lags,
      unit: p99.value === '–' ? undefined : `/ ${[p99.value, p99.unit].filter(Boolean).join(' ')}`,
      sub: metrics.recentLag.count > 0 ? t`last 10 minutes` : t`none in 10 minutes`,
    },
    {
      label: labels[1],
      wide: true,
      value: rate(removedNow(metrics, stopped)),
      unit: t`/ ${rate(metrics.writtenPerSecond)} per s`,
      sub: balance(metrics, stopped),
    },
    {
      label: labels[2],
      value: drain.value,
      unit: drain.unit,
      sub: stopped ? t`when removal resumes` : drainSub(metrics),
    },
  ];
}

function rest(summary: CollectionSummary): Figure {
  return {
    label: t`Never expire`,
    value: formatCount(neverExpiring(summary)),
    sub: t`and ${formatCount(summary.pinned)} pinned`,
  };
}
