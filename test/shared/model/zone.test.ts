import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { midnight, wallClock, zoneName, zoneOffsetMs } from '../../../shared/model/zone.ts';

describe('a zone', () => {
  const before = process.env.TZ;
  beforeEach(() => {
    process.env.TZ = 'Europe/Berlin';
  });
  afterEach(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });

  it('has an offset of one hour in winter and two in summer', () => {
    expect(zoneOffsetMs(Date.UTC(2026, 0, 1), 'local')).toBe(3_600_000);
    expect(zoneOffsetMs(Date.UTC(2026, 6, 1), 'local')).toBe(7_200_000);
    expect(zoneOffsetMs(Date.UTC(2026, 6, 1), 'utc')).toBe(0);
  });

  it('has a midnight for every date, also on clock changes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1970, max: 2200 }), fc.integer({ min: 0, max: 364 }), (year, day) => {
        for (const zone of ['utc', 'local'] as const) {
          const clock = wallClock(midnight(year, 0, 1 + day, zone), zone);
          expect([clock.hour, clock.minute, clock.second]).toEqual([0, 0, 0]);
          expect(clock.year).toBe(year);
        }
      }),
    );
  });

  it('reads years before 100 unchanged', () => {
    expect(wallClock(midnight(1, 0, 1, 'utc'), 'utc').year).toBe(1);
  });

  it('is called UTC, or by its local name', () => {
    expect(zoneName(0, 'utc')).toBe('UTC');
    expect(zoneName(Date.UTC(2026, 0, 1), 'local')).not.toBe('');
  });
});
