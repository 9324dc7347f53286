import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Slot } from '../../../../../renderer/features/timeline/model/buckets.ts';
import { sum } from '../../../../../renderer/features/timeline/model/timeline-model.ts';
import {
  barHeight,
  type Part,
  type Progress,
  partsOf,
  splitsIntoBlocks,
} from '../../../../../renderer/features/timeline/scene/bucket-parts.ts';

const slot = (
  fromAt: number,
  toAt: number,
  expired: number[],
  due: number[],
  overdue: number[] = due.map(() => 0),
): Slot => ({
  fromAt,
  toAt,
  expired,
  due,
  overdue,
  total: sum(expired) + sum(due),
  highest: sum(expired) + sum(due),
  stands: false,
  cliff: null,
});
const at = (now: number, cutoff: number): Progress => ({ now, reapedTo: () => cutoff });
const told = (parts: Part[]) =>
  parts.map(({ kind, fromAt, toAt, low, high }) => [kind, fromAt, toAt, low, high]);

describe('a bucket as area', () => {
  it('is solid in the past, hatched in the future', () => {
    expect(told(partsOf(slot(0, 10, [4], [0]), at(50, 45)))).toEqual([['expired', 0, 10, 0, 4]]);
    expect(told(partsOf(slot(60, 70, [0], [4]), at(50, 45)))).toEqual([['due', 60, 70, 0, 4]]);
  });

  it('is cut by the cutoff and by now, each part as high as its own count', () => {
    expect(told(partsOf(slot(0, 10, [3], [7], [5]), at(6, 4)))).toEqual([
      ['expired', 0, 4, 0, 3],
      ['late', 4, 6, 0, 5],
      ['due', 6, 10, 0, 2],
    ]);
  });

  it('gives each side of now the height of its own series', () => {
    expect(told(partsOf(slot(0, 10, [498], [2]), at(1, 1)))).toEqual([
      ['expired', 0, 1, 0, 498],
      ['due', 1, 10, 0, 2],
    ]);
    expect(told(partsOf(slot(0, 10, [2, 40], [498, 2]), at(9, 9)))).toEqual([
      ['expired', 0, 9, 0, 2],
      ['expired', 0, 9, 2, 42],
      ['due', 9, 10, 0, 498],
      ['due', 9, 10, 498, 500],
    ]);
  });

  it('stacks overdue documents on expired ones where the cutoff does not divide its past', () => {
    expect(told(partsOf(slot(0, 10, [3], [7], [5]), at(6, -20)))).toEqual([
      ['expired', 0, 6, 0, 3],
      ['late', 0, 6, 3, 8],
      ['due', 6, 10, 0, 2],
    ]);
  });

  it('has no future part once all have expired, and no past part before any has', () => {
    expect(told(partsOf(slot(0, 10, [3], [0]), at(6, 4)))).toEqual([['expired', 0, 6, 0, 3]]);
    expect(told(partsOf(slot(0, 10, [0], [3]), at(6, 6)))).toEqual([['due', 6, 10, 0, 3]]);
  });

  it('stacks remaining documents on top of removed ones', () => {
    expect(told(partsOf(slot(0, 10, [3], [2]), at(50, 45)))).toEqual([
      ['expired', 0, 10, 0, 3],
      ['late', 0, 10, 3, 5],
    ]);
  });

  it('stacks series, each cut at its own cutoff', () => {
    const parts = partsOf(slot(0, 10, [1, 0], [0, 2]), {
      now: 50,
      reapedTo: series => (series === 0 ? 45 : 0),
    });
    expect(parts.map(({ kind, series, low, high }) => [kind, series, low, high])).toEqual([
      ['expired', 0, 0, 1],
      ['late', 1, 1, 3],
    ]);
  });

  it('[X2] shows every document once, in its own part, for any history, zoom, lag and bucket', () => {
    const counts = fc.array(fc.nat({ max: 50 }), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(
        counts,
        counts,
        counts,
        fc.integer({ min: -5, max: 15 }),
        fc.nat({ max: 20 }),
        fc.constantFrom(1, 7, 60_000, 86_400_000),
        (expired, due, late, now, lag, zoom) => {
          const overdue = due.map((count, series) => Math.min(count, late[series] ?? 0));
          const bucket = slot(0, 10 * zoom, expired, due, overdue);
          const parts = partsOf(bucket, at(now * zoom, (now - lag) * zoom));
          const shown = (kind: Part['kind'], series: number) =>
            sum(
              parts
                .filter(part => part.kind === kind && part.series === series)
                .map(({ high, low }) => high - low),
            );
          const isPast = now >= 10;
          const isAhead = now <= 0;
          for (const series of expired.keys()) {
            const dueCount = due[series] ?? 0;
            const lateCount = isPast ? dueCount : isAhead ? 0 : (overdue[series] ?? 0);
            expect(shown('expired', series)).toBe(expired[series]);
            expect(shown('late', series)).toBe(lateCount);
            expect(shown('due', series)).toBe(dueCount - lateCount);
          }
          for (const part of parts) {
            expect(part.fromAt).toBeGreaterThanOrEqual(0);
            expect(part.toAt).toBeLessThanOrEqual(10 * zoom);
            expect(part.toAt).toBeGreaterThan(part.fromAt);
            if (part.kind === 'due') expect(part.fromAt).toBeGreaterThanOrEqual(Math.max(0, now * zoom));
            else if (!isAhead) expect(part.toAt).toBeLessThanOrEqual(now * zoom);
          }
          for (const [index, a] of parts.entries())
            for (const b of parts.slice(index + 1)) {
              const apart = a.toAt <= b.fromAt || b.toAt <= a.fromAt || a.high <= b.low || b.high <= a.low;
              expect(apart).toBe(true);
            }
        },
      ),
    );
  });
});

describe('the height of a bar', () => {
  it('is linear, and torn bars end below the top', () => {
    expect(barHeight(50, 100, 200, 0.985)).toEqual({ unit: 2, torn: false });
    const { unit, torn } = barHeight(1_000, 100, 200, 0.985);
    expect(torn).toBe(true);
    expect(1_000 * unit).toBeCloseTo(184);
  });

  it('is at least a pixel for any count above 0', () => {
    expect(barHeight(1, 1_000_000, 200, 0.985).unit).toBe(1);
    expect(barHeight(3, 1_000_000, 200, 0.985).unit * 3).toBeCloseTo(1);
  });

  it('is split into blocks from 4.5 px per document', () => {
    expect(splitsIntoBlocks(40, 180)).toBe(true);
    expect(splitsIntoBlocks(41, 180)).toBe(false);
  });
});
