import type { Metrics, SeriesPoint } from '../../../../shared/contract/metrics.ts';
import { drainMsOf, type Grid, rateOf } from './grid.ts';

export type Measure = 'ms' | 'documents' | 'rate';

export interface Line {
  label: string;
  /** A token of the theme, without its dashes. */
  colour: 'series-1' | 'series-2' | 'series-3' | 'series-4' | 'series-5' | 'series-6' | 'overdue-fill';
  /** By minute; null: nothing to draw. */
  values: readonly (number | null)[];
  dashed?: boolean;
}

export interface Chart {
  id: string;
  title: string;
  /** What one unit of it is, in words. */
  unit: string;
  measure: Measure;
  scale: 'linear' | 'log';
  /** Its first line is filled down to the axis. */
  area: boolean;
  lines: readonly Line[];
  /** What it is meant to stay below. */
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
      title: 'Lag',
      unit: 'from deadline to removal, log scale',
      measure: 'ms',
      scale: 'log',
      area: false,
      budget: null,
      lines: [
        line(
          'p50',
          'series-1',
          values(({ lagP50Ms }) => lagP50Ms),
        ),
        line(
          'p99',
          'series-3',
          values(({ lagP99Ms }) => lagP99Ms),
        ),
        line(
          'max',
          'series-6',
          values(({ lagMaxMs }) => lagMaxMs),
        ),
      ],
    },
    {
      id: 'throughput',
      title: 'Removed against written',
      unit: 'per second',
      measure: 'rate',
      scale: 'linear',
      area: false,
      budget: null,
      lines: [
        line('removed', 'series-1', rates('removed')),
        ...(isSilent(changed) ? [] : [line('changed', 'series-2', changed)]),
        { ...line('written', 'series-4', rates('written')), dashed: true },
      ],
    },
    {
      id: 'batch',
      title: 'Batch time',
      unit: 'longest in each minute',
      measure: 'ms',
      scale: 'linear',
      area: false,
      budget: batchMs === null ? null : { value: batchMs, label: `budget ${batchMs} ms` },
      lines: [
        line(
          'longest',
          'series-3',
          values(({ batchMaxMs }) => batchMaxMs),
        ),
      ],
    },
    {
      id: 'overdue',
      title: 'Overdue',
      unit: 'documents',
      measure: 'documents',
      scale: 'linear',
      area: true,
      budget: null,
      lines: [
        line(
          'documents',
          'overdue-fill',
          values(({ overdue }) => overdue),
        ),
      ],
    },
    {
      id: 'backlog',
      title: 'Backlog',
      unit: 'documents',
      measure: 'documents',
      scale: 'linear',
      area: true,
      budget: null,
      lines: [
        line(
          'with a deadline',
          'series-2',
          values(({ withDeadline }) => withDeadline),
        ),
        line(
          'stored',
          'series-5',
          values(({ documents }) => documents),
        ),
      ],
    },
    {
      id: 'drain',
      title: 'Time to drain',
      unit: 'at each minute’s rate',
      measure: 'ms',
      scale: 'linear',
      area: false,
      budget: null,
      lines: [
        line(
          'to drain',
          'series-5',
          values(point => drainMsOf(point, now)),
        ),
      ],
    },
  ];
}

/** Most stores only delete: a line that is never anything is not shown. */
const isSilent = (values: Line['values']) => values.every(value => !value);

function line(label: string, colour: Line['colour'], values: Line['values']): Line {
  return { label, colour, values };
}

/** What a line says as of now: its running figure, else its last value; null: not known. Apart from the charts, which it does not move. */
export function nowOf({ id }: Chart, { label, values }: Line, metrics: Metrics | undefined): number | null {
  return metrics === undefined ? null : (RUNNING[`${id} ${label}`]?.(metrics) ?? values.at(-1) ?? null);
}

const RUNNING: Readonly<Record<string, (metrics: Metrics) => number | null>> = {
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
