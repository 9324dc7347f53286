/** Where a chart stands in its canvas, in CSS pixels. */
export interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Room for figures at the left and the time below. */
export function plotOf(width: number, height: number): Plot {
  const left = 54;
  const top = 6;
  return { left, right: Math.max(left + 1, width - 12), top, bottom: Math.max(top + 1, height - 20) };
}

/** `count` minutes share the width, the first at the left edge, the last at the right. */
export function xOf({ left, right }: Plot, index: number, count: number): number {
  return count <= 1 ? right : left + (index / (count - 1)) * (right - left);
}

/** The nearest minute. */
export function indexAt({ left, right }: Plot, x: number, count: number): number {
  const index = Math.round(((x - left) / (right - left)) * (count - 1));
  return Math.min(count - 1, Math.max(0, index));
}

export const yOf = ({ top, bottom }: Plot, height: number): number => bottom - height * (bottom - top);

/** Runs of neighbouring values: what lies between two runs is not drawn. */
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

/** Where the crosshair goes when a key is pressed; null: this key is not for it. From nowhere it begins at the end. */
export function afterKey(
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
