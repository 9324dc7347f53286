import { roundStep } from '../../../components/canvas-chart/scale.ts';

/**
 * The vertical scale: linear, and set by ordinary buckets. A bucket much higher than its neighbours does not flatten
 * them: it is drawn torn, with its count.
 */

/** Share of the scale; a bar above it is drawn torn. */
export const TORN_ABOVE = 0.985;
/** Room above the highest whole bar, for flags, as a factor. */
const HEADROOM = 1.26;
const LEAST_SCALE = 4;

/** Most grid lines; more would crowd the plot. A fraction, because the line at the top is left out. */
const MOST_GRID_LINES = 4.4;

/** Quantile of the totals that counts as ordinary. */
const ORDINARY = 0.92;

/**
 * Returns which buckets are much higher than their neighbours in time. Empty neighbours count as 0, so that a single
 * bucket is found.
 */
export function toweringBuckets(totals: readonly number[]): boolean[] {
  return totals.map((total, index) => {
    if (total <= 3) return false;
    const neighbours = [
      ...totals.slice(Math.max(0, index - 4), index),
      ...totals.slice(index + 1, index + 5),
    ];
    return total > 1.9 * quantile(neighbours, 0.5) + 3;
  });
}

/**
 * Returns the count at the top of the plot. `totals`: the buckets in view, in order, with empty ones.
 * @internal
 */
export function scaleFor(
  totals: readonly number[],
  stands: readonly boolean[] = toweringBuckets(totals),
): number {
  const ordinary = quantile(
    totals.filter(total => total > 0),
    ORDINARY,
  );
  // Small counts vary by their square root: without this term, random variation would tear bars.
  const cut = Math.max(ordinary * 1.5, ordinary + 4 * Math.sqrt(ordinary), 6);
  let highest = LEAST_SCALE;
  totals.forEach((total, index) => {
    if (total > highest && !(stands[index] && total > cut)) highest = total;
  });
  return highest * HEADROOM;
}

/**
 * Returns a quantile, the lower of two values; 0 without values.
 * @internal
 */
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

/** A scale that follows its target gradually, so that bars do not jump. */
export class EasedScale {
  /** Count at the top of the plot. */
  value = LEAST_SCALE * HEADROOM;
  #bucketMs = 0;
  #settled = false;

  /**
   * Moves one frame towards the target of the buckets in view. `elapsedMs` null: at once. Returns whether the scale
   * moves. With no documents in view the scale does not change, and the next target is reached at once.
   */
  follow(
    shown: readonly { readonly highest: number; readonly stands: boolean }[],
    bucketMs: number,
    elapsedMs: number | null,
  ): boolean {
    const before = this.value;
    // Proportional to the bucket length: a constant rate keeps its height while the zoom changes.
    if (this.#bucketMs !== 0) this.value *= bucketMs / this.#bucketMs;
    this.#bucketMs = bucketMs;
    if (shown.every(slot => slot.highest === 0)) {
      this.#settled = false;
      return false;
    }
    const target = scaleFor(
      shown.map(slot => slot.highest),
      shown.map(slot => slot.stands),
    );
    this.value = elapsedMs === null || !this.#settled ? target : ease(this.value, target, elapsedMs);
    this.#settled = true;
    return this.value !== before;
  }
}

const EASING_MS = 110;

/**
 * Moves one step towards the target, and ends within half a percent of it.
 * @internal
 */
export function ease(current: number, target: number, elapsedMs: number): number {
  const next = current + (target - current) * (1 - Math.exp(-elapsedMs / EASING_MS));
  return Math.abs(next - target) < target * 0.005 ? target : next;
}
