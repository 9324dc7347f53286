import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  durationScale,
  formatAxisCount,
  formatShortCount,
  linearScale,
  roundStep,
} from '../../../../renderer/components/canvas-chart/scale.ts';

describe('roundStep', () => {
  test('returns the next of 1, 2, 2.5 and 5 times a power of ten', () => {
    expect([0.3, 1, 1.1, 2.2, 3, 7, 60].map(least => roundStep(least))).toEqual([0.5, 1, 2, 2.5, 5, 10, 100]);
    expect([0.3, 1.1, 2.2, 22].map(least => roundStep(least, true))).toEqual([1, 2, 5, 25]);
  });

  test('property: is at least the argument, and at most 2.5 times it', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1e12, noNaN: true }), least => {
        expect(roundStep(least)).toBeGreaterThanOrEqual(least * (1 - 1e-9));
        expect(roundStep(least)).toBeLessThanOrEqual(least * 2.5);
      }),
    );
  });
});

describe('linearScale', () => {
  test('property: has at most one tick more than fit, and the last covers the largest value', () => {
    const largest = fc.double({ min: 1e-6, max: 1e12, noNaN: true });
    fc.assert(
      fc.property(largest, fc.integer({ min: 1, max: 8 }), (value, most) => {
        const { ticks, heightOf } = linearScale(value, most);
        expect(ticks.length).toBeLessThanOrEqual(most + 1);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(value * (1 - 1e-9));
        expect(heightOf(0)).toBe(0);
        expect(heightOf(ticks.at(-1) ?? 0)).toBeCloseTo(1);
      }),
    );
  });

  test('property: whole numbers have whole ticks', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), fc.integer({ min: 1, max: 8 }), (value, most) => {
        expect(linearScale(value, most, true).ticks.every(Number.isInteger)).toBe(true);
      }),
    );
    expect(linearScale(1, 4, true).ticks).toEqual([1]);
    expect(linearScale(2, 4, true).ticks).toEqual([1, 2]);
  });

  test('has a tick when every value is 0', () => {
    expect(linearScale(0, 4).ticks.length).toBeGreaterThan(0);
  });
});

test('durationScale has the steps of a clock, and whole days beyond 12 hours', () => {
  expect(durationScale(700_000, 4).ticks).toEqual([300_000, 600_000, 900_000]);
  expect(durationScale(50 * 3_600_000, 4).ticks.at(-1)).toBe(3 * 86_400_000);
});

test('labels lose no digit of a round count', () => {
  expect([5, 250, 750, 1_000, 1_500, 2_500, 200_000, 2_500_000].map(formatShortCount)).toEqual([
    '5',
    '250',
    '750',
    '1 k',
    '1.5 k',
    '2.5 k',
    '200 k',
    '2.5 M',
  ]);
  expect([5_000, 12_500, 1_250_000].map(formatAxisCount)).toEqual(['5,000', '12.5 k', '1.25 M']);
});
