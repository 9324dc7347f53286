import { describe, expect, it } from 'vitest';
import { UpdateThrottle } from '../../../../electron/engine/feeds/update-throttle.ts';

/** Returns the times of updates if there is a change in every millisecond. */
function busyFor(ms: number, throttle: UpdateThrottle, from = 0): number[] {
  const sentAt: number[] = [];
  for (let now = from; now < from + ms; now += 1) {
    if (throttle.waitMs(now) > 0) continue;
    throttle.sent(now);
    sentAt.push(now);
  }
  return sentAt;
}

describe('the throttle of live updates', () => {
  it('sends the first changes after a quiet time at once, also in quick succession', () => {
    const throttle = new UpdateThrottle(0);
    expect(busyFor(50, throttle)).toEqual([0, 1, 2]);
    expect(busyFor(50, throttle, 10_000)).toEqual([10_000, 10_001, 10_002]);
  });

  it('sends ten updates a second during a continuing burst', () => {
    const sentAt = busyFor(10_000, new UpdateThrottle(0));
    expect(sentAt.length).toBeLessThanOrEqual(103);
    expect(sentAt.length).toBeGreaterThanOrEqual(100);
    const gaps = sentAt.slice(4).map((at, i) => at - (sentAt[i + 3] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(99);
  });

  it('returns the time to wait, at most until the next update is due', () => {
    const throttle = new UpdateThrottle(0);
    busyFor(3, throttle);
    const wait = throttle.waitMs(3);
    expect(wait).toBeGreaterThan(90);
    expect(throttle.waitMs(3 + wait)).toBeCloseTo(0);
  });
});
