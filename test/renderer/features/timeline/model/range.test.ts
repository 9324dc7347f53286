import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rangeNeeded } from '../../../../../renderer/features/timeline/model/range.ts';
import { bucketFor } from '../../../../../renderer/features/timeline/model/zoom.ts';
import { HOUR, NOW, SECOND } from '../build.ts';

it('the range covers the view with half a window more on both sides, on the grid of buckets', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 10_000, max: 1e12, noNaN: true }),
      fc.integer({ min: 0, max: NOW * 2 }),
      (span, from) => {
        const bucketMs = bucketFor(span, span);
        const range = rangeNeeded(from, span, bucketMs, null);
        expect(range).not.toBeNull();
        if (range === null) return;
        expect(range.from).toBeLessThanOrEqual(from - span / 2);
        expect(range.to).toBeGreaterThanOrEqual(from + span * 1.5);
        expect(Math.abs(range.from % bucketMs)).toBe(0);
        expect((range.to - range.from) / bucketMs).toBeLessThanOrEqual(302);
      },
    ),
  );
});

it('the range is read again when an edge is near the view, before it is visible', () => {
  const span = HOUR;
  const bucketMs = 30 * SECOND;
  let range = rangeNeeded(NOW, span, bucketMs, null);
  let asked = 0;
  for (let from = NOW; from < NOW + 3 * HOUR; from += 10 * SECOND) {
    const next = rangeNeeded(from, span, bucketMs, range);
    if (next !== null) {
      range = next;
      asked++;
    }
    expect(range?.to).toBeGreaterThanOrEqual(from + span * 1.1);
    expect(range?.from).toBeLessThanOrEqual(from - span * 0.1);
  }
  expect(asked).toBeLessThan(12);
});

it('the range is read at once when the bucket length changes', () => {
  const range = rangeNeeded(NOW, HOUR, 30 * SECOND, null);
  expect(rangeNeeded(NOW, HOUR, 30 * SECOND, range)).toBeNull();
  expect(rangeNeeded(NOW, HOUR, 10 * SECOND, range)).not.toBeNull();
});
