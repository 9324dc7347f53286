import type { Part } from './bucket-parts.ts';
import type { Rects } from './rects.ts';

/** Merges overdue bands of one bar that touch into one outline, because their series are shown elsewhere. */
export function addOverdueRect(
  late: Rects,
  part: Part,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  const at = late.length - 4;
  const [lastX, lastY, lastWidth, lastHeight] = late.slice(at);
  const joins =
    part.low > 0 &&
    lastX === x &&
    lastWidth === width &&
    lastY !== undefined &&
    lastHeight !== undefined &&
    Math.abs(y + height - lastY) < 0.01;
  if (joins) late.splice(at, 4, x, y, width, height + lastHeight);
  else late.push(x, y, width, height);
}
