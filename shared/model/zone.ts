/**
 * Wall-clock reading of an instant, in UTC or in the zone of the machine that shows it.
 * A zone's distance from UTC changes with daylight saving, so it is asked for per instant, never once.
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

/** Milliseconds to add to an instant to read its wall clock as if it were UTC: east of Greenwich is positive. */
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
 * The instant at which the wall clock shows a date's midnight; `month` and `day` may run over, as in `Date`.
 * Where daylight saving skips that midnight, the first instant of the day.
 */
export function midnight(year: number, month: number, day: number, zone: Zone): number {
  // setFullYear, not a constructor: those take the years 0 to 99 for the twentieth century.
  const date = new Date(0);
  if (zone === 'utc') return date.setUTCFullYear(year, month, day);
  date.setFullYear(year, month, day);
  return date.setHours(0, 0, 0, 0);
}

let madeFormats: readonly Intl.DateTimeFormat[] | null = null;

/** Made when first asked for: that takes 10 ms and more, and most of whoever loads this file names no zone. */
function zoneFormats(): readonly Intl.DateTimeFormat[] {
  // British English knows the European names (CET), American English the American ones (EST).
  madeFormats ??= ['en-GB', 'en-US'].map(
    locale => new Intl.DateTimeFormat(locale, { timeZoneName: 'short', hour: 'numeric' }),
  );
  return madeFormats;
}

/** What people call the zone at that instant: `UTC`, `CET` in winter and `CEST` in summer, or `GMT+5:30` where there is no name. */
export function zoneName(at: number, zone: Zone): string {
  if (zone === 'utc') return 'UTC';
  const names = zoneFormats().map(
    format => format.formatToParts(at).find(part => part.type === 'timeZoneName')?.value ?? 'local',
  );
  return names.find(name => !/^(GMT|UTC)[+-]/.test(name)) ?? names[0] ?? 'local';
}
