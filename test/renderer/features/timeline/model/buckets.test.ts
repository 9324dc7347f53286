import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bucketAt,
  prepareSlots,
  slotAt,
  slotsWithin,
  stepBucket,
  stepCliff,
} from '../../../../../renderer/features/timeline/model/buckets.ts';
import { visibleSeries } from '../../../../../renderer/features/timeline/model/timeline-model.ts';
import { answerWith, bucket, MINUTE, NOW } from '../build.ts';

const first = NOW - (NOW % MINUTE) - 10 * MINUTE;
const two = [
  { id: 'a', label: 'a', pausedSince: null, overdue: 0 },
  { id: 'b', label: 'b', pausedSince: null, overdue: 0 },
];
const answer = answerWith({
  series: two,
  buckets: [
    bucket(first, [1, 2], [0, 0]),
    bucket(first + 3 * MINUTE, [0, 0], [4, 5]),
    bucket(first + 12 * MINUTE, [0, 0], [7, 0]),
  ],
  cliffs: [
    { at: first + 3 * MINUTE + 1, count: 4, series: 0 },
    { at: first + 3 * MINUTE + 2, count: 3, series: 1 },
    { at: first + 12 * MINUTE, count: 7, series: 0 },
  ],
});
const all = prepareSlots(answer, [true, true]);

describe('slots', () => {
  it('have no gaps', () => {
    expect(all.list.map(slot => slot.total)).toEqual([3, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 7]);
  });

  it('leave out hidden series and their cliffs', () => {
    const onlyB = prepareSlots(answer, visibleSeries(answer, new Set(['a'])));
    expect(onlyB.list.map(slot => slot.total).filter(Boolean)).toEqual([2, 5]);
    expect(onlyB.list[3]?.cliff?.count).toBe(3);
  });

  it('have the largest cliff of each bucket', () => {
    expect(all.list[3]?.cliff?.count).toBe(4);
  });

  it('are found by any of their instants', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100 * MINUTE, max: 100 * MINUTE }), offset => {
        const { fromAt, toAt } = bucketAt(all, first + offset);
        expect(fromAt).toBeLessThanOrEqual(first + offset);
        expect(toAt).toBeGreaterThan(first + offset);
        expect(Math.abs((fromAt - first) % MINUTE)).toBe(0);
      }),
    );
    expect(slotAt(all, first + 3 * MINUTE, 2).total).toBe(9);
    expect(slotAt(all, first + 99 * MINUTE, 2)).toMatchObject({ total: 0, due: [0, 0] });
  });

  it('are limited to those that overlap a time span', () => {
    const within = slotsWithin(all, first + 30_000, first + 3 * MINUTE + 1);
    expect(within.map(slot => slot.fromAt)).toEqual([0, 1, 2, 3].map(k => first + k * MINUTE));
    expect(slotsWithin(all, first - 5 * MINUTE, first - MINUTE)).toEqual([]);
  });
});

describe('stepping by keyboard', () => {
  it('starts at now and moves by one bucket, also to empty ones', () => {
    const start = stepBucket(all, null, 1, NOW);
    expect(start).toBe(first + 10 * MINUTE);
    expect(stepBucket(all, start, 1, NOW)).toBe(start + MINUTE);
    expect(stepBucket(all, start, -1, NOW)).toBe(start - MINUTE);
  });

  it('moves from cliff to cliff, and stays at the last', () => {
    expect(stepCliff(all, null, 1, NOW)).toBe(first + 12 * MINUTE);
    expect(stepCliff(all, first + 12 * MINUTE, 1, NOW)).toBeNull();
    expect(stepCliff(all, first + 12 * MINUTE, -1, NOW)).toBe(first + 3 * MINUTE);
    expect(stepCliff(all, null, -1, NOW)).toBe(first + 3 * MINUTE);
  });
});
