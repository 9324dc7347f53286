import type { ChartColours } from './chart-colours.ts';

/** Approximate distance of two hatch lines, CSS pixels: they are cut on whole device pixels. */
const HATCH = 6;

/** Returns the distance of two hatch lines in device pixels; `density` is device pixels per CSS pixel. */
export const hatchPeriod = (density: number): number => Math.max(1, Math.round(HATCH * density));

/** Hatch lines in one tile: a larger tile is copied in longer runs. */
const REPEATS = 8;

/**
 * The texture of what is due: diagonal lines on a tint of the series' colour. Half of the plot is hatched, and without
 * a graphics card hatching takes most of a frame. Therefore tiles are opaque, sized in device pixels and placed on
 * whole ones, so that they are copied, not blended or resampled. On a software canvas of 1500 × 950 this is the
 * difference between 6 ms and 1 ms. Bars still slide by fractions of a pixel; their texture follows within half of one.
 */
export class HatchPatterns {
  readonly #density: number;
  readonly #palette: ChartColours;
  readonly #kept = new Map<string, CanvasPattern>();

  constructor(density: number, palette: ChartColours) {
    this.#density = density;
    this.#palette = palette;
  }

  /** Returns the pattern with its tile starting near a point of the canvas, in CSS pixels. */
  at(context: CanvasRenderingContext2D, colour: string, x: number, y: number): CanvasPattern | string {
    const pattern = this.#kept.get(colour) ?? this.#cut(context, colour);
    if (pattern === null) return colour;
    this.#kept.set(colour, pattern);
    const snap = (at: number) => Math.round(at * this.#density) / this.#density;
    const shrink = 1 / this.#density;
    pattern.setTransform(new DOMMatrix([shrink, 0, 0, shrink, snap(x), snap(y)]));
    return pattern;
  }

  #cut(context: CanvasRenderingContext2D, colour: string): CanvasPattern | null {
    const hatch = hatchPeriod(this.#density);
    const canvas = document.createElement('canvas');
    canvas.width = hatch * REPEATS;
    canvas.height = hatch * REPEATS;
    const tile = canvas.getContext('2d', { alpha: false });
    if (tile === null) return null;
    const { dark, panel } = this.#palette;
    const side = hatch * REPEATS;
    tile.fillStyle = panel;
    tile.fillRect(0, 0, side, side);
    tile.globalAlpha = dark ? 0.2 : 0.15;
    tile.fillStyle = colour;
    tile.fillRect(0, 0, side, side);
    tile.globalAlpha = dark ? 0.85 : 0.8;
    tile.strokeStyle = colour;
    tile.lineWidth = 1.1 * this.#density;
    tile.beginPath();
    // Starts one tile to the left, for the diagonals that enter there.
    for (let at = -side; at < side; at += hatch) {
      tile.moveTo(at - hatch, side + hatch);
      tile.lineTo(at + side + hatch, -hatch);
    }
    tile.stroke();
    return context.createPattern(canvas, 'repeat');
  }
}
