import { t } from '@lingui/core/macro';
import type { Zone } from '../../../../shared/model/zone.ts';
import type { ChartColours } from '../../../components/canvas-chart/chart-colours.ts';
import { type Plot, pixelsPerMs, type View, xOf } from '../../../components/canvas-chart/plot.ts';
import type { Scale } from '../../../components/canvas-chart/scale.ts';
import { axisTicks } from '../../../components/canvas-chart/ticks.ts';
import { formatHourMinute } from '../../../i18n/format.ts';
import { scaleOf } from './chart-scale.ts';
import type { Chart, Line } from './charts.ts';
import { formatAxisFigure } from './format-figure.ts';
import { minuteX, runsOf, yOf } from './geometry.ts';
import { canvasColour } from './line-colour.ts';

export interface Drawing {
  chart: Chart;
  /** The first minute with a measurement; negative: none. */
  measuredFrom: number;
  zone: Zone;
  /** Start of the present pause or hold; null: documents are being removed. */
  stoppedSince: number | null;
}

/** Height of a tick label with the space around it, CSS pixels. */
const TICK_APART = 30;
/** Least distance of two times below the chart, CSS pixels. */
const TIMES_APART = 58;
const LEAST_TIME_STEP_MS = 5 * 60_000;

export function scaleFor(chart: Chart, plot: Plot): Scale {
  return scaleOf(chart, Math.max(2, Math.floor((plot.bottom - plot.top) / TICK_APART)));
}

/** Draws everything but the crosshair, which moves without redrawing the chart. */
export function drawChart(
  context: CanvasRenderingContext2D,
  view: View,
  drawing: Drawing,
  palette: ChartColours,
): void {
  const { chart } = drawing;
  const { plot } = view;
  const scale = scaleFor(chart, plot);
  context.font = palette.font;
  context.lineWidth = 1;
  drawUnmeasured(context, view, drawing, palette);
  drawStandstill(context, view, drawing, palette);
  drawTicks(context, plot, chart, scale, palette);
  drawTimes(context, view, drawing, palette);
  drawUnmeasuredLabel(context, view, drawing, palette);
  if (chart.budget !== null) drawBudget(context, plot, scale, chart.budget, palette);
  for (const line of [...chart.lines].reverse()) drawLine(context, view, scale, line, drawing, palette);
}

/** Least width of the unmeasured time that has room for a label, CSS pixels. */
const ROOM_FOR_LABEL = 96;
const UNMEASURED = t`not measured`;

/** Greys the time before the first measurement, because unknown is not 0. */
function drawUnmeasured(
  context: CanvasRenderingContext2D,
  view: View,
  drawing: Drawing,
  palette: ChartColours,
): void {
  const { plot } = view;
  const right = unmeasuredUntil(view, drawing);
  if (right - plot.left < 2) return;
  context.fillStyle = palette.sunken;
  context.fillRect(plot.left, plot.top, right - plot.left, plot.bottom - plot.top);
}

function drawUnmeasuredLabel(
  context: CanvasRenderingContext2D,
  view: View,
  drawing: Drawing,
  palette: ChartColours,
): void {
  const { plot } = view;
  const right = unmeasuredUntil(view, drawing);
  if (right - plot.left < ROOM_FOR_LABEL) return;
  const [x, y] = [(plot.left + right) / 2, (plot.top + plot.bottom) / 2];
  const width = context.measureText(UNMEASURED).width + 12;
  context.fillStyle = palette.sunken;
  context.fillRect(x - width / 2, y - 8, width, 16);
  context.fillStyle = palette.ink3;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(UNMEASURED, x, y);
}

function unmeasuredUntil(view: View, { measuredFrom }: Drawing): number {
  return measuredFrom < 0 ? view.plot.right : minuteX(view, measuredFrom);
}

