import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { ChartColours } from './chart-colours.ts';
import type { Margins, Plot } from './plot.ts';
import { Surface } from './surface.ts';

export type Paint = (context: CanvasRenderingContext2D, plot: Plot, palette: ChartColours) => void;

/**
 * Draws on a canvas, and again when its size, its density, the theme or `paint` changes. `margins` must stay constant.
 */
export function useSurface(
  margins: Margins,
  paint: Paint,
): { canvas: RefObject<HTMLCanvasElement | null>; plot: Plot | null } {
  const canvas = useRef<HTMLCanvasElement>(null);
  const surface = useRef<Surface | null>(null);
  const latestPaint = useRef(paint);
  const [plot, setPlot] = useState<Plot | null>(null);

  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!canvas.current || !context) return;
    const draw = () => {
      setPlot(created.plot);
      drawOn(created, latestPaint.current);
    };
    const created = new Surface(canvas.current, context, margins, draw);
    surface.current = created;
    setPlot(created.plot);
    return () => {
      surface.current = null;
      created.end();
    };
  }, [margins]);

  useLayoutEffect(() => {
    latestPaint.current = paint;
    if (surface.current !== null) drawOn(surface.current, paint);
  }, [paint]);

  return { canvas, plot };
}

function drawOn(surface: Surface, paint: Paint): void {
  surface.clear();
  if (surface.plot !== null) paint(surface.context, surface.plot, surface.palette);
}
