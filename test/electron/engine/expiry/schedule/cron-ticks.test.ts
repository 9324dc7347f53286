import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cronProblem } from '../../../../../electron/engine/expiry/schedule/cron-ticks.ts';
import {
  lastScheduled,
  nextScheduled,
  nextTick,
} from '../../../../../electron/engine/expiry/schedule/ticks.ts';
import { DAY, HOUR, MINUTE, NOON, SECOND } from '../../../../support/engine.ts';

function cron(line: string, timeZone = 'UTC') {
  return { schedule: { mode: 'cron' as const, cron: line, timeZone } };
}

/** Returns the next ticks after an instant, as text. */
function ticks(source: ReturnType<typeof cron>, after: string, howMany: number): string[] {
  const found: string[] = [];
  for (let at = Date.parse(after); found.length < howMany; ) {
    at = nextScheduled(source, at + 1);
    found.push(new Date(at).toISOString());
  }
  return found;
}

describe('[R1] the ticks of a crontab line', () => {
  it('are its times, and a tick at the instant of a deadline includes that deadline', () => {
    const daily = cron('0 3 * * *');
    const three = Date.UTC(2026, 10, 22, 3);
    expect(nextScheduled(daily, NOON)).toBe(three);
    expect(nextScheduled(daily, three)).toBe(three);
    expect(nextScheduled(daily, three - 1)).toBe(three);
    expect(nextScheduled(daily, three + 1)).toBe(three + DAY);
    expect(lastScheduled(daily, three)).toBe(three);
    expect(lastScheduled(daily, three - 1)).toBe(three - DAY);
    expect(lastScheduled(daily, three + 999)).toBe(three);
    expect(nextTick(daily, three)).toBe(three + DAY);
  });

  it('are in its time zone, and keep their time of day across a clock change', () => {
    const berlin = cron('30 4 * * *', 'Europe/Berlin');
    expect(ticks(berlin, '2026-03-28T00:00:00Z', 3)).toEqual([
      '2026-03-28T03:30:00.000Z',
      '2026-03-29T02:30:00.000Z',
      '2026-03-30T02:30:00.000Z',
    ]);
  });

  it('occur once in an hour that a clock change repeats, and after an hour that it skips', () => {
    const half = cron('30 2 * * *', 'Europe/Berlin');
    expect(ticks(half, '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
    expect(ticks(half, '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
  });

  it('every half hour occur in both passes of an hour that a clock change repeats', () => {
    expect(ticks(cron('*/30 * * * *', 'Europe/Berlin'), '2026-10-24T23:40:00Z', 5)).toEqual([
      '2026-10-25T00:00:00.000Z',
      '2026-10-25T00:30:00.000Z',
      '2026-10-25T01:00:00.000Z',
      '2026-10-25T01:30:00.000Z',
      '2026-10-25T02:00:00.000Z',
    ]);
  });

  it('enclose any instant: none is between the last and the next, after any queries', () => {
    const lines = [
      '* * * * *',
      '*/7 * * * *',
      '0 3 * * *',
      '30 2 * * *',
      '15 4 1 * *',
      '0 0 * * 1',
      '@hourly',
    ];
    const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'];
    const year = { min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) };
    fc.assert(
      fc.property(
        fc.constantFrom(...lines),
        fc.constantFrom(...zones),
        fc.array(fc.integer(year), { minLength: 1, maxLength: 6 }),
        (line, zone, instants) => {
          const source = cron(line, zone);
          for (const now of instants) {
            const last = lastScheduled(source, now);
            const next = nextScheduled(source, now + 1);
            expect(last).toBeLessThanOrEqual(now);
            expect(next).toBeGreaterThan(now);
            // The last tick includes deadlines up to its instant; a later deadline is in no earlier tick.
            expect(nextScheduled(source, last)).toBe(last);
            expect(nextScheduled(source, last + 1)).toBe(next);
            expect(lastScheduled(source, next - 1)).toBe(last);
            expect(lastScheduled(source, next)).toBe(next);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('[R1] an invalid crontab line', () => {
  it.each([
    ['every day', 'five, six, or seven'],
    ['61 * * * *', '61'],
    ['* * * * 9', '9'],
    ['nonsense', 'five parts'],
    ['2026-12-24T18:00:00', 'five parts'],
    ['', 'five parts'],
    ['0 0 30 2 *', 'never occurs'],
  ])('%s is refused with the reason', (line, reported) => {
    expect(cronProblem({ cron: line, timeZone: 'UTC' }, NOON)).toContain(reported);
  });

  it('is not one of the names for a line', () => {
    expect(cronProblem({ cron: '@daily', timeZone: 'UTC' }, NOON)).toBeNull();
    expect(cronProblem({ cron: 'daily@', timeZone: 'UTC' }, NOON)).toContain('five parts');
  });

  it('is reported without the names of the library', () => {
    expect(cronProblem({ cron: '61 * * * *', timeZone: 'UTC' }, NOON)).toMatch(
      /^The crontab line “61 \* \* \* \*” cannot be read: (?!Cron)/,
    );
  });

  it('with an unknown time zone is refused', () => {
    expect(cronProblem({ cron: '0 3 * * *', timeZone: '' }, NOON)).toContain('no time zone “”');
    expect(cronProblem({ cron: '0 3 * * *', timeZone: 'Mars/Olympus' }, NOON)).toContain('Mars/Olympus');
    expect(cronProblem({ cron: '0 3 * * *', timeZone: 'Europe/Berlin' }, NOON)).toBeNull();
  });
});

describe('[R1] the other schedules', () => {
  it('tick at multiples of the period since 1970 (every), at the deadline (exact), or never (observe)', () => {
    const every = { schedule: { mode: 'every' as const, everyMs: 90 * SECOND } };
    expect(nextScheduled(every, NOON + 1)).toBe(NOON + 90 * SECOND);
    expect(lastScheduled(every, NOON + MINUTE)).toBe(NOON);
    const exact = { schedule: { mode: 'exact' as const } };
    expect(nextScheduled(exact, NOON)).toBe(NOON);
    expect(nextTick(exact, NOON)).toBe(NOON + SECOND);
    const observe = { schedule: { mode: 'observe' as const } };
    expect(nextScheduled(observe, NOON)).toBe(Number.POSITIVE_INFINITY);
    expect(lastScheduled(observe, NOON + HOUR)).toBe(Number.NEGATIVE_INFINITY);
  });
});
