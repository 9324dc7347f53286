import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textReader } from '../../../../shared/model/date-text-reader.ts';
import { zoneOf } from '../../../../shared/model/dates/zone-offset.ts';

const read = (text: string, zone: string) =>
  textReader({ formats: ['yyyy-MM-dd HH:mm:ss', 'yyyy-MM-dd HH:mm:ssX'], zone }).read(text);
const at = (text: string) => Date.parse(text);

/** Returns the wall clock of a zone, by the system's own zones. */
function clockOf(timeZone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return instant => {
    const parts = format.formatToParts(instant);
    const of = (type: string) => Number(parts.find(part => part.type === type)?.value);
    return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  };
}

describe('the zone of dates without an offset', () => {
  it('[D3] is UTC, an offset, or an IANA name; an offset in the text takes precedence', () => {
    expect(read('2024-07-01 12:00:00', 'UTC')).toBe(at('2024-07-01T12:00:00Z'));
    expect(read('2024-07-01 12:00:00', '+05:30')).toBe(at('2024-07-01T06:30:00Z'));
    expect(read('2024-07-01 12:00:00', 'Europe/Berlin')).toBe(at('2024-07-01T10:00:00Z'));
    expect(read('2024-01-01 12:00:00', 'Europe/Berlin')).toBe(at('2024-01-01T11:00:00Z'));
    expect(read('2024-01-01 12:00:00', 'US/Eastern')).toBe(at('2024-01-01T17:00:00Z'));
    expect(read('2024-07-01 12:00:00+01', 'Europe/Berlin')).toBe(at('2024-07-01T11:00:00Z'));
    for (const name of [
      'Mars/Base',
      'europe/berlin',
      '',
      '+25:00',
      'constructor',
      'x+05:30',
      '+05:30x',
      '+5',
    ])
      expect(zoneOf(name)).toBeNull();
    expect(read('2024-07-01 12:00:00', '-0330')).toBe(at('2024-07-01T15:30:00Z'));
    expect(read('1969-12-31 12:00:00', 'Europe/Berlin')).toBe(at('1969-12-31T11:00:00Z'));
    // A zone without changes.
    expect(read('2024-07-01 12:00:00', 'Africa/Maputo')).toBe(at('2024-07-01T10:00:00Z'));
  });

  it('[D3] reads a time that a clock change skips with the offset before the change', () => {
    expect(read('2024-03-31 01:59:59', 'Europe/Berlin')).toBe(at('2024-03-31T00:59:59Z'));
    expect(read('2024-03-31 02:30:00', 'Europe/Berlin')).toBe(at('2024-03-31T01:30:00Z'));
    expect(read('2024-03-31 03:00:00', 'Europe/Berlin')).toBe(at('2024-03-31T01:00:00Z'));
    // Samoa had no 30 December 2011.
    expect(read('2011-12-30 12:00:00', 'Pacific/Apia')).toBe(at('2011-12-30T22:00:00Z'));
  });

  it('[D3] reads a time that occurs twice as the later one', () => {
    expect(read('2024-10-27 01:59:59', 'Europe/Berlin')).toBe(at('2024-10-26T23:59:59Z'));
    expect(read('2024-10-27 02:30:00', 'Europe/Berlin')).toBe(at('2024-10-27T01:30:00Z'));
    expect(read('2024-10-27 03:00:00', 'Europe/Berlin')).toBe(at('2024-10-27T02:00:00Z'));
    expect(read('2024-11-03 01:30:00', 'America/New_York')).toBe(at('2024-11-03T06:30:00Z'));
  });

  it('[D3] follows the rules of the zone in every later year', () => {
    for (const year of [2054, 2100, 2399, 9998]) {
      expect(read(`${year}-01-15 12:00:00`, 'America/New_York')).toBe(at(`${year}-01-15T17:00:00Z`));
      expect(read(`${year}-07-15 12:00:00`, 'America/New_York')).toBe(at(`${year}-07-15T16:00:00Z`));
    }
  });

  it('[D3] changes clocks on the last Sundays of March and October in Berlin, in any year', () => {
    const lastSunday = (year: number, month: number) => {
      const last = new Date(Date.UTC(year, month + 1, 0));
      return last.getTime() - last.getUTCDay() * 86_400_000;
    };
    const toInstant = zoneOf('Europe/Berlin');
    if (toInstant === null) throw new Error('there is no such zone');
    for (let year = 1996; year <= 2500; year++) {
      const [spring, autumn] = [lastSunday(year, 2), lastSunday(year, 9)];
      const offsets = [
        Date.UTC(year, 0),
        spring + 7_199_000,
        spring + 10_800_000,
        autumn + 7_199_000,
        autumn + 10_800_000,
        Date.UTC(year, 11, 31, 23),
      ].map(local => (local - toInstant(local)) / 3_600_000);
      expect(offsets, String(year)).toEqual([1, 1, 2, 2, 1, 1]);
    }
  });

  it('[D3] repeats the last years of the table, not those of older rules', () => {
    for (let year = 2054; year < 2110; year++)
      expect(read(`${year}-01-15 12:00:00`, 'Europe/Istanbul')).toBe(at(`${year}-01-15T09:00:00Z`));
  });

  it('[D3, V5] has the offsets of this Node: write the table again if they change', () => {
    const zones = [
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
      'Africa/Casablanca',
      'America/Sao_Paulo',
      'Africa/Monrovia',
      'Pacific/Apia',
      'Asia/Tehran',
      'Europe/Dublin',
    ].flatMap(zone => {
      const toInstant = zoneOf(zone);
      return toInstant === null ? [] : [{ wallClock: clockOf(zone), toInstant }];
    });
    expect(zones.length).toBe(10);
    const instants = fc
      .integer({ min: 0, max: Date.UTC(2053, 11, 30) / 1_000 })
      .map(seconds => seconds * 1_000);
    fc.assert(
      fc.property(fc.constantFrom(...zones), instants, ({ wallClock, toInstant }, instant) => {
        const local = wallClock(instant);
        const result = toInstant(local);
        // An hour that occurs twice is read as its later instant.
        expect(result).toBeGreaterThanOrEqual(instant);
        expect(wallClock(result)).toBe(local);
      }),
      { numRuns: 2_000 },
    );
  });
});
