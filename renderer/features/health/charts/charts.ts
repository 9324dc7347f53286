import { t } from '@lingui/core/macro';
import type { Metrics, SeriesPoint } from '../../../../shared/contract/metrics.ts';
import { drainMsOf, type Grid, rateOf } from './grid.ts';
import type { LineColour } from './line-colour.ts';

export type Measure = 'ms' | 'documents' | 'rate';

export interface Line {
  label: string;
  colour: LineColour;
  /** One value a minute; null: not measured. */
  values: readonly (number | null)[];
  dashed?: boolean;
}

export interface Chart {
  id: string;
  title: string;
  /** Shown after the title. */
  unit: string;
  measure: Measure;
  scale: 'linear' | 'log';
  /** Fills the first line down to the axis. */
  area: boolean;
  lines: readonly Line[];
  /** A limit the values are meant to stay below. */
  budget: { value: number; label: string } | null;
}

type Count = 'removed' | 'changed' | 'written';

/** All charts of one span, on one grid. */
export function chartsOf(grid: Grid, now: number, batchMs: number | null): Chart[] {
  const values = (read: (point: SeriesPoint) => number | null) =>
    grid.points.map(point => (point === null ? null : read(point)));
  const rates = (count: Count) => values(point => rateOf(point[count], point.at, now));
  const changed = rates('changed');
  return [
    {
      id: 'lag',
      title: t`Lag`,
      unit: t`from deadline to removal, log scale`,
      measure: 'ms',
      scale: 'log',
      area: false,
      budget: null,
      lines: [
        line(
          'p50',
          0,
          values(({ lagP50Ms }) => lagP50Ms),
        ),
        line(
          'p99',
          2,
          values(({ lagP99Ms }) => lagP99Ms),
        ),
        line(
          'max',
          5,
          values(({ lagMaxMs }) => lagMaxMs),
        ),
      ],
    },
    {
      id: 'throughput',
      title: t`Removed / written`,
      unit: t`per second`,
      measure: 'rate',
      scale: 'linear',
      area: false,
      budget: null,
      lines: [
        line('removed', 0, rates('removed')),
        ...(isAlwaysZero(changed) ? [] : [line('changed', 1, changed)]),
        { ...line('written', 3, rates('written')), dashed: true },
      ],
    },
    {
      id: 'batch',
      title: t`Batch time`,
      unit: t`longest in each minute`,
      measure: 'ms',
      scale: 'linear',
      area: false,
      budget: batchMs === null ? null : { value: batchMs, label: t`budget ${batchMs} ms` },
      lines: [
        line(
          'longest',
          2,
          values(({ batchMaxMs }) => batchMaxMs),
        ),
      ],
    },
    {
      id: 'overdue',
      title: t`Overdue`,
      unit: t`documents`,
      measure: 'documents',
      scale: 'linear',
      area: true,
      budget: null,
      lines: [
        line(
          'documents',
          'overdue',
          values(({ overdue }) => overdue),
        ),
      ],
    },
    {
      id: 'backlog',
      title: t`Backlog`,
      unit: t`documents`,
      measure: 'documents',
      scale: 'linear',
      area: true,
      budget: null,
      lines: [
        line(
          t`with a deadline`,
          1,
          values(({ withDeadline }) => withDeadline),
        ),
        line(
          'stored',
          4,
          values(({ documents }) => documents),
        ),
      ],
    },
    {
      id: 'drain',
      title: t`Time to drain`,
      unit: t`at each minute’s rate`,
      measure: 'ms',
      scale: 'linear',
      area: false,
      budget: null,
      lines: [
        line(
          t`to drain`,
          4,
          values(point => drainMsOf(point, now)),
        ),
      ],
    },
  ];
}

/** A line of zeros only is left out: most stores only delete. */
const isAlwaysZero = (values: Line['values']) => values.every(value => !value);

function line(label: string, colour: Line['colour'], values: Line['values']): Line {
  return { label, colour, values };
}

/** Returns the current figure of a line, else its last value; null: not known. Read apart, so that it does not redraw the charts. */
export function currentValueOf(
  { id }: Chart,
  { label, values }: Line,
  metrics: Metrics | undefined,
): number | null {
  return metrics === undefined ? null : (CURRENT[`${id} ${label}`]?.(metrics) ?? values.at(-1) ?? null);
}

const CURRENT: Readonly<Record<string, (metrics: Metrics) => number | null>> = {
  'lag p50': ({ recentLag }) => recentLag.p50Ms,
  'lag p99': ({ recentLag }) => recentLag.p99Ms,
  'lag max': ({ recentLag }) => recentLag.maxMs,
  'throughput removed': ({ removedPerSecond }) => removedPerSecond,
  'throughput written': ({ writtenPerSecond }) => writtenPerSecond,
  'batch longest': ({ batchMs }) => batchMs.maxMs,
  'overdue documents': ({ overdue }) => overdue,
  'backlog with a deadline': ({ withDeadline }) => withDeadline,
  'backlog stored': ({ documents }) => documents,
  'drain to drain': ({ overdue, drainMs }) => (overdue === 0 ? 0 : drainMs),
};
