import { type ChartColours, readChartColours } from './chart-colours.ts';
import { HatchPatterns } from './hatch-patterns.ts';
import { type Margins, type Plot, plotWithin } from './plot.ts';
import { TextMeasure } from './text-measure.ts';

/** A canvas with everything that depends on its size, the display's density and the theme. */
export class Surface {
  readonly canvas: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
  readonly measure: TextMeasure;
  palette: ChartColours;
  hatch: HatchPatterns;
  /** Device pixels per CSS pixel. */
  density = 1;
  /** Null while the element has no size. */
  plot: Plot | null = null;
  readonly #margins: Margins;
  readonly #ended = new AbortController();
  readonly #resizes: ResizeObserver;
  readonly #themes: MutationObserver;

  /**
   * Calls `redraw` at once after a change of the size (which empties the canvas), of the theme, and of the loaded
   * fonts.
   */
  constructor(
    canvas: HTMLCanvasElement,
    context: CanvasRenderingContext2D,
    margins: Margins,
    redraw: () => void,
  ) {
    this.canvas = canvas;
    this.context = context;
    this.#margins = margins;
    this.palette = readChartColours(canvas);
    this.hatch = new HatchPatterns(this.density, this.palette);
    this.measure = new TextMeasure(context, this.palette);
    this.#resizes = new ResizeObserver(() => {
      if (this.#fit()) redraw();
    });
    this.#resizes.observe(canvas);
    const repaint = () => {
      this.palette = readChartColours(canvas);
      this.hatch = new HatchPatterns(this.density, this.palette);
      this.measure.use(this.palette);
      redraw();
    };
    this.#themes = new MutationObserver(repaint);
    this.#themes.observe(document.documentElement, { attributeFilter: ['data-theme', 'class', 'style'] });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint, {
      signal: this.#ended.signal,
    });
    // A canvas shows texts in the fallback font until it is drawn again.
    document.fonts.addEventListener('loadingdone', repaint, { signal: this.#ended.signal });
    this.#fit();
  }

  /** Empties the canvas, and scales its context so that coordinates are CSS pixels. */
  clear(): void {
    this.context.setTransform(this.density, 0, 0, this.density, 0, 0);
    if (this.plot !== null) this.context.clearRect(0, 0, this.plot.width, this.plot.height);
  }

  end(): void {
    this.#ended.abort();
    this.#resizes.disconnect();
    this.#themes.disconnect();
  }

  #fit(): boolean {
    const { width, height } = this.canvas.getBoundingClientRect();
    const density = window.devicePixelRatio || 1;
    const [pixelsWide, pixelsHigh] = [Math.round(width * density), Math.round(height * density)];
    const same =
      this.canvas.width === pixelsWide && this.canvas.height === pixelsHigh && this.density === density;
    if (same && this.plot !== null) return false;
    this.density = density;
    this.plot = width > 0 && height > 0 ? plotWithin(width, height, this.#margins) : null;
    this.canvas.width = pixelsWide;
    this.canvas.height = pixelsHigh;
    this.hatch = new HatchPatterns(density, this.palette);
    return this.plot !== null;
  }
}
