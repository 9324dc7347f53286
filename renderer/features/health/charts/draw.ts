import type { Zone } from '../../../../shared/model/zone.ts';
import type { Chart, Line } from './charts.ts';
import { axisFigure } from './figures.ts';
import { type Plot, runsOf, xOf, yOf } from './geometry.ts';
import { type Scale, scaleOf } from './scale.ts';
import { timeTicks } from './time-ticks.ts';

export interface Look {
  ink3: string;
  grid: string;
  line: string;
  sunken: string;
  font: string;
  colours: Readonly<Record<Line['colour'], string>>;
}

export interface Drawing {
  chart: Chart;
  /** Of the first and the last minute. */
  from: number;
  to: number;
  count: number;
  /** The first minute anything is known of; negative: none. */
  measuredFrom: number;
  zone: Zone;
  /** Since when nothing is removed by decision; null: it is. */
  stoppedSince: number | null;
}

/** A shorter chart has room for fewer figures. */
const TICK_APART = 30;

export function scaleFor(chart: Chart, plot: Plot): Scale {
  return scaleOf(chart, Math.max(2, Math.floor((plot.bottom - plot.top) / TICK_APART)));
}

/** Everything but the crosshair, which moves without any of this being drawn again. */
export function drawChart(context: CanvasRenderingContext2D, plot: Plot, drawing: Drawing, look: Look): void {
  const { chart } = drawing;
  const scale = scaleFor(chart, plot);
  context.font = look.font;
  context.lineWidth = 1;
  drawUnmeasured(context, plot, drawing, look);
  drawStandstill(context, plot, drawing, look);
  drawFigures(context, plot, chart, scale, look);
  drawTimes(context, plot, drawing, look);
  drawUnmeasuredWords(context, plot, drawing, look);
  if (chart.budget !== null) drawBudget(context, plot, scale, chart.budget, look);
  for (const line of [...chart.lines].reverse()) drawLine(context, plot, scale, line, drawing, look);
}

/** Least width of what was not measured that has room for words. */
const ROOM_FOR_WORDS = 96;
const UNMEASURED = 'not measured';

/** The time before the first measure is grey: nothing is known of it, which is not the same as nothing. */
function drawUnmeasured(context: CanvasRenderingContext2D, plot: Plot, drawing: Drawing, look: Look): void {
  const right = unmeasuredUntil(plot, drawing);
  if (right - plot.left < 2) return;
  context.fillStyle = look.sunken;
  context.fillRect(plot.left, plot.top, right - plot.left, plot.bottom - plot.top);
}

function drawUnmeasuredWords(
  context: CanvasRenderingContext2D,
  plot: Plot,
  drawing: Drawing,
  look: Look,
): void {
  const right = unmeasuredUntil(plot, drawing);
  if (right - plot.left < ROOM_FOR_WORDS) return;
  const [x, y] = [(plot.left + right) / 2, (plot.top + plot.bottom) / 2];
  const width = context.measureText(UNMEASURED).width + 12;
  context.fillStyle = look.sunken;
  context.fillRect(x - width / 2, y - 8, width, 16);
  context.fillStyle = look.ink3;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(UNMEASURED, x, y);
}

function unmeasuredUntil(plot: Plot, { measuredFrom, count }: Drawing): number {
  return measuredFrom < 0 ? plot.right : xOf(plot, measuredFrom, count);
}

function drawStandstill(context: CanvasRenderingContext2D, plot: Plot, drawing: Drawing, look: Look): void {
  const { stoppedSince, from, to } = drawing;
  if (stoppedSince === null || to <= from) return;
  const share = Math.max(0, (stoppedSince - from) / (to - from));
  if (share >= 1) return;
  const x = plot.left + share * (plot.right - plot.left);
  context.fillStyle = look.sunken;
  context.fillRect(x, plot.top, plot.right - x, plot.bottom - plot.top);
  if (plot.right - x < 12) return;
  context.fillStyle = look.ink3;
  const middle = Math.round((x + plot.right) / 2);
  context.fillRect(middle - 4, plot.top + 4, 2.5, 8);
  context.fillRect(middle + 0.5, plot.top + 4, 2.5, 8);
}

function drawFigures(
  context: CanvasRenderingContext2D,
  plot: Plot,
  chart: Chart,
  scale: Scale,
  look: Look,
): void {
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (const tick of scale.ticks) {
    const y = Math.round(yOf(plot, scale.heightOf(tick))) + 0.5;
    context.strokeStyle = look.grid;
    stroke(context, plot.left, y, plot.right, y);
    context.fillStyle = look.ink3;
    context.fillText(axisFigure(tick, chart.measure), plot.left - 6, y);
  }
  context.strokeStyle = look.line;
  stroke(context, plot.left, plot.bottom + 0.5, plot.right, plot.bottom + 0.5);
}

function drawTimes(context: CanvasRenderingContext2D, plot: Plot, drawing: Drawing, look: Look): void {
  const { from, to, zone } = drawing;
  const width = plot.right - plot.left;
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  for (const { at, label } of timeTicks(from, to, width, zone)) {
    const x = plot.left + ((at - from) / (to - from)) * width;
    context.strokeStyle = look.line;
    stroke(context, Math.round(x) + 0.5, plot.bottom, Math.round(x) + 0.5, plot.bottom + 3);
    if (x < plot.left + 14 || x > plot.right - 12) continue;
    context.fillStyle = look.ink3;
    context.fillText(label, x, plot.bottom + 15);
  }
}

function drawBudget(
  context: CanvasRenderingContext2D,
  plot: Plot,
  scale: Scale,
  { value, label }: NonNullable<Chart['budget']>,
  look: Look,
): void {
  const y = Math.round(yOf(plot, scale.heightOf(value))) + 0.5;
  context.strokeStyle = look.ink3;
  context.setLineDash([3, 3]);
  stroke(context, plot.left, y, plot.right, y);
  context.setLineDash([]);
  // Where values tower over it there is no room for its name between it and the axis.
  if (plot.bottom - y < 14) return;
  context.fillStyle = look.ink3;
  context.textAlign = 'right';
  context.textBaseline = 'alphabetic';
  context.fillText(label, plot.right, y < plot.top + 14 ? y + 13 : y - 4);
}

function drawLine(
  context: CanvasRenderingContext2D,
  plot: Plot,
  scale: Scale,
  line: Line,
  { chart, count }: Drawing,
  look: Look,
): void {
  const colour = look.colours[line.colour];
  for (const { start, values } of runsOf(line.values)) {
    const path = new Path2D();
    values.forEach((value, offset) => {
      path.lineTo(xOf(plot, start + offset, count), yOf(plot, scale.heightOf(value)));
    });
    if (chart.area && line === chart.lines[0]) {
      const area = new Path2D(path);
      area.lineTo(xOf(plot, start + values.length - 1, count), plot.bottom);
      area.lineTo(xOf(plot, start, count), plot.bottom);
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
    // A minute between two gaps has no length.
    const [only] = values;
    if (values.length === 1 && only !== undefined) {
      context.fillStyle = colour;
      context.beginPath();
      context.arc(xOf(plot, start, count), yOf(plot, scale.heightOf(only)), 1.75, 0, 2 * Math.PI);
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
