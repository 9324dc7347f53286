/**
 * Wall-clock time of an instant, in UTC or in the zone of the machine that shows it. The offset of a zone changes
 * with daylight saving, so it is computed per instant.
 */
export type Zone = 'utc' | 'local';

export interface WallClock {
  readonly year: number;
  /** 0 = January. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
  /** 0 = Sunday. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** Offset of the zone's wall clock from UTC at an instant, ms; positive east of Greenwich. */
export function zoneOffsetMs(at: number, zone: Zone): number {
  return zone === 'utc' ? 0 : -new Date(at).getTimezoneOffset() * 60_000;
}

export function wallClock(at: number, zone: Zone): WallClock {
  const shifted = new Date(at + zoneOffsetMs(at, zone));
  return {
    year: shifted.getUTCFullYear(),
    month: shifted.getUTCMonth(),
    day: shifted.getUTCDate(),
    weekday: shifted.getUTCDay(),
    hour: shifted.getUTCHours(),
    minute: shifted.getUTCMinutes(),
    second: shifted.getUTCSeconds(),
  };
}

/**
 * Returns the instant of a date's midnight in the zone; `month` and `day` may overflow, as in `Date`. If daylight
 * saving skips midnight, returns the first instant of the day.
 */
export function midnight(year: number, month: number, day: number, zone: Zone): number {
  // setFullYear, because the constructor reads the years 0 to 99 as 1900 to 1999.
  const date = new Date(0);
  if (zone === 'utc') return date.setUTCFullYear(year, month, day);
  date.setFullYear(year, month, day);
  return date.setHours(0, 0, 0, 0);
}

let madeFormats: readonly Intl.DateTimeFormat[] | null = null;

/** Created on first use: creation takes at least 10 ms, and most importers of this file need no zone name. */
function zoneFormats(): readonly Intl.DateTimeFormat[] {
  // British English has the European names (CET), American English the American ones (EST).
  madeFormats ??= ['en-GB', 'en-US'].map(
    locale => new Intl.DateTimeFormat(locale, { timeZoneName: 'short', hour: 'numeric' }),
  );
  return madeFormats;
}

/**
 * Returns the common name of the zone at an instant: `UTC`, `CET` in winter and `CEST` in summer, or `GMT+5:30` if it
 * has no name.
 */
export function zoneName(at: number, zone: Zone): string {
  if (zone === 'utc') return 'UTC';
  const names = zoneFormats().map(
    format => format.formatToParts(at).find(part => part.type === 'timeZoneName')?.value ?? 'local',
  );
  return names.find(name => !/^(GMT|UTC)[+-]/.test(name)) ?? names[0] ?? 'local';
}
