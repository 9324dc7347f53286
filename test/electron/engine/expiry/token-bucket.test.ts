import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TokenBucket } from '../../../../electron/engine/expiry/token-bucket.ts';

const WINDOW_MS = 10_000;
const MINUTE_MS = 60_000;

/** Takes all available documents `lateMs` after each due time. Returns the times and the numbers taken. */
function drain(perSecond: number, most: number, lateMs: () => number): { at: number; taken: number }[] {
  const limit = new TokenBucket(perSecond, 0);
  const taken: { at: number; taken: number }[] = [];
  for (let at = 0; at < MINUTE_MS; ) {
    const available = Math.min(limit.available(at), most);
    if (available > 0) {
      limit.take(available);
      taken.push({ at, taken: available });
    }
    const wait = limit.waitMs(at);
    // A batch takes time, too.
    at += wait === 0 ? 1 : wait + lateMs();
  }
  return taken;
}

/** Returns the largest and the smallest sum of any ten seconds that begin with a batch. */
function windows(taken: readonly { at: number; taken: number }[]): { most: number; fewest: number } {
  const sums = taken
    .filter(({ at }) => at + WINDOW_MS <= MINUTE_MS)
    .map(({ at: from }) =>
      taken.reduce((sum, { at, taken: n }) => (at >= from && at < from + WINDOW_MS ? sum + n : sum), 0),
    );
  return { most: Math.max(...sums), fewest: Math.min(...sums) };
}

describe('[R3] a rate', () => {
  it('holds within 5 %, or 2 % and one document, over any ten seconds, at any rate and with late timers', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.double({ min: 1, max: 50_000, noNaN: true }), fc.integer({ min: 1, max: 2_000 })),
        fc.constantFrom(1_000_000, 20_000),
        fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 20 }),
        (perSecond, most, delays) => {
          let i = 0;
          const { most: largest, fewest } = windows(
            drain(perSecond, most, () => delays[i++ % delays.length] ?? 0),
          );
          const allowed = perSecond * (WINDOW_MS / 1000);
          // At a slow rate the burst and the first whole document add up.
          expect(largest).toBeLessThanOrEqual(Math.max(allowed * 1.05, Math.floor(allowed * 1.02 + 1)));
          // At a slow rate one document exceeds the tolerance, at each end of the ten seconds.
          expect(fewest).toBeGreaterThanOrEqual(Math.min(allowed * 0.95, allowed - 2.001));
        },
      ),
      { numRuns: 200, examples: [[1.4883938724998327, 1_000_000, [0, 78, 0, 0]]] },
    );
  });

  it('is not filled by a long pause or a stopped stopwatch', () => {
    const limit = new TokenBucket(100, 0);
    limit.take(limit.available(0));
    expect(limit.available(3_600_000)).toBeLessThanOrEqual(25);
    limit.take(limit.available(3_600_000));
    expect(limit.available(3_600_000)).toBe(0);
    expect(limit.waitMs(3_600_000)).toBeGreaterThan(0);
  });
});
