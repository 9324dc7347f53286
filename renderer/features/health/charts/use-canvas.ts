import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useIsDark } from '../../../theme/theme.ts';
import type { Look } from './draw.ts';
import { type Plot, plotOf } from './geometry.ts';
import { readLook } from './look.ts';

/** Draws on a canvas of the element's size and the display's density: again when either, the theme or `paint` changes. */
export function useCanvas(paint: (context: CanvasRenderingContext2D, plot: Plot, look: Look) => void): {
  canvas: RefObject<HTMLCanvasElement | null>;
  plot: Plot | null;
} {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState<{ width: number; height: number; density: number } | null>(null);
  const isDark = useIsDark();

  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const measure = () => {
      const { width, height } = element.getBoundingClientRect();
      const density = window.devicePixelRatio || 1;
      if (width === 0 || height === 0) return;
      setSize(before =>
        before?.width === width && before.height === height && before.density === density
          ? before
          : { width, height, density },
      );
    };
    const resizes = new ResizeObserver(measure);
    resizes.observe(element);
    measure();
    return () => resizes.disconnect();
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (element === null || size === null || !context) return;
    const { width, height, density } = size;
    element.width = Math.round(width * density);
    element.height = Math.round(height * density);
    context.scale(density, density);
    paint(context, plotOf(width, height), readLook(element));
  }, [paint, size, isDark]);

  const plot = useMemo(() => (size === null ? null : plotOf(size.width, size.height)), [size]);
  return { canvas, plot };
}
