import { memo, type PointerEvent, useCallback, useId, useMemo } from 'react';
import type { Metrics } from '../../../../shared/contract/metrics.ts';
import type { Zone } from '../../../../shared/model/zone.ts';
import type { View } from '../../../components/canvas-chart/plot.ts';
import { type Paint, useSurface } from '../../../components/canvas-chart/use-surface.ts';
import classes from './charts.module.css';
import { type Chart, currentValueOf } from './charts.ts';
import { drawChart, scaleFor } from './draw.ts';
import { formatFigure } from './format-figure.ts';
import { CHART_MARGINS, indexAt, minuteX, yOf } from './geometry.ts';
import { cssColour } from './line-colour.ts';

interface ChartPanelProps {
  chart: Chart;
  from: number;
  to: number;
  measuredFrom: number;
  zone: Zone;
  stoppedSince: number | null;
  /** The minute under the crosshair; null: hidden. */
  cross: number | null;
  /** Figures shown while the crosshair is hidden. */
  metrics: Metrics | undefined;
  onCross: (index: number | null) => void;
}

/** One chart, with the values of its lines at the crosshair, or now. */
export const ChartPanel = memo(function ChartPanel(props: ChartPanelProps) {
  const { chart, from, to, measuredFrom, zone, stoppedSince, cross, metrics, onCross } = props;
  const count = chart.lines[0]?.values.length ?? 0;
  const id = useId();
  const span = to - from;
  const paint: Paint = useCallback(
    (context, plot, palette) =>
      drawChart(context, { plot, from, span }, { chart, measuredFrom, zone, stoppedSince }, palette),
    [chart, from, span, measuredFrom, zone, stoppedSince],
  );
  const { canvas, plot } = useSurface(CHART_MARGINS, paint);
  const view: View | null = plot === null ? null : { plot, from, span };
  function follow(event: PointerEvent<HTMLElement>): void {
    if (view === null) return;
    const { left } = event.currentTarget.getBoundingClientRect();
    onCross(indexAt(view, event.clientX - left, count));
  }
  return (
    <section className={`panel ${classes.chart}`} aria-labelledby={id}>
      <div className={classes.chartH}>
        <h2 className="t-semi" id={id}>
          {chart.title}
        </h2>
        <span className="t-11 t-3 ell">{chart.unit}</span>
      </div>
      <dl className={classes.chartLegend}>
        {chart.lines.map(line => (
          <div key={line.label}>
            <dt>
              <span
                className={classes.chartKey}
                style={{
                  borderColor: cssColour(line.colour),
                  borderTopStyle: line.dashed === true ? 'dashed' : 'solid',
                }}
              />
              {line.label}
            </dt>
            <dd>
              {formatFigure(
                cross === null ? currentValueOf(line, metrics) : (line.values[cross] ?? null),
                chart.measure,
              )}
            </dd>
          </div>
        ))}
      </dl>
      <div className={classes.chartPlot} onPointerMove={follow} onPointerLeave={() => onCross(null)}>
        <canvas ref={canvas} />
        {view !== null && cross !== null && <Crosshair chart={chart} view={view} index={cross} />}
      </div>
    </section>
  );
});

function Crosshair({ chart, view, index }: { chart: Chart; view: View; index: number }) {
  const { plot } = view;
  const scale = useMemo(() => scaleFor(chart, plot), [chart, plot]);
  const x = minuteX(view, index);
  return (
    <>
      <i
        className={classes.chartCross}
        style={{ left: Math.round(x), top: plot.top, height: plot.bottom - plot.top }}
      />
      {chart.lines.map(({ label, colour, values }) => {
        const value = values[index] ?? null;
        if (value === null) return null;
        const y = yOf(plot, scale.heightOf(value));
        return (
          <i
            key={label}
            className={classes.chartDot}
            style={{ left: x, top: y, background: cssColour(colour) }}
          />
        );
      })}
    </>
  );
}
