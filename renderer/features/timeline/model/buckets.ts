import { toweringBuckets } from './bar-scale.ts';
import {
  type BucketSpan,
  type Cliff,
  sum,
  type TimelineAnswer,
  type TimelineBucket,
} from './timeline-model.ts';

/** A bucket to be drawn. Its totals leave out hidden series. */
export interface Slot extends BucketSpan {
  readonly expired: readonly number[];
  readonly due: readonly number[];
  /** Part of `due` that is past its deadline at the answer's now, if that is in this bucket. */
  readonly overdue: readonly number[];
  readonly total: number;
  /** Documents of the highest part: fewer than the total if now divides the bucket. */
  readonly highest: number;
  /** Much higher than its neighbours: drawn torn. */
  readonly stands: boolean;
  /** The largest cliff of the bucket. */
  readonly cliff: Cliff | null;
}

/** The buckets of an answer without gaps, so that a bucket is found by arithmetic. */
export interface Slots {
  readonly bucketMs: number;
  /** Start of the first slot; with `bucketMs`, the grid of all buckets. */
  readonly originAt: number;
  readonly list: readonly Slot[];
}

export function prepareSlots(answer: TimelineAnswer, visible: readonly boolean[]): Slots {
  const { bucketMs, buckets } = answer;
  const first = buckets[0];
  const last = buckets.at(-1);
  if (first === undefined || last === undefined) return { bucketMs, originAt: 0, list: [] };
  const originAt = first.fromAt;
  const given = new Map<number, TimelineBucket>();
  for (const bucket of buckets) given.set(Math.round((bucket.fromAt - originAt) / bucketMs), bucket);
  const cliffs = largestCliffs(answer, visible, originAt);
  const none = answer.series.map(() => 0);
  const shown = (counts: readonly number[]) =>
    none.map((_, index) => (visible[index] ? (counts[index] ?? 0) : 0));

  const count = Math.round((last.fromAt - originAt) / bucketMs) + 1;
  const bare = Array.from({ length: count }, (_, index) => {
    const bucket = given.get(index);
    const expired = bucket ? shown(bucket.expired) : none;
    const due = bucket ? shown(bucket.due) : none;
    const overdue = bucket?.overdue ? shown(bucket.overdue) : none;
    const fromAt = originAt + index * bucketMs;
    const toAt = fromAt + bucketMs;
    const total = sum(expired) + sum(due);
    const isCurrent = fromAt <= answer.now && answer.now < toAt;
    const ahead = sum(due) - sum(overdue);
    const highest = isCurrent ? Math.max(total - ahead, ahead) : total;
    return { fromAt, toAt, expired, due, overdue, total, highest };
  });
  const stands = toweringBuckets(bare.map(slot => slot.highest));
  const list = bare.map((slot, index) => ({
    ...slot,
    stands: stands[index] ?? false,
    cliff: cliffs.get(index) ?? null,
  }));
  return { bucketMs, originAt, list };
}

function largestCliffs(
  answer: TimelineAnswer,
  visible: readonly boolean[],
  originAt: number,
): Map<number, Cliff> {
  const largest = new Map<number, Cliff>();
  for (const cliff of answer.cliffs) {
    if (!visible[cliff.series]) continue;
    const index = Math.floor((cliff.at - originAt) / answer.bucketMs);
    if (cliff.count > (largest.get(index)?.count ?? 0)) largest.set(index, cliff);
  }
  return largest;
}

/** Returns the slots that overlap a time span, in order. */
export function slotsWithin(
  { list, originAt, bucketMs }: Slots,
  fromAt: number,
  toAt: number,
): readonly Slot[] {
  const first = Math.max(0, Math.floor((fromAt - originAt) / bucketMs));
  return list.slice(first, Math.max(first, Math.ceil((toAt - originAt) / bucketMs)));
}

/** Returns the bucket of an instant, also an empty one. */
export function bucketAt({ originAt, bucketMs }: Slots, at: number): BucketSpan {
  const fromAt = originAt + Math.floor((at - originAt) / bucketMs) * bucketMs;
  return { fromAt, toAt: fromAt + bucketMs };
}

/** Returns the content of a bucket; zeros if the answer has none. */
export function slotAt(slots: Slots, fromAt: number, seriesCount: number): Slot {
  const found = slots.list[Math.round((fromAt - slots.originAt) / slots.bucketMs)];
  if (found !== undefined) return found;
  const none = new Array<number>(seriesCount).fill(0);
  const toAt = fromAt + slots.bucketMs;
  return {
    fromAt,
    toAt,
    expired: none,
    due: none,
    overdue: none,
    total: 0,
    highest: 0,
    stands: false,
    cliff: null,
  };
}

/** Returns the next bucket to the right (+1) or left (−1), from the bucket of now if none is focused. */
export function stepBucket(slots: Slots, focused: number | null, step: 1 | -1, now: number): number {
  return focused === null
    ? bucketAt(slots, now).fromAt
    : bucketAt(slots, focused).fromAt + step * slots.bucketMs;
}

/** Returns the bucket of the next cliff in that direction; null: none. */
export function stepCliff(slots: Slots, focused: number | null, step: 1 | -1, now: number): number | null {
  const from = focused === null ? bucketAt(slots, now).fromAt - step : bucketAt(slots, focused).fromAt;
  const withCliff = slots.list.filter(slot => slot.cliff !== null).map(slot => slot.fromAt);
  const next = step > 0 ? withCliff.find(at => at > from) : withCliff.findLast(at => at < from);
  return next ?? null;
}
