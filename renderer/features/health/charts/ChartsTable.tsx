import { plural, t } from '@lingui/core/macro';
import { memo, useMemo } from 'react';
import type { SeriesPoint } from '../../../../shared/contract/metrics.ts';
import { type Zone, zoneName } from '../../../../shared/model/zone.ts';
import { DataTable } from '../../../components/data-table/DataTable.tsx';
import { columnsFor, useDataTable } from '../../../components/data-table/data-table.ts';
import { formatHourMinute } from '../../../i18n/format.ts';
import classes from '../findings.module.css';
import chartsClasses from './charts.module.css';
import type { Measure } from './charts.ts';
import { formatFigure } from './format-figure.ts';
import { type Grid, type Span, secondsOf, stepsOf } from './grid.ts';

/** Minutes in one row: a day by the minute would be 1,440 rows. */
const STEP_MINUTES: Record<Span, number> = { '15m': 1, '1h': 1, '6h': 5, '24h': 15 };

interface ChartsRow {
  at: number;
  /** Seconds of the row that have passed. */
  seconds: number;
  point: SeriesPoint;
  zone: Zone;
}

const column = columnsFor<ChartsRow>();

function measured(key: Exclude<keyof SeriesPoint, 'at'>, header: string, measure: Measure) {
  return column.accessor(({ point }) => point[key] ?? undefined, {
    id: key,
    header,
    sortUndefined: 'last',
    meta: { isNumeric: true },
    cell: ({ row: { original } }) => formatFigure(original.point[key], measure),
  });
}

function perSecond(key: 'removed' | 'changed' | 'written', header: string) {
  return column.accessor(({ point, seconds }) => point[key] / seconds, {
    id: key,
    header,
    meta: { isNumeric: true },
    cell: ({ getValue }) => formatFigure(getValue(), 'rate'),
  });
}

const MEASURES = [
  measured('lagP50Ms', t`Lag p50`, 'ms'),
  measured('lagP99Ms', t`Lag p99`, 'ms'),
  measured('lagMaxMs', t`Lag max`, 'ms'),
  perSecond('removed', t`Removed / s`),
  perSecond('changed', t`Changed / s`),
  perSecond('written', t`Written / s`),
  measured('batchMaxMs', t`Longest batch`, 'ms'),
  measured('overdue', t`Overdue`, 'documents'),
  measured('withDeadline', t`With a deadline`, 'documents'),
  measured('documents', t`Stored`, 'documents'),
];

const columnsIn = (zoneLabel: string) =>
  column.columns([
    column.accessor('at', {
      header: t`Time, ${zoneLabel}`,
      meta: { isRowHeader: true },
      cell: ({ row: { original } }) => formatHourMinute(original.at, original.zone),
    }),
    ...MEASURES,
  ]);

interface ChartsTableProps {
  grid: Grid;
  span: Span;
  zone: Zone;
  now: number;
}

/** The values of the charts as a table, newest first; minutes without a measurement are left out. */
export const ChartsTable = memo(function ChartsTable({ grid, span, zone, now }: ChartsTableProps) {
  const step = STEP_MINUTES[span];
  const data = stepsOf(grid, step).map(({ at, minutes, point }) => ({
    at,
    seconds: minutes === 1 ? secondsOf(at, now) : Math.min(minutes * 60, (now - at) / 1_000),
    point,
    zone,
  }));
  const zoneLabel = zoneName(now, zone);
  const columns = useMemo(() => columnsIn(zoneLabel), [zoneLabel]);
  const table = useDataTable({ columns, data, getRowId: ({ at }) => String(at) });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={`panel ${chartsClasses.chartTable}`} tabIndex={0} aria-label={t`Charts as a table`}>
      <DataTable
        table={table}
        label={plural(step, {
          one: 'Newest first, by minute; minutes without measurements are left out',
          other: 'Newest first, by # minutes; minutes without measurements are left out',
        })}
      />
      {data.length === 0 && (
        <p className={`${classes.findingsNone} t-3`}>{t`No measurements in this time.`}</p>
      )}
    </section>
  );
});