function drawStandstill(
  context: CanvasRenderingContext2D,
  view: View,
  drawing: Drawing,
  palette: ChartColours,
): void {
  const { stoppedSince } = drawing;
  const { plot } = view;
  if (stoppedSince === null) return;
  const x = Math.max(plot.left, xOf(view, stoppedSince));
  if (x >= plot.right) return;
  context.fillStyle = palette.sunken;
  context.fillRect(x, plot.top, plot.right - x, plot.bottom - plot.top);
  if (plot.right - x < 12) return;
  context.fillStyle = palette.ink3;
  const middle = Math.round((x + plot.right) / 2);
  context.fillRect(middle - 4, plot.top + 4, 2.5, 8);
  context.fillRect(middle + 0.5, plot.top + 4, 2.5, 8);
}

function drawTicks(
  context: CanvasRenderingContext2D,
  plot: Plot,
  chart: Chart,
  scale: Scale,
  palette: ChartColours,
): void {
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (const tick of scale.ticks) {
    const y = Math.round(yOf(plot, scale.heightOf(tick))) + 0.5;
    context.strokeStyle = palette.grid;
    stroke(context, plot.left, y, plot.right, y);
    context.fillStyle = palette.ink3;
    context.fillText(formatAxisFigure(tick, chart.measure), plot.left - 6, y);
  }
  context.strokeStyle = palette.line;
  stroke(context, plot.left, plot.bottom + 0.5, plot.right, plot.bottom + 0.5);
}

function drawTimes(
  context: CanvasRenderingContext2D,
  view: View,
  drawing: Drawing,
  palette: ChartColours,
): void {
  const { plot, from, span } = view;
  const ticks = axisTicks(from, from + span, pixelsPerMs(view), drawing.zone, {
    apartPx: TIMES_APART,
    leastStepMs: LEAST_TIME_STEP_MS,
  });
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  for (const { at } of ticks) {
    const x = xOf(view, at);
    context.strokeStyle = palette.line;
    stroke(context, Math.round(x) + 0.5, plot.bottom, Math.round(x) + 0.5, plot.bottom + 3);
    if (x < plot.left + 14 || x > plot.right - 12) continue;
    context.fillStyle = palette.ink3;
    context.fillText(formatHourMinute(at, drawing.zone), x, plot.bottom + 15);
  }
}

function drawBudget(
  context: CanvasRenderingContext2D,
  plot: Plot,
  scale: Scale,
  { value, label }: NonNullable<Chart['budget']>,
  palette: ChartColours,
): void {
  const y = Math.round(yOf(plot, scale.heightOf(value))) + 0.5;
  context.strokeStyle = palette.ink3;
  context.setLineDash([3, 3]);
  stroke(context, plot.left, y, plot.right, y);
  context.setLineDash([]);
  // A budget line close to the axis leaves no room for its label.
  if (plot.bottom - y < 14) return;
  context.fillStyle = palette.ink3;
  context.textAlign = 'right';
  context.textBaseline = 'alphabetic';
  context.fillText(label, plot.right, y < plot.top + 14 ? y + 13 : y - 4);
}

function drawLine(
  context: CanvasRenderingContext2D,
  view: View,
  scale: Scale,
  line: Line,
  { chart }: Drawing,
  palette: ChartColours,
): void {
  const { plot } = view;
  const colour = canvasColour(line.colour, palette);
  for (const { start, values } of runsOf(line.values)) {
    const path = new Path2D();
    values.forEach((value, offset) => {
      path.lineTo(minuteX(view, start + offset), yOf(plot, scale.heightOf(value)));
    });
    if (chart.area && line === chart.lines[0]) {
      const area = new Path2D(path);
      area.lineTo(minuteX(view, start + values.length - 1), plot.bottom);
      area.lineTo(minuteX(view, start), plot.bottom);
      context.globalAlpha = 0.16;
      context.fillStyle = colour;
      context.fill(area);
      context.globalAlpha = 1;
    }
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    context.lineJoin = 'round';
    if (line.dashed === true) context.setLineDash([4, 2.5]);
    context.stroke(path);
    context.setLineDash([]);
    context.lineWidth = 1;
    // A path of one point has no length, so a dot represents a minute between two gaps.
    const [only] = values;
    if (values.length === 1 && only !== undefined) {
      context.fillStyle = colour;
      context.beginPath();
      context.arc(minuteX(view, start), yOf(plot, scale.heightOf(only)), 1.75, 0, 2 * Math.PI);
      context.fill();
    }
  }
}

function stroke(context: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}
