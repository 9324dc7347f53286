import { hatchPeriod } from '../../../components/canvas-chart/hatch-patterns.ts';
import { clip, pixelsPerMs, type View, xOf } from '../../../components/canvas-chart/plot.ts';
import { TORN_ABOVE } from '../model/bar-scale.ts';
import type { Slot } from '../model/buckets.ts';
import type { ReaperProgress } from '../model/reaper-progress.ts';
import { barHeight, partsOf, splitsIntoBlocks } from './bucket-parts.ts';
import { addOverdueRect } from './overdue-rects.ts';
import type { Rects } from './rects.ts';

export interface Tear {
  readonly x1: number;
  readonly x2: number;
  readonly y: number;
}

/** A drawn bar, to place its flag. */
export interface DrawnBar {
  readonly slot: Slot;
  readonly x1: number;
  readonly x2: number;
  readonly top: number;
  /** Documents of its highest part: all of the bucket, unless now divides it unevenly. */
  readonly count: number;
  /** Middle of that part. */
  readonly flagX: number;
  readonly torn: boolean;
}

export interface BarScene {
  /** By series: expired documents. */
  readonly solid: readonly Rects[];
  /** By series: documents that are due. */
  readonly hatched: readonly Rects[];
  /** By series: the upper edge of due documents, which the hatching alone would not show clearly. */
  readonly caps: readonly Rects[];
  /** By series: the sides of due documents, if bars are wide enough. */
  readonly sides: readonly Rects[];
  /** Overdue documents. */
  readonly late: Rects;
  /** Lines that split bars into one block per document. */
  readonly seams: Rects;
  readonly tears: readonly Tear[];
  readonly drawn: readonly DrawnBar[];
  readonly blocks: boolean;
  /** Start of the hatch tile, which moves with the bars, CSS pixels. */
  readonly hatchX: number;
}

const CAP = 1.25;
/** A narrower outline would be blurred, CSS pixels. */
const LEAST_OUTLINE = 2;
/** Gap between two bands of a bar, CSS pixels. */
const HAIRLINE = 0.6;
const TEAR_BELOW_TOP = 12;
/** Least width of a part of a bar beside now, whose line covers a pixel of it, CSS pixels. */
const LEAST_PART = 3;

export interface BarSceneInput {
  readonly slots: readonly Slot[];
  readonly seriesCount: number;
  readonly view: View;
  readonly now: number;
  readonly progress: ReaperProgress;
  readonly scale: number;
  readonly preview: boolean;
  /** Device pixels per CSS pixel. */
  readonly density: number;
}

export function barScene(input: BarSceneInput): BarScene {
  const { slots, view, now, progress, scale, preview, density } = input;
  const { plot } = view;
  const room = plot.bottom - plot.top;
  const perSeries = () => Array.from({ length: input.seriesCount }, (): Rects => []);
  const solid = perSeries();
  const hatched = perSeries();
  const caps = perSeries();
  const sides = perSeries();
  const late: Rects = [];
  const seams: Rects = [];
  const tears: Tear[] = [];
  const drawn: DrawnBar[] = [];
  const blocks = splitsIntoBlocks(scale, room);
  const first = slots[0];
  const width = first === undefined ? 0 : (first.toAt - first.fromAt) * pixelsPerMs(view);
  const space = width > 12 ? 2 : width > 5 ? 1 : 0;
  // Edges of adjacent bars at fractions of a pixel would show stripes, so bars begin on whole device pixels.
  const snap = (x: number) => (space === 0 ? Math.round(x * density) / density : x);

  for (const slot of slots) {
    if (slot.total === 0 || clip(view, slot.fromAt, slot.toAt) === null) continue;
    const parts = partsOf(slot, { now, reapedTo: progress.reapedTo }).filter(
      ({ kind }) => !preview || kind === 'due',
    );
    // If now divides the bucket, each part is lower than the whole.
    const tallest = parts.reduce((most, { high }) => Math.max(most, high), 0);
    const { unit, torn } = barHeight(tallest, scale, room, TORN_ABOVE);
    const left = snap(xOf(view, slot.fromAt)) + space / 2;
    const right = snap(xOf(view, slot.toAt)) - space / 2;
    let [drawnLeft, drawnRight] = [right, left];
    /** Height of each filled part by its edges, documents. */
    const filled = new Map<string, { x1: number; x2: number; high: number }>();
    let highest = { high: 0, x1: right, x2: left };
    for (const part of parts) {
      // A part that is cut off beside now is widened away from it: ten million documents that expired a second ago must not
      // vanish behind its line.
      const least = Math.min(LEAST_PART, width);
      const from = Math.max(left, xOf(view, part.fromAt));
      const to = Math.min(right, xOf(view, part.toAt));
      const beginsWithin = part.fromAt > slot.fromAt;
      const endsWithin = part.toAt < slot.toAt;
      let [x1, x2] = [beginsWithin ? from : left, endsWithin ? to : right];
      if (endsWithin && !beginsWithin) x1 = Math.min(x1, x2 - least);
      if (beginsWithin && !endsWithin) x2 = Math.max(x2, x1 + least);
      if (x2 - x1 < 0.2) continue;
      drawnLeft = Math.min(drawnLeft, x1);
      drawnRight = Math.max(drawnRight, x2);
      if (part.high > highest.high) highest = { high: part.high, x1, x2 };
      else if (part.high === highest.high)
        highest = { ...highest, x1: Math.min(highest.x1, x1), x2: Math.max(highest.x2, x2) };
      if (part.kind !== 'late') filled.set(`${x1} ${x2}`, { x1, x2, high: part.high });
      // At least one pixel, so that a few documents beside many stay visible.
      const height = Math.max((part.high - part.low) * unit, part.low === 0 ? 1 : 0);
      const y = plot.bottom - part.low * unit - height;
      if (part.kind === 'expired') {
        solid[part.series]?.push(x1, y, x2 - x1, height - (height > 3 ? HAIRLINE : 0));
      } else if (part.kind === 'late') {
        if (x2 - x1 >= LEAST_OUTLINE) addOverdueRect(late, part, x1, y, x2 - x1, height);
      } else {
        hatched[part.series]?.push(x1, y, x2 - x1, height);
        caps[part.series]?.push(x1, y, x2 - x1, Math.min(CAP, height));
        if (width > 9) {
          if (x1 === left) sides[part.series]?.push(x1, y, 1, height);
          sides[part.series]?.push(x2 - 1, y, 1, height);
        }
      }
    }
    if (drawnRight <= drawnLeft) continue;
    const top = plot.bottom - highest.high * unit;
    const flagX = (highest.x1 + highest.x2) / 2;
    drawn.push({ slot, x1: drawnLeft, x2: drawnRight, top, count: highest.high, flagX, torn });
    if (torn) tears.push({ x1: left, x2: right, y: top + TEAR_BELOW_TOP });
    else if (blocks)
      for (const { x1, x2, high } of filled.values())
        for (let document = 1; document < high; document++)
          seams.push(x1, Math.round(plot.bottom - document * unit), x2 - x1, 1);
  }
  const hatchX = modulo(xOf(view, 0), hatchPeriod(density) / density);
  return { solid, hatched, caps, sides, late, seams, tears, drawn, blocks, hatchX };
}

const modulo = (value: number, by: number) => ((value % by) + by) % by;
