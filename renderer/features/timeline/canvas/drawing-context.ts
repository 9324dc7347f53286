import type { ChartColours } from '../../../components/canvas-chart/chart-colours.ts';
import type { HatchPatterns } from '../../../components/canvas-chart/hatch-patterns.ts';

/** The context and colours of every drawing function. Coordinates are CSS pixels: the context is scaled by the caller. */
export interface DrawingContext {
  readonly context: CanvasRenderingContext2D;
  readonly palette: ChartColours;
  readonly hatch: HatchPatterns;
}
