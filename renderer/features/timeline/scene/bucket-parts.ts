import type { Slot } from '../model/buckets.ts';

/**
 * A bucket has up to three parts side by side: expired documents before the cutoff, overdue documents between the
 * cutoff and now, and documents to expire after now. Each part is as high as its own count, one band per series; counts
 * are not spread over the bucket. If the cutoff does not divide the past of the bucket, overdue documents are stacked
 * on the expired ones.
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

/**
 * Now, and the time up to which each series was reaped. In a preview nothing was reaped, and only due documents are
 * drawn.
 */
export interface Progress {
  readonly now: number;
  readonly reapedTo: (series: number) => number;
}

export function partsOf(slot: Slot, { now, reapedTo }: Progress): Part[] {
  const pastEnd = Math.min(slot.toAt, Math.max(slot.fromAt, now));
  const bands = slot.expired.map((expired, series) => {
    const due = slot.due[series] ?? 0;
    const late = pastEnd === slot.toAt ? due : pastEnd === slot.fromAt ? 0 : (slot.overdue[series] ?? 0);
    return { series, expired, late: Math.min(due, late), ahead: due - Math.min(due, late) };
  });
  const lateSeries = bands.filter(({ late }) => late > 0).map(({ series }) => series);
  const hasExpired = bands.some(({ expired }) => expired > 0);
  const cut = Math.min(pastEnd, ...lateSeries.map(reapedTo));
  const isAfterCut = lateSeries.length > 0 && cut < pastEnd;
  const isDivided = hasExpired && isAfterCut && cut > slot.fromAt;

  const parts: Part[] = [];
  /** Stacks one band per series. Returns the height above them. */
  const stack = (
    kind: PartKind,
    key: 'expired' | 'late' | 'ahead',
    { fromAt, toAt, low }: { fromAt: number; toAt: number; low: number },
  ): number => {
    let top = low;
    for (const band of bands) {
      if (band[key] === 0) continue;
      parts.push({ kind, series: band.series, fromAt, toAt, low: top, high: top + band[key] });
      top += band[key];
    }
    return top;
  };
  // An answer can be slightly ahead of the clock: its expired documents are then below the documents to expire.
  const past = pastEnd === slot.fromAt ? slot : { fromAt: slot.fromAt, toAt: pastEnd };
  const expiredHeight = stack('expired', 'expired', {
    fromAt: past.fromAt,
    toAt: isDivided ? cut : past.toAt,
    low: 0,
  });
  stack('late', 'late', {
    fromAt: isDivided || (isAfterCut && !hasExpired) ? Math.max(slot.fromAt, cut) : past.fromAt,
    toAt: past.toAt,
    low: isDivided ? 0 : expiredHeight,
  });
  stack('due', 'ahead', {
    fromAt: pastEnd,
    toAt: slot.toAt,
    low: pastEnd === slot.fromAt ? expiredHeight : 0,
  });
  return parts;
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

/** Least height of a document that is drawn as a block, CSS pixels. */
const BLOCK_HEIGHT = 4.5;

export const splitsIntoBlocks = (scale: number, plotHeight: number): boolean =>
  plotHeight / scale >= BLOCK_HEIGHT;
