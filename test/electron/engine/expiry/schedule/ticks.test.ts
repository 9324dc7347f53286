import { describe, expect, it } from 'vitest';
import {
  actionAt,
  continues,
  hasSchedule,
  isAhead,
  isDueAt,
  lastScheduled,
  nextScheduled,
  nextTick,
  type Tick,
  tickInterval,
} from '../../../../../electron/engine/expiry/schedule/ticks.ts';

const HOUR = 3_600_000;
const exact = { schedule: { mode: 'exact' } } as const;
const observe = { schedule: { mode: 'observe' } } as const;
const every = { schedule: { mode: 'every', everyMs: 1_000 } } as const;
const cron = { schedule: { mode: 'cron', cron: '0 * * * *', timeZone: 'UTC' } } as const;
const NEVER = Number.POSITIVE_INFINITY;
const NO_CAPS = { mostPerPass: 0, mostPerPassInTotal: 0 };
const tick = (state: Tick['state'], at = 5_000): Tick => ({ since: 0, at, state });

describe('[R1] the scheduled times', () => {
  it.each([
    [exact, 1_500, 1_500, 1_500],
    [observe, 1_500, -NEVER, NEVER],
    [every, 1_500, 1_000, 2_000],
    [every, 2_000, 2_000, 2_000],
    [cron, HOUR + 1, HOUR, 2 * HOUR],
    [cron, HOUR, HOUR, HOUR],
  ])('of %j at %d ms', (source, at, last, next) => {
    expect(lastScheduled(source, at)).toBe(last);
    expect(nextScheduled(source, at)).toBe(next);
  });

  it('are those of `every` and `cron` only', () => {
    expect([exact, observe, every, cron].map(hasSchedule)).toEqual([false, false, true, true]);
    expect([exact, observe, every, cron].map(source => tickInterval(source, HOUR))).toEqual([
      null,
      null,
      1_000,
      HOUR,
    ]);
    expect(tickInterval(every, 1_500)).toBe(1_000);
    expect(tickInterval({ schedule: { ...cron.schedule, cron: '0 0 30 2 *' } }, 0)).toBe(null);
  });

  it('after an instant, also after one that is scheduled', () => {
    expect([exact, observe, every, cron].map(source => nextTick(source, HOUR))).toEqual([
      HOUR + 1_000,
      NEVER,
      HOUR + 1_000,
      2 * HOUR,
    ]);
  });

  it('before the last tick mean that the clock was set back; within one period it was not', () => {
    expect(isAhead(every, tick('closed'), 3_999)).toBe(true);
    expect(isAhead(every, tick('closed'), 4_000)).toBe(false);
    expect(isAhead(every, tick('closed'), 5_000)).toBe(false);
    expect(isAhead(every, tick('closed'), 9_000)).toBe(false);
    expect(isAhead(exact, tick('closed'), 5_000)).toBe(false);
  });
});

describe('a deadline', () => {
  it('[R2] is acted on by the open tick, or by the first one after it', () => {
    expect(actionAt(every, tick('open'), NO_CAPS, 4_200)).toBe(5_000);
    expect(actionAt(every, tick('open'), NO_CAPS, 5_000)).toBe(5_000);
    expect(actionAt(every, tick('open'), NO_CAPS, 5_001)).toBe(6_000);
    expect(actionAt(every, tick('closed'), NO_CAPS, 4_200)).toBe(6_000);
    expect(actionAt(every, tick('closed'), NO_CAPS, 7_500)).toBe(8_000);
    expect(actionAt(exact, tick('open'), NO_CAPS, 4_200)).toBe(4_200);
    expect(actionAt(observe, tick('open'), NO_CAPS, 4_200)).toBe(NEVER);
  });

  it('[R3] is acted on in a capped pass only after the caps are removed', () => {
    expect(continues(tick('open'), { mostPerPass: 1, mostPerPassInTotal: 1 })).toBe(true);
    expect(continues(tick('closed'), NO_CAPS)).toBe(false);
    expect(continues(tick('capped'), NO_CAPS)).toBe(true);
    expect(continues(tick('capped'), { mostPerPass: 1, mostPerPassInTotal: 0 })).toBe(false);
    expect(continues(tick('capped'), { mostPerPass: 0, mostPerPassInTotal: 1 })).toBe(false);
  });

  it('[D10] is due from its instant on', () => {
    expect([null, 6, 5, 4].map(deadline => isDueAt(deadline, 5))).toEqual([false, false, true, true]);
  });
});
