import type { Scene } from '../scene/scene.ts';
import type { DrawingContext } from './drawing-context.ts';

/** Draws two slanted cuts through a bar that is higher than the scale. */
export function drawTear(
  context: CanvasRenderingContext2D,
  ground: string,
  x1: number,
  x2: number,
  y: number,
): void {
  context.fillStyle = ground;
  for (const shift of [0, 5]) {
    context.beginPath();
    context.moveTo(x1 - 1.5, y + shift + 2.2);
    context.lineTo(x2 + 1.5, y + shift - 2.2);
    context.lineTo(x2 + 1.5, y + shift + 0.2);
    context.lineTo(x1 - 1.5, y + shift + 4.6);
    context.fill();
  }
}

/** Draws the line of now, dashed while the reaper is stopped, and its flag, on the line or at an edge. */
export function drawNow({ context, palette }: DrawingContext, scene: Scene, reaperState: string): void {
  const { nowFlag, nowX, stopped } = scene;
  const { plot } = scene.view;
  const line = Math.round(nowX) - 0.5;
  if (nowFlag.place === 'line') {
    context.fillStyle = stopped ? palette.ink3 : palette.now;
    if (stopped) for (let y = plot.top - 4; y < plot.bottom + 4; y += 6) context.fillRect(line, y, 1.5, 3.5);
    else context.fillRect(line, plot.top - 4, 1.5, plot.bottom - plot.top + 8);
  }
  if (scene.variant === 'mini') return;

  context.fillStyle = palette.now;
  context.beginPath();
  context.roundRect(nowFlag.x, 2, nowFlag.width, 17, 3);
  context.fill();
  context.font = palette.strongFont;
  context.textAlign = 'left';
  if (nowFlag.place === 'line') {
    triangle(context, nowX, 19, 3.5, 3.5);
    context.fillStyle = palette.panel;
    context.fillText(nowFlag.text, nowFlag.x + (nowFlag.glyph ? 20 : 7), 11);
    if (nowFlag.glyph) drawStateGlyph(context, palette.panel, reaperState, nowFlag.x + 8);
    return;
  }
  const leftwards = nowFlag.place === 'left';
  context.fillStyle = palette.panel;
  context.fillText(nowFlag.text, nowFlag.x + (leftwards ? 15 : 7), 11);
  const tip = leftwards ? nowFlag.x + 5 : nowFlag.x + nowFlag.width - 5;
  const base = tip + (leftwards ? 5 : -5);
  fillShape(context, [tip, 10.5, base, 7, base, 14]);
}

/** Draws the icon of a state in outline: two bars, an empty box, or two circles joined by a line. */
function drawStateGlyph(context: CanvasRenderingContext2D, colour: string, state: string, x: number): void {
  context.fillStyle = colour;
  context.strokeStyle = colour;
  if (state === 'paused') {
    context.fillRect(x, 6.5, 2.5, 8);
    context.fillRect(x + 4.5, 6.5, 2.5, 8);
  } else if (state === 'failing') {
    context.lineWidth = 1.3;
    context.strokeRect(x, 7, 7, 7);
  } else {
    context.lineWidth = 1.2;
    context.beginPath();
    context.arc(x, 13, 1.4, 0, 7);
    context.moveTo(x + 8.4, 13);
    context.arc(x + 7, 13, 1.4, 0, 7);
    context.moveTo(x + 1, 11.6);
    context.lineTo(x + 6, 7);
    context.stroke();
  }
}

export function drawOverdueLabel(
  { context, palette }: DrawingContext,
  { overdueLabel, overdue, stopped }: Scene,
): void {
  if (overdueLabel === null) return;
  const { box, bracket, inGap, x, y, strong, rest, restX } = overdueLabel;
  if (bracket !== null) {
    context.fillStyle = stopped ? palette.ink3 : palette.overdue;
    context.fillRect(bracket.x1, bracket.y, bracket.x2 - bracket.x1, 1);
    // A gap that begins beyond the edge has no left end.
    if (!bracket.open) context.fillRect(bracket.x1, bracket.y - 3, 1, 7);
    context.fillRect(bracket.x2, bracket.y - 3, 1, 7);
  }
  context.fillStyle = !inGap ? palette.panel : stopped ? palette.sunken : palette.overdueSoft;
  context.globalAlpha = 0.92;
  context.beginPath();
  context.roundRect(box.x1, box.y1, box.x2 - box.x1, box.y2 - box.y1, 3);
  context.fill();
  context.globalAlpha = 1;
  context.fillStyle = overdue === null ? palette.ink3 : palette.overdue;
  fillShape(context, [x + 4, y - 5, x + 9, y, x + 4, y + 5, x - 1, y]);
  context.textAlign = 'left';
  context.font = palette.strongFont;
  context.fillText(strong, x + 14, y + 0.5);
  context.font = palette.font;
  context.fillStyle = palette.ink2;
  context.fillText(rest, restX, y + 0.5);
}

export function drawFlags({ context, palette }: DrawingContext, { named }: Scene): void {
  context.textAlign = 'left';
  for (const { x, y, strong, rest, textX, restX, endX } of named.flags) {
    context.fillStyle = palette.panel;
    context.globalAlpha = 0.9;
    // Drawn only behind the text, so that a glyph near now does not cover the line.
    context.fillRect(textX - 2, y - 7, endX - textX + 5, 14);
    context.globalAlpha = 1;
    context.fillStyle = palette.ink;
    fillShape(context, cliffGlyph(x - 5, y - 4.5));
    context.font = palette.strongFont;
    context.fillText(strong, textX, y + 0.5);
    context.font = palette.font;
    context.fillStyle = palette.ink2;
    context.fillText(rest, restX, y + 0.5);
  }
  context.fillStyle = palette.ink2;
  for (const { x, y } of named.marks) triangle(context, x, y, 3.5, 5);
}

/** Draws a step down, the outline of the icon of a cliff. */
const CLIFF = [0, 0, 5.5, 0, 5.5, 8, 10, 8, 10, 9.5, 4, 9.5, 4, 1.5, 0, 1.5];
const cliffGlyph = (x: number, y: number) => CLIFF.map((value, index) => value + (index % 2 === 0 ? x : y));

/** Draws the mark downwards from its upper edge. */
function triangle(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  half: number,
  height: number,
): void {
  fillShape(context, [x - half, y, x + half, y, x, y + height]);
}

function fillShape(context: CanvasRenderingContext2D, points: readonly number[]): void {
  context.beginPath();
  for (let i = 0; i < points.length; i += 2) context.lineTo(points[i] ?? 0, points[i + 1] ?? 0);
  context.fill();
}
