import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CumulativeBuckets } from '../../../../../electron/engine/expiry/meters/cumulative-buckets.ts';
import { Histogram } from '../../../../../electron/engine/expiry/meters/histogram.ts';

const DAY = 86_400_000;
/** Values from a millisecond to a century, with equal probability per magnitude. */
const durations = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 41 }), fc.double({ min: 1, max: 2, maxExcluded: true, noNaN: true }))
    .map(([doublings, part]) => Math.floor(part * 2 ** doublings)),
  { minLength: 1, maxLength: 300 },
);

function histogramOf(values: readonly number[]): Histogram {
  const histogram = new Histogram();
  for (const value of values) histogram.record(value);
  return histogram;
}

function rank(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(1, Math.ceil((percent / 100) * sorted.length)) - 1] ?? 0;
}

describe('a histogram', () => {
  it('[M1] returns every percentile within 2 %, and the maximum exactly, from a millisecond to a century', () => {
    fc.assert(
      fc.property(durations, fc.constantFrom(0, 1, 50, 90, 99, 99.9, 100), (values, percent) => {
        const histogram = histogramOf(values);
        const exact = rank(values, percent);
        const found = histogram.percentile(percent) ?? Number.NaN;
        expect(Math.abs(found - exact)).toBeLessThanOrEqual(exact * 0.02);
        expect(histogram.max).toBe(Math.max(...values));
        expect(histogram.count).toBe(values.length);
      }),
    );
  });

  it('[M1] added to another equals the histogram of both', () => {
    fc.assert(
      fc.property(durations, durations, (a, b) => {
        const sum = histogramOf(a);
        sum.add(histogramOf(b));
        const both = histogramOf([...a, ...b]);
        for (const percent of [0, 10, 50, 75, 99, 100])
          expect(sum.percentile(percent)).toBe(both.percentile(percent));
        expect([sum.count, sum.max]).toEqual([both.count, both.max]);
      }),
    );
  });

  it('[M1] has two values to a bucket from 64 on, four from 128 on, and returns the middle of a bucket', () => {
    const found = (value: number) => histogramOf([value, 2 ** 50]).percentile(50);
    expect([63, 64, 65, 126, 127].map(found)).toEqual([63, 64.5, 64.5, 126.5, 126.5]);
    expect([128, 131, 132].map(found)).toEqual([129.5, 129.5, 133.5]);
    expect(histogramOf([64, 64]).percentile(50)).toBe(64);
  });

  it('[M1] keeps its values when a larger one, or a histogram of larger ones, is added', () => {
    const small = histogramOf([3, 64]);
    small.record(2_000);
    expect([1, 50, 99].map(percent => small.percentile(percent))).toEqual([3, 64.5, 1_999.5]);
    const sum = histogramOf([3]);
    sum.add(histogramOf([0, 2_000]));
    expect([1, 50, 99].map(percent => sum.percentile(percent))).toEqual([0, 3, 1_999.5]);
  });

  it('[M1] without values has no percentile', () => {
    expect(new Histogram().percentile(50)).toBeNull();
    expect(new Histogram().max).toBe(0);
  });

  it('[M1] distinguishes neighbouring values below 64, and never reverses the order of two values', () => {
    const middles = [...Array(10_000).keys(), DAY - 1, DAY, 100 * 365 * DAY].map(
      value => histogramOf([value, 2 ** 50]).percentile(50) ?? Number.NaN,
    );
    expect(middles.slice(0, 64)).toEqual([...Array(64).keys()]);
    expect(middles).toEqual([...middles].sort((a, b) => a - b));
  });
});

describe('counts by bounds', () => {
  it('[M2] are exact: the number of values that do not exceed each bound', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 500, noNaN: true })), values => {
        const bounds = [0.5, 1, 10, 100];
        const counts = new CumulativeBuckets(bounds);
        for (const value of values) counts.record(value);
        expect(counts.cumulative()).toEqual(
          bounds.map(bound => values.filter(value => value <= bound).length),
        );
        expect(counts.count).toBe(values.length);
        expect(counts.sum).toBeCloseTo(values.reduce((sum, value) => sum + value, 0));
      }),
    );
  });
});
