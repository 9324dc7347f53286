import { memo } from 'react';
import type { SeriesPoint } from '../../../../shared/contract/metrics.ts';
import { formatHourMinute } from '../../../../shared/model/format.ts';
import { type Zone, zoneName } from '../../../../shared/model/zone.ts';
import type { Measure } from './charts.ts';
import { formatFigure } from './format-figure.ts';
import { type Grid, type Span, secondsOf, stepsOf } from './grid.ts';

/** Minutes in one row: a day by the minute would be 1,440 rows. */
const STEP_MINUTES: Record<Span, number> = { '15m': 1, '1h': 1, '6h': 5, '24h': 15 };

const perSecond = (count: number, seconds: number) => formatFigure(count / seconds, 'rate');
const COLUMNS: readonly (readonly [title: string, text: (point: SeriesPoint, seconds: number) => string])[] =
  [
    ['Lag p50', of('lagP50Ms', 'ms')],
    ['Lag p99', of('lagP99Ms', 'ms')],
    ['Lag max', of('lagMaxMs', 'ms')],
    ['Removed / s', ({ removed }, seconds) => perSecond(removed, seconds)],
    ['Changed / s', ({ changed }, seconds) => perSecond(changed, seconds)],
    ['Written / s', ({ written }, seconds) => perSecond(written, seconds)],
    ['Longest batch', of('batchMaxMs', 'ms')],
    ['Overdue', of('overdue', 'documents')],
    ['With a deadline', of('withDeadline', 'documents')],
    ['Stored', of('documents', 'documents')],
  ];

function of(key: Exclude<keyof SeriesPoint, 'at'>, measure: Measure) {
  return (point: SeriesPoint) => formatFigure(point[key], measure);
}

interface ChartsTableProps {
  grid: Grid;
  span: Span;
  zone: Zone;
  now: number;
}

/** The values of the charts as a table, newest first; minutes without a measurement are left out. */
export const ChartsTable = memo(function ChartsTable({ grid, span, zone, now }: ChartsTableProps) {
  const step = STEP_MINUTES[span];
  const rows = stepsOf(grid, step);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="panel chart-table" tabIndex={0} aria-label="Charts as a table">
      <table className="tbl">
        <caption className="sr">
          By {step === 1 ? 'minute' : `${step} minutes`}, newest first. Minutes without measurements are left
          out.
        </caption>
        <thead>
          <tr>
            <th scope="col">Time, {zoneName(now, zone)}</th>
            {COLUMNS.map(([title]) => (
              <th key={title} scope="col" className="num" title={title}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ at, minutes, point }) => (
            <tr key={at}>
              <th scope="row">{formatHourMinute(at, zone)}</th>
              {COLUMNS.map(([title, text]) => (
                <td key={title} className="num">
                  {text(
                    point,
                    minutes === 1 ? secondsOf(at, now) : Math.min(minutes * 60, (now - at) / 1_000),
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className="findings-none t-3">No measurements in this time.</p>}
    </section>
  );
});
