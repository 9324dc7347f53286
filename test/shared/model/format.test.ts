import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ENGLISH, formatsIn, formatTime } from '../../../shared/model/format.ts';

const {
  formatAgo,
  formatBytes,
  formatCompact,
  formatCount,
  formatCountdown,
  formatDuration,
  formatInstant,
  formatInstantInFull,
  formatLag,
  formatOffset,
  formatRelative,
} = formatsIn(ENGLISH);

const NOW = Date.UTC(2026, 10, 21, 14, 32, 38);
const S = 1_000;
const M = 60 * S;
const H = 60 * M;
const D = 24 * H;

describe('a lag', () => {
  it('is never formatted as none', () => {
    expect([0, 0.4, 1, 97, 1_600].map(formatLag)).toEqual(['< 1 ms', '< 1 ms', '1 ms', '97 ms', '1.6 s']);
  });
});

describe('numbers', () => {
  it('are written in full, with thousands separated', () => {
    expect([0, 999, 1_000, 1_204_318, -5_005].map(formatCount)).toEqual([
      '0',
      '999',
      '1,000',
      '1,204,318',
      '−5,005',
    ]);
    expect(formatCount(-0.2)).toBe('0');
  });

  it('are compact only above 10,000', () => {
    expect(
      [8_412, 9_999, 12_077, 188_530, 999_600, 2_306_118, 41_000_000, 1_200_000_000].map(formatCompact),
    ).toEqual(['8,412', '9,999', '12 k', '189 k', '1.0 M', '2.3 M', '41 M', '1.2 G']);
  });

  it('never show four digits before a compact unit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10_000, max: 900_000_000_000 }), count => {
        expect(formatCompact(count)).toMatch(/^\d{1,3}(\.\d)? [kMG]$/);
      }),
    );
  });

  it('become bytes in decimal units', () => {
    expect(
      [0, 512, 999.6, 3_800_000, 85_000_000, 573_000_000, 3_100_000_000, 999_999_999].map(formatBytes),
    ).toEqual(['0 B', '512 B', '1.0 kB', '3.8 MB', '85 MB', '573 MB', '3.10 GB', '1.00 GB']);
  });
});

describe('durations', () => {
  it('show the two largest units', () => {
    expect(
      [340, 1_640, 9_990, 12 * M + 6 * S, 3 * H + 12 * M + 59 * S, 90 * D, 800 * D].map(formatDuration),
    ).toEqual(['340 ms', '1.6 s', '9.9 s', '12 m 6 s', '3 h 12 m', '90 d', '2 y 70 d']);
  });

  it('leave out a second unit of zero, and never skip one', () => {
    expect(formatDuration(3 * H + 5 * S)).toBe('3 h');
    expect(formatDuration(59_999)).toBe('59 s');
  });

  it('count down in whole seconds and reach zero only at the end', () => {
    expect([22 * S, 21_001, 1, 0, -5 * S, 59_999].map(formatCountdown)).toEqual([
      '22 s',
      '22 s',
      '1 s',
      '0 s',
      '0 s',
      '1 m',
    ]);
  });

  it('format a past instant in whole seconds', () => {
    expect([0, 999, 6_400, 12 * M + 6 * S].map(formatAgo)).toEqual([
      'just now',
      'just now',
      '6 s ago',
      '12 m 6 s ago',
    ]);
  });

  it('are formatted relative to now', () => {
    expect(formatRelative(NOW + 3 * H + 12 * M, NOW)).toBe('in 3 h 12 m');
    expect(formatRelative(NOW - 12 * M, NOW)).toBe('12 m ago');
    expect(formatRelative(NOW, NOW)).toBe('just now');
  });

  it('have a sign on an axis', () => {
    expect([-90 * M, 0, 5 * M, 250, -365 * D].map(formatOffset)).toEqual([
      '−1 h 30 m',
      'now',
      '+5 m',
      '+250 ms',
      '−1 y',
    ]);
  });

  it('are never longer than the elapsed time, nor shorter than the remaining time', () => {
    const scale: Record<string, number> = { ms: 1, s: S, m: M, h: H, d: D, y: 365 * D };
    const read = (text: string) => {
      let total = 0;
      for (const [, figure, unit] of text.matchAll(/([\d.,]+) (ms|[smhdy])/g))
        total += Number((figure ?? '').replaceAll(',', '')) * (scale[unit ?? ''] ?? Number.NaN);
      return total;
    };
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 400 * D }), ms => {
        expect(read(formatDuration(ms))).toBeLessThanOrEqual(ms);
        if (ms < H) expect(read(formatCountdown(ms))).toBeGreaterThanOrEqual(ms);
      }),
    );
  });
});

describe('instants', () => {
  const zone = process.env.TZ;
  beforeEach(() => {
    process.env.TZ = 'Europe/Berlin';
  });
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it('are a time today, a date this year, a year otherwise', () => {
    expect(formatInstant(Date.UTC(2026, 10, 21, 18, 44, 50), NOW, 'utc')).toBe('18:44:50');
    expect(formatInstant(Date.UTC(2026, 10, 27, 2), NOW, 'utc')).toBe('27 Nov 02:00');
    expect(formatInstant(Date.UTC(2025, 8, 9, 6, 13), NOW, 'utc')).toBe('9 Sep 2025');
  });

  it('depend on the current day in the displayed zone', () => {
    const late = Date.UTC(2026, 10, 21, 23, 30);
    expect(formatInstant(late, NOW, 'utc')).toBe('23:30:00');
    expect(formatInstant(late, NOW, 'local')).toBe('22 Nov 00:30');
  });

  it('use the offset of the instant, not of today', () => {
    expect(formatTime(Date.UTC(2026, 6, 1, 12), 'local')).toBe('14:00:00');
    expect(formatTime(Date.UTC(2026, 11, 1, 12), 'local')).toBe('13:00:00');
  });

  it('are written in full with their zone', () => {
    expect(formatInstantInFull(NOW, 'utc')).toBe('Sat 21 Nov 2026 14:32:38 UTC');
    expect(formatInstantInFull(NOW, 'local')).toMatch(/^Sat 21 Nov 2026 15:32:38 \S+$/);
  });
});
