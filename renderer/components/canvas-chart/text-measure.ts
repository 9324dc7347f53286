import type { ChartColours } from './chart-colours.ts';
import type { Measure } from './labels.ts';

/** Most cached texts, more than one screen shows. Limited because labels with times keep changing. */
const KEPT = 800;

/** Caches the widths of texts: measuring costs more than drawing. */
export class TextMeasure {
  readonly #context: CanvasRenderingContext2D;
  readonly #kept = new Map<string, number>();
  #palette: ChartColours;

  constructor(context: CanvasRenderingContext2D, palette: ChartColours) {
    this.#context = context;
    this.#palette = palette;
  }

  use(palette: ChartColours): void {
    this.#palette = palette;
    this.#kept.clear();
  }

  readonly width: Measure = (text, strong) => {
    const key = strong ? `*${text}` : text;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    if (this.#kept.size >= KEPT) this.#kept.clear();
    this.#context.font = strong ? this.#palette.strongFont : this.#palette.font;
    const { width } = this.#context.measureText(text);
    this.#kept.set(key, width);
    return width;
  };
}
