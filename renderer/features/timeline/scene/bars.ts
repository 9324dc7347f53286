import type { Slot } from '../model/buckets.ts';

/**
 * A bucket is drawn as area. Horizontally: the part before the cutoff, the gap between the cutoff and now, the part
 * after now. Vertically: one band per series. A part is drawn only if it can hold documents, so a bucket whose
 * documents were all removed has no part after now, and one that was empty at now has none before it.
 */
export type PartKind = 'expired' | 'late' | 'due';

export interface Part {
  readonly kind: PartKind;
  readonly series: number;
  /** Epoch ms. */
  readonly fromAt: number;
  readonly toAt: number;
  /** Counts above the base line. */
  readonly low: number;
  readonly high: number;
}

/** Now, and how far each series was reaped. In a preview nothing was, and only what is due is drawn. */
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
    // With no document left, this part of the bucket is done, wherever the cutoff is.
    const cut = due === 0 ? pastEnd : Math.min(pastEnd, Math.max(slot.fromAt, reapedTo(series)));
    if (pastEnd === slot.toAt && (cut === slot.fromAt || cut === slot.toAt)) {
      // Past, and not divided by the cutoff: removed documents below, remaining ones on top.
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

/** A larger deviation from an even distribution is not by chance, standard deviations. */
const UNLIKELY = 3;
/** A gap of this share of the bucket is a lag: the remaining documents do not show how they were distributed. */
const LAG_SHARE = 0.05;

/**
 * Evenly distributed documents keep the height of the bar while now crosses it. If nearly all were on one side of now,
 * the few on the other would get that height: then each side is as high as its own count.
 */
function isUneven(slot: Slot, expired: number, due: number, cut: number, pastEnd: number): boolean {
  const length = slot.toAt - slot.fromAt;
  if (expired === 0 || due === 0 || pastEnd === slot.toAt || pastEnd - cut > LAG_SHARE * length) return false;
  const total = expired + due;
  const ahead = (slot.toAt - pastEnd) / length;
  return Math.abs(due - total * ahead) > UNLIKELY * Math.sqrt(total * ahead * (1 - ahead));
}

/** The height of a bar of `total` documents, at a scale. */
export interface BarHeight {
  /** Pixels per document of this bar: fewer than the scale's if torn, more if it would vanish. */
  readonly unit: number;
  readonly torn: boolean;
}

/** Free height above a torn bar, for its flag, CSS pixels. */
const TORN_BELOW_TOP = 16;

export function barHeight(total: number, scale: number, plotHeight: number, tornAbove: number): BarHeight {
  if (total > scale * tornAbove) return { unit: (plotHeight - TORN_BELOW_TOP) / total, torn: true };
  // At least one pixel, for any count above 0.
  return { unit: Math.max(plotHeight / scale, 1 / Math.max(1, total)), torn: false };
}

/** From this height of a document on, documents are drawn as blocks, CSS pixels. */
const BLOCK_HEIGHT = 4.5;

export const splitsIntoBlocks = (scale: number, plotHeight: number): boolean =>
  plotHeight / scale >= BLOCK_HEIGHT;
