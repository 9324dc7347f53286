import { HATCH_TILE } from './barScene.ts';

/**
 * The texture of what is not yet: diagonal lines on a tint of the series' colour. Tiles are cut in device pixels, so that
 * lines stay sharp at any density, and kept per colour.
 */
export class HatchPatterns {
  readonly #density: number;
  readonly #dark: boolean;
  readonly #kept = new Map<string, CanvasPattern>();

  constructor(density: number, dark: boolean) {
    this.#density = density;
    this.#dark = dark;
  }

  /** The pattern with its tile beginning at a point of the canvas, in CSS pixels. */
  at(context: CanvasRenderingContext2D, colour: string, x: number, y: number): CanvasPattern | string {
    const pattern = this.#kept.get(colour) ?? this.#cut(context, colour);
    if (pattern === null) return colour;
    this.#kept.set(colour, pattern);
    const shrink = HATCH_TILE / this.#tile;
    pattern.setTransform(new DOMMatrix([shrink, 0, 0, shrink, x, y]));
    return pattern;
  }

  get #tile(): number {
    return Math.max(1, Math.round(HATCH_TILE * this.#density));
  }

  #cut(context: CanvasRenderingContext2D, colour: string): CanvasPattern | null {
    const canvas = document.createElement('canvas');
    canvas.width = this.#tile;
    canvas.height = this.#tile;
    const tile = canvas.getContext('2d');
    if (tile === null) return null;
    const n = HATCH_TILE;
    tile.scale(this.#tile / n, this.#tile / n);
    tile.globalAlpha = this.#dark ? 0.2 : 0.15;
    tile.fillStyle = colour;
    tile.fillRect(0, 0, n, n);
    tile.globalAlpha = this.#dark ? 0.85 : 0.8;
    tile.strokeStyle = colour;
    tile.lineWidth = 1.1;
    // Three strokes: the neighbours' reach into this tile's corners, or the diagonal would be notched there.
    for (const shift of [-n, 0, n]) {
      tile.beginPath();
      tile.moveTo(shift - 1, n + 1);
      tile.lineTo(shift + n + 1, -1);
      tile.stroke();
    }
    return context.createPattern(canvas, 'repeat');
  }
}
