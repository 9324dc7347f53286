import { memo, type PointerEvent, useCallback, useId, useMemo } from 'react';
import type { Metrics } from '../../../../shared/contract/metrics.ts';
import type { Zone } from '../../../../shared/model/zone.ts';
import { type Chart, nowOf } from './charts.ts';
import { drawChart, scaleFor } from './draw.ts';
import { figure } from './figures.ts';
import { indexAt, type Plot, xOf, yOf } from './geometry.ts';
import { useCanvas } from './use-canvas.ts';

interface ChartPanelProps {
  chart: Chart;
  from: number;
  to: number;
  measuredFrom: number;
  zone: Zone;
  stoppedSince: number | null;
  /** The minute the crosshair is on; null: nowhere. */
  cross: number | null;
  /** As it is now, where the crosshair is nowhere. */
  metrics: Metrics | undefined;
  onCross: (index: number | null) => void;
}

/** One chart: its lines with what they say at the crosshair, or now. */
export const ChartPanel = memo(function ChartPanel(props: ChartPanelProps) {
  const { chart, from, to, measuredFrom, zone, stoppedSince, cross, metrics, onCross } = props;
  const count = chart.lines[0]?.values.length ?? 0;
  const id = useId();
  const { canvas, plot } = useCanvas(
    useCallback(
      (context, at, look) =>
        drawChart(context, at, { chart, from, to, count, measuredFrom, zone, stoppedSince }, look),
      [chart, from, to, count, measuredFrom, zone, stoppedSince],
    ),
  );
  function follow(event: PointerEvent<HTMLElement>): void {
    if (plot === null) return;
    const { left } = event.currentTarget.getBoundingClientRect();
    onCross(indexAt(plot, event.clientX - left, count));
  }
  return (
    <section className="panel chart" aria-labelledby={id}>
      <div className="chart-h">
        <h2 className="t-semi" id={id}>
          {chart.title}
        </h2>
        <span className="t-11 t-3 ell">{chart.unit}</span>
      </div>
      <dl className="chart-legend">
        {chart.lines.map(line => (
          <div key={line.label}>
            <dt>
              <span
                className="chart-key"
                style={{
                  borderColor: `var(--${line.colour})`,
                  borderTopStyle: line.dashed === true ? 'dashed' : 'solid',
                }}
              />
              {line.label}
            </dt>
            <dd>
              {figure(
                cross === null ? nowOf(chart, line, metrics) : (line.values[cross] ?? null),
                chart.measure,
              )}
            </dd>
          </div>
        ))}
      </dl>
      <div className="chart-plot" onPointerMove={follow} onPointerLeave={() => onCross(null)}>
        <canvas ref={canvas} />
        {plot !== null && cross !== null && <Crosshair chart={chart} plot={plot} index={cross} />}
      </div>
    </section>
  );
});

function Crosshair({ chart, plot, index }: { chart: Chart; plot: Plot; index: number }) {
  const scale = useMemo(() => scaleFor(chart, plot), [chart, plot]);
  const x = xOf(plot, index, chart.lines[0]?.values.length ?? 0);
  return (
    <>
      <i
        className="chart-cross"
        style={{ left: Math.round(x), top: plot.top, height: plot.bottom - plot.top }}
      />
      {chart.lines.map(({ label, colour, values }) => {
        const value = values[index] ?? null;
        if (value === null) return null;
        const y = yOf(plot, scale.heightOf(value));
        return (
          <i key={label} className="chart-dot" style={{ left: x, top: y, background: `var(--${colour})` }} />
        );
      })}
    </>
  );
}
