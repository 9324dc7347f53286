import { expect, it } from 'vitest';
import { refreshAfter } from '../../../../renderer/features/ttl-indexes/preview/use-preview.ts';

it('[X3] a slow count is repeated when its next deadline has passed, so that Review shows no past expiry', () => {
  expect(refreshAfter(undefined, 0)).toBe(2_000);
  expect(refreshAfter({ elapsedMs: 10, nextDeadlineAt: 500_000 }, 0)).toBe(2_000);
  const slow = (nextDeadlineAt: number | null) => refreshAfter({ elapsedMs: 800, nextDeadlineAt }, 100_000);
  expect(slow(null)).toBe(30_000);
  expect(slow(400_000)).toBe(30_000);
  expect(slow(107_000)).toBe(7_000);
  expect(slow(90_000)).toBe(2_000);
});
