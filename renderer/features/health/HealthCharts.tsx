import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useCallback, useMemo } from 'react';
import { type LiveState, orpc, problemOf, useLive, useMissing, useWords } from '../../api.ts';
import { Note } from '../../components/status/Note.tsx';
import { useZone } from '../../components/time/clock.ts';
import { ChartPanel } from './charts/ChartPanel.tsx';
import { ChartsTable } from './charts/ChartsTable.tsx';
import classes from './charts/charts.module.css';
import { chartsOf } from './charts/charts.ts';
import { formatCrosshair } from './charts/format-crosshair.ts';
import { crosshairAfterKey } from './charts/geometry.ts';
import { indexOf, instantOf } from './charts/grid.ts';
import { type SeriesState, useCurrentMetrics } from './use-series.ts';

interface HealthChartsProps {
  collection: string | null;
  series: SeriesState;
  asTable: boolean;
  /** Instant of the crosshair; null: hidden. */
  crossAt: number | null;
  onCrossAt: (at: number | null) => void;
}

/** Start of the earliest pause or hold that applies here; null: none. */
function stoppedSince({ reaper }: LiveState, collection: string | null): number | null {
  if (reaper === null) return null;
  const here = (other: string | null) => other === null || other === collection;
  const since = [
    reaper.paused?.since,
    ...reaper.pausedCollections.filter(paused => here(paused.collection)).map(paused => paused.since),
    ...reaper.holds.filter(hold => here(hold.collection)).map(hold => hold.since),
  ].filter(at => at !== undefined);
  return since.length === 0 ? null : Math.min(...since);
}

/** Charts of the batches of a reaper; absent on an engine that removes documents itself. */
const OF_A_REAPER = new Set(['batch', 'drain']);

/** Charts with one common crosshair, moved by the pointer on any chart or by the arrow keys. */
export function HealthCharts({ collection, series, asTable, crossAt, onCrossAt }: HealthChartsProps) {
  const [zone] = useZone();
  const { span, grid, askedAt, error } = series;
  const metrics = useCurrentMetrics(collection);
  const stopped = useLive(state => stoppedSince(state, collection));
  const settings = useQuery(orpc.settings.get.queryOptions());
  const batchMs = settings.data?.batchMs ?? null;
  const words = useWords();
  const hasReaper = useMissing('reaper') === null;
  const charts = useMemo(
    () =>
      (grid === null ? [] : chartsOf(grid, askedAt, batchMs, words)).filter(
        ({ id }) => hasReaper || !OF_A_REAPER.has(id),
      ),
    [grid, askedAt, batchMs, hasReaper, words],
  );
  const onCross = useCallback(
    (index: number | null) => onCrossAt(index === null || grid === null ? null : instantOf(grid, index)),
    [grid, onCrossAt],
  );
  if (error !== null && grid === null) {
    return (
      <div>
        <Note tone="bad">
          <Trans>No charts. {problemOf(error).message}</Trans>
        </Note>
      </div>
    );
  }
  if (grid === null) return <div className={classes.charts} aria-busy="true" />;
  if (asTable) return <ChartsTable grid={grid} span={span} zone={zone} now={askedAt} />;

  const count = grid.points.length;
  const measuredFrom = grid.points.findIndex(point => point !== null);
  const cross = crossAt === null ? null : indexOf(grid, crossAt);
  function press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const next = crosshairAfterKey(event.key, cross, count, event.shiftKey);
    if (next === null) return;
    event.preventDefault();
    onCross(next === 'gone' ? null : next);
  }
  return (
    <div className={classes.charts}>
      {/* Covers all charts, so that the focus ring encloses every chart that the arrow keys act on; transparent
          to the pointer. */}
      <div
        className={classes.chartsSlider}
        role="slider"
        tabIndex={0}
        aria-label={t`Crosshair of all charts`}
        aria-valuemin={0}
        aria-valuemax={count - 1}
        aria-valuenow={cross ?? count - 1}
        aria-valuetext={formatCrosshair(charts, cross, crossAt, zone, metrics)}
        onKeyDown={press}
        onBlur={() => onCrossAt(null)}
      />
      {charts.map(chart => (
        <ChartPanel
          key={chart.id}
          chart={chart}
          from={grid.from}
          to={instantOf(grid, count - 1)}
          measuredFrom={measuredFrom}
          zone={zone}
          stoppedSince={stopped}
          cross={cross}
          metrics={metrics}
          onCross={onCross}
        />
      ))}
    </div>
  );
}
