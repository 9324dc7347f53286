import type { ChartColours } from '../../../components/canvas-chart/chart-colours.ts';
import { colourAt } from '../../../components/figures/series-colours.ts';

/** A position in the palette of series, from 0, or the colour of overdue documents. */
export type LineColour = number | 'overdue';

export const cssColour = (colour: LineColour): string =>
  colour === 'overdue' ? 'var(--overdue-fill)' : colourAt(colour);

export const canvasColour = (colour: LineColour, palette: ChartColours): string =>
  colour === 'overdue' ? palette.overdueFill : (palette.series[colour] ?? palette.ink3);
