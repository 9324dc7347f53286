import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import type { Metrics } from '../../../shared/contract/metrics.ts';
import { formatCount } from '../../../shared/model/format.ts';
import { useLive } from '../../api.ts';
import { type Figure, Figures } from '../../components/figures/Figures.tsx';
import { Countdown, Elapsed, Instant } from '../../components/time/Time.tsx';
import { useIsLate } from '../../components/time/use-is-late.ts';
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
  const stopped = useLive(({ reaper }) => reaper !== null && reaper.state !== 'running');
  return (
    <Figures
      label={`Figures of ${summary.name}`}
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
        ? { label: 'Next expiry', value: 'held', sub: 'until confirmed' }
        : {
            label: 'Next expiry',
            value: nextDeadlineAt === null ? '–' : <Countdown at={nextDeadlineAt} />,
            sub:
              nextDeadlineAt === null ? (
                noNextSub(overdue)
              ) : (
                <>
                  {nextDeadlineFrom === 'explicit' ? 'set by hand' : nextDeadlineFrom},{' '}
                  <Instant at={nextDeadlineAt} />
                </>
              ),
          },
    {
      label: 'Overdue',
      value: overdue === 0 ? '0' : <a href={toOverdue(summary)}>{formatCount(overdue)}</a>,
      overdue: late && overdue > 0,
      sub:
        oldestOverdueAt === null ? (
          'none'
        ) : (
          <>
            oldest <Elapsed at={oldestOverdueAt} />
          </>
        ),
    },
  ];
}

function pausedFigure({ by, since }: { by: string; since: number }): Figure {
  const sub = (
    <>
      by {by} since <Instant at={since} />
    </>
  );
  return { label: 'Next expiry', value: 'paused', sub };
}

function measured(metrics: Metrics | undefined, stopped: boolean): Figure[] {
  const labels = ['Lag p50 and p99', 'Removed / written', 'Time to drain'] as const;
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
      sub: metrics.recentLag.count > 0 ? 'last 10 minutes' : 'none in 10 minutes',
    },
    {
      label: labels[1],
      wide: true,
      value: rate(removedNow(metrics, stopped)),
      unit: `/ ${rate(metrics.writtenPerSecond)} per s`,
      sub: balance(metrics, stopped),
    },
    {
      label: labels[2],
      value: drain.value,
      unit: drain.unit,
      sub: stopped ? 'when removal resumes' : drainSub(metrics),
    },
  ];
}

function rest(summary: CollectionSummary): Figure {
  return {
    label: 'Never expire',
    value: formatCount(neverExpiring(summary)),
    sub: `and ${formatCount(summary.pinned)} pinned`,
  };
}
