import { instantAt, type Margins, type Plot, type View, xOf } from '../../../components/canvas-chart/plot.ts';
import { instantOf, MINUTE_MS } from './grid.ts';

/** Room for figures at the left and times below. */
export const CHART_MARGINS: Margins = { left: 54, right: 12, top: 6, bottom: 20 };

/** Returns the x of the minute at `index` of the grid, CSS pixels. */
export const minuteX = (view: View, index: number): number => xOf(view, instantOf(view, index));

/** Returns the index of the minute nearest to `x`, in a grid of `count` minutes. */
export function indexAt(view: View, x: number, count: number): number {
  const index = Math.round((instantAt(view, x) - view.from) / MINUTE_MS);
  return Math.min(count - 1, Math.max(0, index));
}

export const yOf = ({ top, bottom }: Plot, height: number): number => bottom - height * (bottom - top);

/** Returns runs of neighbouring values, split at gaps. */
export function runsOf(values: readonly (number | null)[]): { start: number; values: number[] }[] {
  const runs: { start: number; values: number[] }[] = [];
  let open: { start: number; values: number[] } | null = null;
  values.forEach((value, index) => {
    if (value === null) {
      open = null;
      return;
    }
    if (open === null) {
      open = { start: index, values: [] };
      runs.push(open);
    }
    open.values.push(value);
  });
  return runs;
}

/**
 * Returns the minute that a key moves the crosshair to, `gone` to hide it, null for any other key. A hidden crosshair
 * starts at the end.
 */
export function crosshairAfterKey(
  key: string,
  index: number | null,
  count: number,
  large: boolean,
): number | null | 'gone' {
  const at = index ?? count - 1;
  const step = large ? 10 : 1;
  const clamp = (to: number) => Math.min(count - 1, Math.max(0, to));
  switch (key) {
    case 'ArrowLeft':
      return clamp(at - step);
    case 'ArrowRight':
      return clamp(at + step);
    case 'PageUp':
      return clamp(at - 10);
    case 'PageDown':
      return clamp(at + 10);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    case 'Escape':
      return index === null ? null : 'gone';
    default:
      return null;
  }
}
