import { describe, expect, it } from 'vitest';
import { parseCelDuration } from '../../../shared/model/cel/duration.ts';
import {
  formatExactDuration,
  formatLongDuration,
  LONGEST_EXPIRE_AFTER,
  parseDuration,
} from '../../../shared/model/duration.ts';

const HOUR = 3_600;
const DAY = 86_400;
const HOW_TO = 'Write it like 90d, 1h 30m or 45 s.';

describe('a typed duration', () => {
  it.each([
    [['y', 'yr', 'yrs', 'year', 'years'], 365 * DAY],
    [['w', 'week', 'weeks'], 7 * DAY],
    [['d', 'day', 'days'], DAY],
    [['h', 'hr', 'hrs', 'hour', 'hours'], HOUR],
    [['m', 'min', 'mins', 'minute', 'minutes'], 60],
    [['s', 'sec', 'secs', 'second', 'seconds'], 1],
    [['ms', 'msec', 'millisecond', 'milliseconds'], 0.001],
  ])('in %j', (units, seconds) => {
    for (const unit of units) expect(parseDuration(`2${unit}`)).toEqual({ seconds: 2 * seconds });
  });

  it.each([
    ['1h 30m', 5_400],
    ['30m,1h', 5_400],
    ['  1.5 Hours ', 5_400],
    ['10.25s', 10.25],
    ['1s 1.6ms', 1.002],
    ['1y2w', 379 * DAY],
    ['0', 0],
    ['00.00', 0],
    ['0.5s', 0.5],
  ])('%s', (text, seconds) => {
    expect(parseDuration(text)).toEqual({ seconds });
  });

  it.each([
    ['', `A duration is needed. ${HOW_TO}`],
    [' ', `A duration is needed. ${HOW_TO}`],
    ['90', '90 of what? Add a unit: 90s, 90m, 90h or 90d.'],
    ['0.5', '0.5 of what? Add a unit: 0.5s, 0.5m, 0.5h or 0.5d.'],
    ['-0', 'A duration cannot be negative.'],
    ['-5m', 'A duration cannot be negative.'],
    ['5m-', `“5m-” is not a duration. ${HOW_TO}`],
    ['x5m', `“x5m” is not a duration. ${HOW_TO}`],
    [' 5m x ', `“5m x” is not a duration. ${HOW_TO}`],
    ['//5m', `“//5m” is not a duration. ${HOW_TO}`],
    ['0x', '“x” is not a unit of time. Use y, w, d, h, m, s or ms.'],
    ['x0', `“x0” is not a duration. ${HOW_TO}`],
    ['10 µs', '“µs” is not a unit of time. Use y, w, d, h, m, s or ms.'],
    ['5min 3m', `“m” is used twice. ${HOW_TO}`],
    ['1s 1s', `“s” is used twice. ${HOW_TO}`],
  ])('“%s” is none: %s', (text, problem) => {
    expect(parseDuration(text)).toEqual({ problem });
  });

  it('[D1] is at most 100 years', () => {
    expect(LONGEST_EXPIRE_AFTER).toBe(36_525 * DAY);
    expect(parseDuration('36525d')).toEqual({ seconds: LONGEST_EXPIRE_AFTER });
    expect(parseDuration('36525d 1ms')).toEqual({ problem: 'At most 100 years.' });
  });
});

describe('a formatted duration', () => {
  it.each([
    [0, '0s', '0 seconds'],
    [0.001, '1ms', '1 millisecond'],
    [1.0004, '1s', '1 second'],
    [59.9996, '1m', '1 minute'],
    [5_400, '1h 30m', '1 hour 30 minutes'],
    [2 * DAY + 2.5, '2d 2s 500ms', '2 days 2 seconds 500 milliseconds'],
    [7 * DAY, '1w', '1 week'],
    [90 * DAY, '90d', '90 days'],
    [7 * DAY + 1, '7d 1s', '7 days 1 second'],
    [730 * DAY, '2y', '2 years'],
    [366 * DAY, '366d', '366 days'],
  ])('%d s: %s, %s', (seconds, exact, long) => {
    expect(formatExactDuration(seconds)).toBe(exact);
    expect(formatLongDuration(seconds)).toBe(long);
  });

  it('has the words of another language', () => {
    expect(formatLongDuration(3_660, (amount, unit) => `${unit}=${amount}`)).toBe('hour=1 minute=1');
  });
});

describe('[D8] a duration of an expression', () => {
  it.each([
    ['0', 0],
    ['-0', -0],
    ['2w', 14 * DAY * 1_000],
    ['3d', 3 * DAY * 1_000],
    ['1h30m', 5_400_000],
    ['+1.5h', 5_400_000],
    ['-1.5h', -5_400_000],
    ['.5s', 500],
    ['2.s', 2_000],
    ['250ms', 250],
    ['4us', 0.004],
    ['4µs', 0.004],
    ['7ns', 7e-6],
  ])('%s is %d ms', (text, ms) => {
    expect(parseCelDuration(text)).toBeCloseTo(ms, 9);
  });

  it.each(['', '5', '1h ', ' 1h', '1x', 'h', '1h-3m', '0s0', '--1s'])('“%s” is none', text => {
    expect(parseCelDuration(text)).toBe(null);
  });
});
