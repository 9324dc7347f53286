import { describe, expect, it } from 'vitest';
import { UpdateRhythm } from '../../../../electron/engine/feeds/update-throttle.ts';

/** When updates go out, if there is news in every millisecond. */
function busyFor(ms: number, rhythm: UpdateRhythm, from = 0): number[] {
  const told: number[] = [];
  for (let now = from; now < from + ms; now += 1) {
    if (rhythm.waitMs(now) > 0) continue;
    rhythm.told(now);
    told.push(now);
  }
  return told;
}

describe('the rhythm of live updates', () => {
  it('lets the first changes after quiet go at once, also one right behind another', () => {
    const rhythm = new UpdateRhythm(0);
    expect(busyFor(50, rhythm)).toEqual([0, 1, 2]);
    expect(busyFor(50, rhythm, 10_000)).toEqual([10_000, 10_001, 10_002]);
  });

  it('is ten a second under a burst that goes on', () => {
    const told = busyFor(10_000, new UpdateRhythm(0));
    expect(told.length).toBeLessThanOrEqual(103);
    expect(told.length).toBeGreaterThanOrEqual(100);
    const gaps = told.slice(4).map((at, i) => at - (told[i + 3] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(99);
  });

  it('says how long to wait, and no longer than until the next may go', () => {
    const rhythm = new UpdateRhythm(0);
    busyFor(3, rhythm);
    const wait = rhythm.waitMs(3);
    expect(wait).toBeGreaterThan(90);
    expect(rhythm.waitMs(3 + wait)).toBeCloseTo(0);
  });
});
