import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  EasedScale,
  ease,
  gridCounts,
  quantile,
  scaleFor,
  TORN_ABOVE,
  toweringBuckets,
} from '../../../../../renderer/features/timeline/model/bar-scale.ts';

const counts = fc.array(fc.nat({ max: 100_000 }), { maxLength: 160 });
const tornIn = (totals: readonly number[]) => totals.filter(total => total > scaleFor(totals) * TORN_ABOVE);

describe('the scale', () => {
  it('is set by ordinary bars, and an outlier is torn', () => {
    const totals = Array.from({ length: 60 }, (_, index) => 100 + (index % 7));
    totals[20] = 3_120;
    expect(scaleFor(totals)).toBeLessThan(150);
    expect(tornIn(totals)).toEqual([3_120]);
  });

  it('tears one outlier among few bars', () => {
    expect(tornIn([1, 1, 1, 10_000, 1])).toEqual([10_000]);
  });

  it('does not tear a single bar, beside which no bar is too low', () => {
    expect(tornIn([0, 0, 0, 10_000, 0, 0])).toEqual([]);
  });

  it('does not tear bars of a gradual rise', () => {
    const hill = Array.from({ length: 80 }, (_, index) =>
      Math.round(1_000 * Math.exp(-(((index - 40) / 8) ** 2))),
    );
    expect(tornIn(hill)).toEqual([]);
  });

  it('does not tear small counts, whose differences are random', () => {
    expect(tornIn([2, 1, 0, 3, 2, 6, 1, 2, 0, 2])).toEqual([]);
  });

  it('tears only outliers, and leaves space above the other bars', () => {
    fc.assert(
      fc.property(counts, totals => {
        const scale = scaleFor(totals);
        const stands = toweringBuckets(totals);
        totals.forEach((total, index) => {
          if (total > scale * TORN_ABOVE) expect(stands[index]).toBe(true);
        });
        expect(scale).toBeGreaterThanOrEqual(4);
      }),
    );
  });
});

describe('grid lines', () => {
  it('are whole documents, at most five, below the top', () => {
    fc.assert(
      fc.property(fc.double({ min: 5, max: 1e9, noNaN: true }), scale => {
        const lines = gridCounts(scale);
        expect(lines.length).toBeGreaterThan(0);
        expect(lines.length).toBeLessThanOrEqual(5);
        expect(lines.every(line => Number.isInteger(line) && line < scale)).toBe(true);
      }),
    );
  });
});

describe('easing', () => {
  it('reaches its target without overshoot at any frame rate', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 5, max: 1e6, noNaN: true }),
        fc.double({ min: 5, max: 1e6, noNaN: true }),
        fc.integer({ min: 4, max: 40 }),
        (from, target, frameMs) => {
          let value = from;
          for (let elapsed = 0; elapsed < 2_500; elapsed += frameMs) {
            const next = ease(value, target, frameMs);
            expect(Math.abs(next - target)).toBeLessThanOrEqual(Math.abs(value - target));
            value = next;
          }
          expect(value).toBe(target);
        },
      ),
    );
  });

  const slots = (...totals: number[]) => totals.map(highest => ({ highest, stands: false }));

  it('takes the first scale at once, also after an empty view', () => {
    const scale = new EasedScale();
    scale.follow(slots(100), 1_000, 16);
    expect(scale.value).toBeCloseTo(126);
    scale.follow(slots(0), 1_000, 16);
    scale.follow(slots(500), 1_000, 16);
    expect(scale.value).toBeCloseTo(630);
  });

  it('keeps the height of a constant rate when buckets get longer', () => {
    const scale = new EasedScale();
    scale.follow(slots(10), 1_000, 16);
    scale.follow(slots(300), 30_000, 16);
    expect(scale.value).toBeCloseTo(378);
  });

  it('changes at once with reduced motion', () => {
    const scale = new EasedScale();
    scale.follow(slots(10), 1_000, null);
    scale.follow(slots(1_000), 1_000, null);
    expect(scale.value).toBeCloseTo(1_260);
  });
});

it('a quantile is one of the values', () => {
  expect(quantile([], 0.5)).toBe(0);
  expect(quantile([3, 1, 2], 0.5)).toBe(2);
  expect(quantile([1, 2, 3, 4], 0.92)).toBe(3);
});
