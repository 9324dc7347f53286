import type { Slot } from '../model/buckets.ts';

/**
 * A bucket is drawn as area. Across: its part before the cutoff, the gap between the cutoff and now, its part after now.
 * Up: one band per series. A part is drawn only where there is something it can stand for, so a bucket whose documents
 * have all left shows nothing right of now, and one that was empty when the line reached it shows no past.
 */
export type PartKind = 'expired' | 'late' | 'due';

export interface Part {
  readonly kind: PartKind;
  readonly series: number;
  /** Instants. */
  readonly fromAt: number;
  readonly toAt: number;
  /** Counts above the base line. */
  readonly low: number;
  readonly high: number;
}

/** How far each series has been reaped, and now. In a preview nothing has been, and only what is due is drawn. */
export interface Progress {
  readonly now: number;
  readonly reapedTo: (series: number) => number;
}

export function partsOf(slot: Slot, { now, reapedTo }: Progress): Part[] {
  const parts: Part[] = [];
  const add = (kind: PartKind, series: number, fromAt: number, toAt: number, low: number, height: number) => {
    if (toAt > fromAt && height > 0) parts.push({ kind, series, fromAt, toAt, low, high: low + height });
  };
  const pastEnd = Math.min(slot.toAt, Math.max(slot.fromAt, now));
  let low = 0;
  let dueLow = 0;
  for (let series = 0; series < slot.expired.length; series++) {
    const expired = slot.expired[series] ?? 0;
    const due = slot.due[series] ?? 0;
    const total = expired + due;
    // With nothing left of it, the reaper is through with this bucket's past, however far the cutoff says it got.
    const cut = due === 0 ? pastEnd : Math.min(pastEnd, Math.max(slot.fromAt, reapedTo(series)));
    if (pastEnd === slot.toAt && (cut === slot.fromAt || cut === slot.toAt)) {
      // Wholly past and not crossed by the cutoff: what left below, what stayed on top of it.
      add('expired', series, slot.fromAt, slot.toAt, low, expired);
      add('late', series, slot.fromAt, slot.toAt, low + expired, due);
    } else {
      const [gone, left] = isUneven(slot, expired, due, cut, pastEnd) ? [expired, due] : [total, total];
      if (expired > 0) add('expired', series, slot.fromAt, cut, low, gone);
      if (due > 0) add('late', series, cut, pastEnd, low, gone);
      if (due > 0) add('due', series, pastEnd, slot.toAt, dueLow, left);
      low += gone;
      dueLow += left;
      continue;
    }
    low += total;
  }
  return parts;
}

/** Further than this from an even share of what is left, in standard deviations, chance explains nothing. */
const UNLIKELY = 3;
/** A gap of this share of the bucket is a lag: what is left of it says nothing of how it was spread. */
const LAG_SHARE = 0.05;

/**
 * Documents spread evenly keep the bar's height while the line crosses it. Where nearly all of them stood on one side of
 * now, that height would be claimed for the few on the other: then each side is as high as its own count.
 */
function isUneven(slot: Slot, expired: number, due: number, cut: number, pastEnd: number): boolean {
  const length = slot.toAt - slot.fromAt;
  if (expired === 0 || due === 0 || pastEnd === slot.toAt || pastEnd - cut > LAG_SHARE * length) return false;
  const total = expired + due;
  const ahead = (slot.toAt - pastEnd) / length;
  return Math.abs(due - total * ahead) > UNLIKELY * Math.sqrt(total * ahead * (1 - ahead));
}

/** How a bar of `total` documents stands in a plot of a height, at a scale. */
export interface BarHeight {
  /** Pixels per document of this bar: less than the scale's where it is torn, more where it would vanish. */
  readonly unit: number;
  readonly torn: boolean;
}

/** Free height above a torn bar: its flag stands there. */
const TORN_BELOW_TOP = 16;

export function barHeight(total: number, scale: number, plotHeight: number, tornAbove: number): BarHeight {
  if (total > scale * tornAbove) return { unit: (plotHeight - TORN_BELOW_TOP) / total, torn: true };
  // Something is never nothing: one pixel stands for any count too small for the scale.
  return { unit: Math.max(plotHeight / scale, 1 / Math.max(1, total)), torn: false };
}

/** From this height on, documents are drawn one block each. */
const BLOCK_HEIGHT = 4.5;

export const splitsIntoBlocks = (scale: number, plotHeight: number): boolean =>
  plotHeight / scale >= BLOCK_HEIGHT;
