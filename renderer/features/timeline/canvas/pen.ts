import type { HatchPatterns } from '../../../components/canvas-chart/hatch-patterns.ts';
import type { Palette } from '../../../components/canvas-chart/chart-colours.ts';

/** The context and colours of every drawing function. Coordinates are CSS pixels: the context is scaled by the caller. */
export interface Pen {
  readonly context: CanvasRenderingContext2D;
  readonly palette: Palette;
  readonly hatch: HatchPatterns;
}
