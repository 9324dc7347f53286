/**
 * Formats of numbers, durations and instants, the same in the window, the command line and notifications. Nothing
 * here reads a clock: `now` is a parameter, and is the engine's.
 */
import { type WallClock, wallClock, type Zone, zoneName } from './zone.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A year of durations has 365 days: `expireAfter` has no calendar. */
const YEAR = 365 * DAY;

const MINUS = '−';
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** With thousands separated: `1,204,318`. Fractions are rounded, negatives have a true minus. */
export function formatCount(count: number): string {
  const text = grouped.format(Math.abs(count));
  return count < 0 && text !== '0' ? MINUS + text : text;
}

/** For narrow places: `8,412`, `189 k`, `2.3 M`, `1.2 G`. Counts below 10,000 stay exact. */
export function formatCompact(count: number): string {
  if (count < 0) return MINUS + formatCompact(-count);
  if (Math.round(count) < 10_000) return formatCount(count);
  // The unit is chosen by the rounded figure, so that 999,600 does not become "1000 k".
  if (Math.round(count / 1e3) < 1_000) return `${Math.round(count / 1e3)} k`;
  const [value, unit] = Math.round(count / 1e5) < 10_000 ? [count / 1e6, 'M'] : [count / 1e9, 'G'];
  return `${Math.round(value * 10) < 100 ? value.toFixed(1) : formatCount(value)} ${unit}`;
}

/** Decimal units: `512 B`, `3.8 MB`, `85 MB`, `3.10 GB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 0) return MINUS + formatBytes(-bytes);
  if (Math.round(bytes) < 1_000) return `${Math.round(bytes)} B`;
  const units = ['kB', 'MB', 'GB', 'TB', 'PB'];
  let value = bytes;
  let unit = 'B';
  for (const next of units) {
    if (Math.round(value) < 1_000) break;
    value /= 1_000;
    unit = next;
  }
  const large = unit !== 'kB' && unit !== 'MB';
  const decimals = value < 9.995 ? (large ? 2 : 1) : value < 99.95 && large ? 1 : 0;
  return `${value.toFixed(decimals)} ${unit}`;
}

const UNITS: readonly (readonly [ms: number, name: string])[] = [
  [YEAR, 'y'],
  [DAY, 'd'],
  [HOUR, 'h'],
  [MINUTE, 'm'],
  [SECOND, 's'],
];

/** The two largest units of a whole number of seconds; a second unit of zero is omitted. */
function twoLargest(seconds: number): string {
  const ms = seconds * SECOND;
  const first = UNITS.findIndex(([unit]) => ms >= unit);
  const [unit, name] = UNITS[first] ?? [SECOND, 's'];
  const next = UNITS[first + 1];
  const head = `${formatCount(Math.floor(ms / unit))} ${name}`;
  const rest = next ? Math.floor((ms % unit) / next[0]) : 0;
  return next && rest > 0 ? `${head} ${rest} ${next[1]}` : head;
}

/**
 * A duration or a delay: `340 ms`, `1.6 s`, `12 m 6 s`, `3 h 12 m`, `2 y 40 d`. Cut, not rounded, above ten seconds,
 * so that no age is exaggerated.
 */
export function formatDuration(ms: number): string {
  const length = Math.abs(ms);
  if (length < 1_000) return `${Math.min(999, Math.round(length))} ms`;
  if (length < 10_000) return `${(Math.floor(length / 100) / 10).toFixed(1).replace(/\.0$/, '')} s`;
  return twoLargest(Math.floor(length / SECOND));
}

/** Lag of a removal, which is never zero: `< 1 ms`, `340 ms`. */
export function formatLag(ms: number): string {
  return ms < 1 ? '< 1 ms' : formatDuration(ms);
}

/** Time left in whole seconds, rounded up so that `0 s` means over: `22 s`, `3 h 12 m`. */
export function formatCountdown(ms: number): string {
  return twoLargest(Math.max(0, Math.ceil(ms / SECOND)));
}

/** Time since, in whole seconds: `just now`, `6 s ago`, `12 m 6 s ago`. */
export function formatAgo(ms: number): string {
  return ms < SECOND ? 'just now' : `${twoLargest(Math.floor(ms / SECOND))} ago`;
}

/** An instant relative to now: `in 3 h 12 m`, `12 m ago`. */
export function formatRelative(at: number, now: number): string {
  return at > now ? `in ${formatCountdown(at - now)}` : formatAgo(now - at);
}

/** A distance from now on an axis: `+5 m`, `−1 h 30 m`, `now`. */
export function formatOffset(ms: number): string {
  if (ms === 0) return 'now';
  const length = Math.abs(ms);
  return (
    (ms < 0 ? MINUS : '+') + (length < SECOND ? `${length} ms` : twoLargest(Math.round(length / SECOND)))
  );
}

const two = (value: number) => String(value).padStart(2, '0');
const hoursMinutes = (clock: WallClock) => `${two(clock.hour)}:${two(clock.minute)}`;
const hoursMinutesSeconds = (clock: WallClock) => `${hoursMinutes(clock)}:${two(clock.second)}`;
const dayMonth = (clock: WallClock) => `${clock.day} ${MONTHS[clock.month] ?? ''}`;

/** `14:32:38` */
export function formatTime(at: number, zone: Zone): string {
  return hoursMinutesSeconds(wallClock(at, zone));
}

/** `14:32` */
export function formatHourMinute(at: number, zone: Zone): string {
  return hoursMinutes(wallClock(at, zone));
}

/** `22 Nov` */
export function formatDate(at: number, zone: Zone): string {
  return dayMonth(wallClock(at, zone));
}

/** `Sun 22 Nov` */
export function formatDay(at: number, zone: Zone): string {
  const clock = wallClock(at, zone);
  return `${WEEKDAYS[clock.weekday] ?? ''} ${dayMonth(clock)}`;
}

/** `Nov 2026` */
export function formatMonth(at: number, zone: Zone): string {
  const clock = wallClock(at, zone);
  return `${MONTHS[clock.month] ?? ''} ${clock.year}`;
}

/** The shortest unambiguous form on the day of `now`: `18:00:00`, `27 Nov 02:00`, `9 Sep 2027`. */
export function formatInstant(at: number, now: number, zone: Zone): string {
  const clock = wallClock(at, zone);
  const today = wallClock(now, zone);
  if (clock.year !== today.year) return `${dayMonth(clock)} ${clock.year}`;
  if (clock.month === today.month && clock.day === today.day) return hoursMinutesSeconds(clock);
  return `${dayMonth(clock)} ${hoursMinutes(clock)}`;
}

/** The full form, for tooltips and details: `Sat 21 Nov 2026 14:32:38 UTC`. */
export function formatInstantInFull(at: number, zone: Zone): string {
  const clock = wallClock(at, zone);
  return `${formatDay(at, zone)} ${clock.year} ${hoursMinutesSeconds(clock)} ${zoneName(at, zone)}`;
}
