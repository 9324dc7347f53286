import { roundStep } from '../../../components/canvas-chart/scale.ts';

/**
 * The vertical scale: linear, always, and set by the ordinary. A bucket that towers over its neighbours does not flatten
 * the rest: it is torn, and says its count.
 */

/** What the scale does not reach; a total above it is drawn torn. */
export const TORN_ABOVE = 0.985;
/** Room above the highest whole bar, for flags. */
const HEADROOM = 1.26;
const LEAST_SCALE = 4;

/** More would crowd the plot; a fraction, since the line at the top is left out. */
const MOST_GRID_LINES = 4.4;

/** At most this share of the buckets (the highest) is left out of what counts as ordinary. */
const ORDINARY = 0.92;

/** Buckets next to each other in time; empty ones count, so a lone bucket amid nothing stands. */
export function standing(totals: readonly number[]): boolean[] {
  return totals.map((total, index) => {
    if (total <= 3) return false;
    const neighbours = [
      ...totals.slice(Math.max(0, index - 4), index),
      ...totals.slice(index + 1, index + 5),
    ];
    return total > 1.9 * quantile(neighbours, 0.5) + 3;
  });
}

/** The count at the top of the plot. `totals` are the buckets in view, in order, empty ones included. */
export function scaleFor(totals: readonly number[], stands: readonly boolean[] = standing(totals)): number {
  const ordinary = quantile(
    totals.filter(total => total > 0),
    ORDINARY,
  );
  // Small counts vary by their root: without it, chance alone would be torn.
  const cut = Math.max(ordinary * 1.5, ordinary + 4 * Math.sqrt(ordinary), 6);
  let highest = LEAST_SCALE;
  totals.forEach((total, index) => {
    if (total > highest && !(stands[index] && total > cut)) highest = total;
  });
  return highest * HEADROOM;
}

/** The lower of the two values a share falls between; 0 of nothing. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}

/** Counts of the grid lines below the top of the plot: whole documents, five at most. */
export function gridCounts(scale: number): number[] {
  const step = roundStep(scale / MOST_GRID_LINES, true);
  const counts: number[] = [];
  for (let count = step; count < scale * 0.99; count += step) counts.push(count);
  return counts;
}

/** A scale that follows its target, so that bars keep their place for the eye while the figures beside them change. */
export class EasedScale {
  /** Count at the top of the plot. */
  value = LEAST_SCALE * HEADROOM;
  #bucketMs = 0;
  #settled = false;

  /**
   * One frame towards what is in view. `elapsedMs` null: jump. True while the scale moves.
   * With nothing in view it stays, and takes the next thing's scale at once.
   */
  follow(
    shown: readonly { readonly total: number; readonly stands: boolean }[],
    bucketMs: number,
    elapsedMs: number | null,
  ): boolean {
    const before = this.value;
    // Longer buckets count more: the same flow keeps its height while the zoom changes.
    if (this.#bucketMs !== 0) this.value *= bucketMs / this.#bucketMs;
    this.#bucketMs = bucketMs;
    if (shown.every(slot => slot.total === 0)) {
      this.#settled = false;
      return false;
    }
    const target = scaleFor(
      shown.map(slot => slot.total),
      shown.map(slot => slot.stands),
    );
    this.value = elapsedMs === null || !this.#settled ? target : ease(this.value, target, elapsedMs);
    this.#settled = true;
    return this.value !== before;
  }
}

const EASING_MS = 110;

/** One step of easing towards a target; within half a percent it is there. */
export function ease(current: number, target: number, elapsedMs: number): number {
  const next = current + (target - current) * (1 - Math.exp(-elapsedMs / EASING_MS));
  return Math.abs(next - target) < target * 0.005 ? target : next;
}
