import type { Metrics, SeriesPoint } from '../../../../shared/contract/metrics.ts';
import { type Grid, rateOf } from './grid.ts';

export type Measure = 'ms' | 'documents' | 'rate';

export interface Line {
  label: string;
  /** A token of the theme, without its dashes. */
  colour: 'series-1' | 'series-2' | 'series-3' | 'series-4' | 'series-5' | 'series-6' | 'overdue-fill';
  /** By minute; null: nothing to draw. */
  values: readonly (number | null)[];
  /** As it is now; null: not known. */
  now: number | null;
  dashed?: boolean;
}

export interface Chart {
  id: string;
  title: string;
  /** What one unit of it is, in words. */
  unit: string;
  measure: Measure;
  scale: 'linear' | 'log';
  /** Filled down to the axis. */
  area: boolean;
  lines: readonly Line[];
  /** What it is meant to stay below. */
  budget: { value: number; label: string } | null;
}

type Count = 'removed' | 'changed' | 'written';

/** All charts of one span, on one grid. `metrics`: as it is now. */
export function chartsOf(
  grid: Grid,
  now: number,
  metrics: Metrics | undefined,
  batchMs: number | null,
): Chart[] {
  const values = (read: (point: SeriesPoint) => number | null) =>
    grid.points.map(point => (point === null ? null : read(point)));
  const rates = (count: Count) => values(point => rateOf(point[count], point.at, now));
  const last = grid.points.at(-1) ?? null;
  const changedNow = last === null ? null : rateOf(last.changed, last.at, now);
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
          metrics?.recentLag.p50Ms,
        ),
        line(
          'p99',
          'series-3',
          values(({ lagP99Ms }) => lagP99Ms),
          metrics?.recentLag.p99Ms,
        ),
        line(
          'max',
          'series-6',
          values(({ lagMaxMs }) => lagMaxMs),
          metrics?.recentLag.maxMs,
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
        line('removed', 'series-1', rates('removed'), metrics?.removedPerSecond),
        ...(isSilent(changed, changedNow) ? [] : [line('changed', 'series-2', changed, changedNow)]),
        { ...line('written', 'series-4', rates('written'), metrics?.writtenPerSecond), dashed: true },
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
          metrics?.batchMs.maxMs,
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
          metrics?.overdue,
        ),
      ],
    },
    {
      id: 'backlog',
      title: 'Backlog',
      unit: 'documents with a deadline',
      measure: 'documents',
      scale: 'linear',
      area: true,
      budget: null,
      lines: [
        line(
          'documents',
          'series-2',
          values(({ withDeadline }) => withDeadline),
          metrics?.withDeadline,
        ),
      ],
    },
    {
      id: 'stored',
      title: 'Stored',
      unit: 'all documents',
      measure: 'documents',
      scale: 'linear',
      area: true,
      budget: null,
      lines: [
        line(
          'documents',
          'series-5',
          values(({ documents }) => documents),
          metrics?.documents,
        ),
      ],
    },
  ];
}

/** Most stores only delete: a line that is never anything is not shown. */
const isSilent = (values: Line['values'], now: number | null) => !now && values.every(value => !value);

function line(
  label: string,
  colour: Line['colour'],
  values: Line['values'],
  now: number | null | undefined,
): Line {
  return { label, colour, values, now: now ?? null };
}
