import { t } from '@lingui/core/macro';
import type { Rects } from '../scene/rects.ts';
import type { Scene } from '../scene/scene.ts';
import { drawFlags, drawNow, drawOverdueLabel, drawTear } from './draw-marks.ts';
import type { DrawingContext } from './drawing-context.ts';

/** Draws one frame on an empty canvas, back to front. Positions and visibility are decided by the scene. */
export function drawScene(drawing: DrawingContext, scene: Scene, reaperState: string): void {
  const { context } = drawing;
  const { plot } = scene.view;
  context.textBaseline = 'middle';
  context.imageSmoothingEnabled = false;
  drawGrid(drawing, scene);
  drawAxis(drawing, scene);
  drawGap(drawing, scene);
  context.save();
  context.beginPath();
  context.rect(plot.left, plot.top - 2, plot.right - plot.left, plot.bottom - plot.top + 2);
  context.clip();
  drawBars(drawing, scene);
  context.restore();
  drawOverdueStack(drawing, scene);
  context.fillStyle = drawing.palette.line;
  context.fillRect(plot.left, plot.bottom, plot.right - plot.left, 1);
  drawBand(drawing, scene);
  drawRuler(drawing, scene);
  drawNow(drawing, scene, reaperState);
  drawOverdueLabel(drawing, scene);
  drawFlags(drawing, scene);
}

function drawGrid({ context, palette }: DrawingContext, { grid, view: { plot } }: Scene): void {
  context.font = palette.font;
  context.textAlign = 'right';
  for (const { y, text } of grid) {
    const line = Math.round(y);
    context.fillStyle = palette.grid;
    context.fillRect(plot.left, line, plot.right - plot.left, 1);
    context.fillStyle = palette.ink3;
    if (text !== '') context.fillText(text, plot.left - 7, line + 0.5);
  }
}

function drawAxis(
  { context, palette }: DrawingContext,
  { axisMarks, axis, zone, view: { plot } }: Scene,
): void {
  context.fillStyle = palette.line;
  for (const x of axisMarks) context.fillRect(Math.round(x), plot.bottom, 1, 4);
  context.textAlign = 'center';
  for (const { x, text, strong } of axis) {
    context.font = strong ? palette.strongFont : palette.font;
    context.fillStyle = strong ? palette.ink : palette.ink2;
    context.fillText(text, x, plot.bottom + 13);
  }
  context.font = palette.font;
  context.textAlign = 'right';
  context.fillStyle = palette.ink3;
  if (zone !== '') context.fillText(zone, plot.right, plot.bottom + 13);
}

function drawGap({ context, palette }: DrawingContext, { gap, stopped, view: { plot } }: Scene): void {
  if (gap === null) return;
  context.fillStyle = stopped ? palette.sunken : palette.overdueSoft;
  context.globalAlpha = stopped ? 1 : 0.75;
  context.fillRect(gap.x1, plot.top, gap.x2 - gap.x1, plot.bottom - plot.top);
  context.globalAlpha = 1;
}

function drawBars(
  { context, palette, hatch }: DrawingContext,
  { bars, colours, stopped, view: { plot } }: Scene,
): void {
  const colourOf = (position: number) =>
    palette.series[(colours[position] ?? position) % palette.series.length] ?? palette.ink3;
  bars.solid.forEach((rects, position) => {
    context.fillStyle = colourOf(position);
    fillRects(context, rects);
  });
  bars.hatched.forEach((rects, position) => {
    if (rects.length === 0) return;
    const colour = colourOf(position);
    context.fillStyle = hatch.at(context, colour, bars.hatchX, plot.bottom % 6);
    fillRects(context, rects);
    context.fillStyle = colour;
    fillRects(context, bars.caps[position] ?? []);
    context.globalAlpha = 0.55;
    fillRects(context, bars.sides[position] ?? []);
    context.globalAlpha = 1;
  });
  context.strokeStyle = stopped ? palette.ink3 : palette.overdueFill;
  context.globalAlpha = stopped ? 0.5 : 0.7;
  context.lineWidth = 1;
  context.setLineDash([2, 2]);
  eachRect(bars.late, (x, y, width, height) =>
    context.strokeRect(x + 0.5, y + 0.5, Math.max(0, width - 1), Math.max(0, height - 1)),
  );
  context.setLineDash([]);
  context.globalAlpha = 1;
  context.fillStyle = palette.panel;
  fillRects(context, bars.seams);
  for (const { x1, x2, y } of bars.tears) drawTear(context, palette.panel, x1, x2, y);
}

function drawOverdueStack(
  { context, palette }: DrawingContext,
  { overdue, bars, view: { plot } }: Scene,
): void {
  if (overdue === null) return;
  const { x, y, width, height, torn, count } = overdue;
  // The background separates the text from the bar behind it.
  context.fillStyle = palette.panel;
  context.fillRect(x - 2, y - 2, width + 3, height + 2);
  context.fillStyle = palette.overdueFill;
  context.fillRect(x, y, width, height);
  if (torn) drawTear(context, palette.panel, x, x + width, y + 12);
  else if (bars.blocks) {
    context.fillStyle = palette.panel;
    const unit = height / count;
    for (let document = 1; document < count; document++)
      context.fillRect(x, Math.round(plot.bottom - document * unit), width, 1);
  }
}

function drawBand({ context, palette }: DrawingContext, { band, view: { plot } }: Scene): void {
  if (band === null) return;
  context.fillStyle = palette.ink;
  context.globalAlpha = palette.dark ? 0.09 : 0.06;
  context.fillRect(band.x1, plot.top, band.x2 - band.x1, plot.bottom - plot.top);
  context.globalAlpha = 1;
  context.fillStyle = palette.ink2;
  context.fillRect(Math.round((band.x1 + band.x2) / 2), plot.top, 1, plot.bottom - plot.top);
}

function drawRuler(
  { context, palette, hatch }: DrawingContext,
  { ruler, captions, view: { plot } }: Scene,
): void {
  context.font = palette.font;
  context.textAlign = 'center';
  for (const { x, text } of ruler) {
    context.fillStyle = palette.ink3;
    context.fillText(text, x, 10);
    context.fillStyle = palette.line;
    context.fillRect(Math.round(x), 18, 1, 4);
  }
  if (captions.expired) {
    context.textAlign = 'left';
    context.fillStyle = palette.ink3;
    context.fillRect(plot.left, 5, 9, 9);
    context.fillStyle = palette.ink2;
    context.fillText(t`expired`, plot.left + 14, 10);
  }
  if (captions.due) {
    context.textAlign = 'right';
    context.fillStyle = palette.ink2;
    context.fillText(t`will expire`, plot.right, 10);
    const x = plot.right - context.measureText(t`will expire`).width - 14;
    context.fillStyle = hatch.at(context, palette.ink3, x, 5);
    context.fillRect(x, 5, 9, 9);
  }
}

function fillRects(context: CanvasRenderingContext2D, rects: Rects): void {
  eachRect(rects, (x, y, width, height) => context.fillRect(x, y, width, height));
}

function eachRect(rects: Rects, visit: (x: number, y: number, width: number, height: number) => void): void {
  for (let i = 0; i < rects.length; i += 4)
    visit(rects[i] ?? 0, rects[i + 1] ?? 0, rects[i + 2] ?? 0, rects[i + 3] ?? 0);
}
