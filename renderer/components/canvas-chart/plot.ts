/** The part of a canvas that data is drawn in, and the size of the canvas, in CSS pixels. */
export interface Plot {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  /** The base line. */
  readonly bottom: number;
}

/** Room around a plot for labels, in CSS pixels. */
export interface Margins {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Returns a plot of at least one pixel, also where the margins leave none. */
export function plotWithin(width: number, height: number, { left, right, top, bottom }: Margins): Plot {
  return {
    width,
    height,
    left,
    right: Math.max(left + 1, width - right),
    top,
    bottom: Math.max(top + 1, height - bottom),
  };
}

/** The time shown: `span` ms across the plot, beginning at `from`. */
export interface View {
  readonly from: number;
  readonly span: number;
  readonly plot: Plot;
}

export function viewAt(now: number, { span, nowAt }: { span: number; nowAt: number }, plot: Plot): View {
  return { from: now - span * nowAt, span, plot };
}

export const pixelsPerMs = ({ plot, span }: View): number => (plot.right - plot.left) / span;

export function xOf(view: View, at: number): number {
  return view.plot.left + (at - view.from) * pixelsPerMs(view);
}

export function instantAt(view: View, x: number): number {
  return view.from + (x - view.plot.left) / pixelsPerMs(view);
}

/** Returns a time span in pixels, cut to the plot; null if none of it is in view. */
export function clip(view: View, fromAt: number, toAt: number): { x1: number; x2: number } | null {
  const x1 = Math.max(view.plot.left, xOf(view, fromAt));
  const x2 = Math.min(view.plot.right, xOf(view, toAt));
  return x2 > x1 ? { x1, x2 } : null;
}
