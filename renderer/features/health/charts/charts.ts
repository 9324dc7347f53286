import { t } from '@lingui/core/macro';
import type { Metrics, SeriesPoint } from '../../../../shared/contract/metrics.ts';
import { formatRecordsInSentence, type Words } from '../../../i18n/format-engine-words.ts';
import { drainMsOf, type Grid, rateOf } from './grid.ts';
import type { LineColour } from './line-colour.ts';

export type Measure = 'ms' | 'documents' | 'rate';

export interface Line {
  label: string;
  colour: LineColour;
  /** One value a minute; null: not measured. */
  values: readonly (number | null)[];
  /** Reads the current figure, which is newer than the last value; absent: no current figure exists. */
  current?: (metrics: Metrics) => number | null;
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
export function chartsOf(grid: Grid, now: number, batchMs: number | null, words?: Words): Chart[] {
  const records = formatRecordsInSentence(words);
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
          ({ recentLag }) => recentLag.p50Ms,
        ),
        line(
          'p99',
          2,
          values(({ lagP99Ms }) => lagP99Ms),
          ({ recentLag }) => recentLag.p99Ms,
        ),
        line(
          t`max`,
          5,
          values(({ lagMaxMs }) => lagMaxMs),
          ({ recentLag }) => recentLag.maxMs,
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
        line(t`removed`, 0, rates('removed'), metrics => metrics.removedPerSecond),
        ...(isAlwaysZero(changed) ? [] : [line(t`changed`, 1, changed)]),
        { ...line(t`written`, 3, rates('written'), metrics => metrics.writtenPerSecond), dashed: true },
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
          t`longest`,
          2,
          values(({ batchMaxMs }) => batchMaxMs),
          ({ batchMs: length }) => length.maxMs,
        ),
      ],
    },
    {
      id: 'overdue',
      title: t`Overdue`,
      unit: records,
      measure: 'documents',
      scale: 'linear',
      area: true,
      budget: null,
      lines: [
        line(
          records,
          'overdue',
          values(({ overdue }) => overdue),
          ({ overdue }) => overdue,
        ),
      ],
    },
    {
      id: 'backlog',
      title: t`Backlog`,
      unit: records,
      measure: 'documents',
      scale: 'linear',
      area: true,
      budget: null,
      lines: [
        line(
          t`with a deadline`,
          1,
          values(({ withDeadline }) => withDeadline),
          ({ withDeadline }) => withDeadline,
        ),
        line(
          t`stored`,
          4,
          values(({ documents }) => documents),
          ({ documents }) => documents,
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
          ({ overdue, drainMs }) => (overdue === 0 ? 0 : drainMs),
        ),
      ],
    },
  ];
}

/** Whether a line has only zeros: it is left out, because most stores only delete. */
const isAlwaysZero = (values: Line['values']) => values.every(value => !value);

function line(
  label: string,
  colour: Line['colour'],
  values: Line['values'],
  current?: Line['current'],
): Line {
  return { label, colour, values, ...(current !== undefined && { current }) };
}

/**
 * Returns the current figure of a line, else its last value; null: not known. Read separately, so that it does not
 * redraw the charts.
 */
export function currentValueOf({ values, current }: Line, metrics: Metrics | undefined): number | null {
  return metrics === undefined ? null : (current?.(metrics) ?? values.at(-1) ?? null);
}
