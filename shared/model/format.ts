/**
 * Formats of numbers, durations and instants: English in the command line and in notifications, in the window in its
 * language. No function reads a clock: `now` is a parameter, in engine time.
 */
import { type WallClock, wallClock, type Zone, zoneName } from './zone.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A year of a duration has 365 days, because `expireAfter` has no calendar. */
const YEAR = 365 * DAY;

const MINUS = '−';

export type DurationUnit = 'year' | 'day' | 'hour' | 'minute' | 'second' | 'millisecond';

/** Parts of a date: `22 Nov`, `Sun 22 Nov`, `Nov 2026`, `22 Nov 2026`, `Sun 22 Nov 2026`. */
export type DateForm = 'day' | 'weekday' | 'month' | 'year' | 'full';

/** Numbers, units and dates in one language. */
export interface FormatLanguage {
  /** A whole number, with thousands separated. */
  readonly count: (count: number) => string;
  /** A number with exactly this many decimals, without thousands separators. */
  readonly fixed: (value: number, decimals: number) => string;
  /** `12 m`: a formatted amount with its unit. */
  readonly unit: (amount: string, unit: DurationUnit) => string;
  /** The two units of a duration, each with its amount: `3 h 12 m`. */
  readonly join: (larger: string, smaller: string) => string;
  readonly date: (at: number, zone: Zone, form: DateForm) => string;
  readonly now: string;
  readonly justNow: string;
  readonly ago: (duration: string) => string;
  readonly in: (duration: string) => string;
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const SHORT_UNITS = { year: 'y', day: 'd', hour: 'h', minute: 'm', second: 's', millisecond: 'ms' } as const;

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

export const ENGLISH: FormatLanguage = {
  count: count => grouped.format(count),
  fixed: (value, decimals) => value.toFixed(decimals),
  unit: (amount, unit) => `${amount} ${SHORT_UNITS[unit]}`,
  join: (larger, smaller) => `${larger} ${smaller}`,
  date(at, zone, form) {
    const { weekday, day, month, year } = wallClock(at, zone);
    const dayMonth = `${day} ${MONTHS[month] ?? ''}`;
    switch (form) {
      case 'day':
        return dayMonth;
      case 'weekday':
        return `${WEEKDAYS[weekday] ?? ''} ${dayMonth}`;
      case 'month':
        return `${MONTHS[month] ?? ''} ${year}`;
      case 'year':
        return `${dayMonth} ${year}`;
      case 'full':
        return `${WEEKDAYS[weekday] ?? ''} ${dayMonth} ${year}`;
    }
  },
  now: 'now',
  justNow: 'just now',
  ago: duration => `${duration} ago`,
  in: duration => `in ${duration}`,
};

const UNITS: readonly (readonly [ms: number, unit: DurationUnit])[] = [
  [YEAR, 'year'],
  [DAY, 'day'],
  [HOUR, 'hour'],
  [MINUTE, 'minute'],
  [SECOND, 'second'],
];

const two = (value: number) => String(value).padStart(2, '0');
const hoursMinutes = (clock: WallClock) => `${two(clock.hour)}:${two(clock.minute)}`;
const hoursMinutesSeconds = (clock: WallClock) => `${hoursMinutes(clock)}:${two(clock.second)}`;

/** `14:32:38` */
export function formatTime(at: number, zone: Zone): string {
  return hoursMinutesSeconds(wallClock(at, zone));
}

/** `14:32` */
export function formatHourMinute(at: number, zone: Zone): string {
  return hoursMinutes(wallClock(at, zone));
}

/** Returns the formats of one language. The examples are English. */
export function formatsIn(language: FormatLanguage) {
  const { count, fixed, unit, join, date, now, justNow, ago } = language;

  /** With thousands separated: `1,204,318`. Fractions are rounded, negatives have a true minus. */
  function formatCount(value: number): string {
    const text = count(Math.abs(value));
    return value < 0 && text !== '0' ? MINUS + text : text;
  }

  /** For narrow places: `8,412`, `189 k`, `2.3 M`, `1.2 G`. Counts below 10,000 stay exact. */
  function formatCompact(value: number): string {
    if (value < 0) return MINUS + formatCompact(-value);
    if (Math.round(value) < 10_000) return formatCount(value);
    // The unit is selected by the rounded figure, so that 999,600 does not become "1000 k".
    if (Math.round(value / 1e3) < 1_000) return `${Math.round(value / 1e3)} k`;
    const [amount, prefix] = Math.round(value / 1e5) < 10_000 ? [value / 1e6, 'M'] : [value / 1e9, 'G'];
    return `${Math.round(amount * 10) < 100 ? fixed(amount, 1) : formatCount(amount)} ${prefix}`;
  }

  /** Decimal units: `512 B`, `3.8 MB`, `85 MB`, `3.10 GB`. */
  function formatBytes(bytes: number): string {
    if (bytes < 0) return MINUS + formatBytes(-bytes);
    if (Math.round(bytes) < 1_000) return `${Math.round(bytes)} B`;
    const units = ['kB', 'MB', 'GB', 'TB', 'PB'];
    let value = bytes;
    let name = 'B';
    for (const next of units) {
      if (Math.round(value) < 1_000) break;
      value /= 1_000;
      name = next;
    }
    const large = name !== 'kB' && name !== 'MB';
    const decimals = value < 9.995 ? (large ? 2 : 1) : value < 99.95 && large ? 1 : 0;
    return `${fixed(value, decimals)} ${name}`;
  }

  /** The two largest units of a whole number of seconds; a second unit with amount zero is omitted. */
  function twoLargest(seconds: number): string {
    const ms = seconds * SECOND;
    const first = UNITS.findIndex(([length]) => ms >= length);
    const [length, name] = UNITS[first] ?? [SECOND, 'second'];
    const next = UNITS[first + 1];
    const head = unit(formatCount(Math.floor(ms / length)), name);
    const rest = next ? Math.floor((ms % length) / next[0]) : 0;
    return next && rest > 0 ? join(head, unit(String(rest), next[1])) : head;
  }

  /**
   * A duration or a delay: `340 ms`, `1.6 s`, `12 m 6 s`, `3 h 12 m`, `2 y 40 d`. Above ten seconds it is truncated,
   * not rounded, so that no age is overstated.
   */
  function formatDuration(ms: number): string {
    const length = Math.abs(ms);
    if (length < 1_000) return unit(String(Math.min(999, Math.round(length))), 'millisecond');
    if (length >= 10_000) return twoLargest(Math.floor(length / SECOND));
    const tenths = Math.floor(length / 100);
    return unit(fixed(tenths / 10, tenths % 10 === 0 ? 0 : 1), 'second');
  }

  /** Length of a batch: `0.8 ms`, `14 ms`. One decimal, because batches hold the writer for a few milliseconds. */
  function formatBatchLength(ms: number): string {
    const tenths = Math.round(ms * 10);
    return ms < 10 ? unit(fixed(tenths / 10, tenths % 10 === 0 ? 0 : 1), 'millisecond') : formatDuration(ms);
  }

  /** Lag of a removal, which is never zero: `< 1 ms`, `340 ms`. */
  function formatLag(ms: number): string {
    return ms < 1 ? `< ${unit('1', 'millisecond')}` : formatDuration(ms);
  }

  /** Remaining time in whole seconds, rounded up so that `0 s` means the end: `22 s`, `3 h 12 m`. */
  function formatCountdown(ms: number): string {
    return twoLargest(Math.max(0, Math.ceil(ms / SECOND)));
  }

  /** Elapsed time in whole seconds: `just now`, `6 s ago`, `12 m 6 s ago`. */
  function formatAgo(ms: number): string {
    return ms < SECOND ? justNow : ago(twoLargest(Math.floor(ms / SECOND)));
  }

  /** An instant relative to now: `in 3 h 12 m`, `12 m ago`. */
  function formatRelative(at: number, from: number): string {
    return at > from ? language.in(formatCountdown(at - from)) : formatAgo(from - at);
  }

  /** A distance from now on an axis: `+5 m`, `−1 h 30 m`, `now`. */
  function formatOffset(ms: number): string {
    if (ms === 0) return now;
    const length = Math.abs(ms);
    return (
      (ms < 0 ? MINUS : '+') +
      (length < SECOND ? unit(String(length), 'millisecond') : twoLargest(Math.round(length / SECOND)))
    );
  }

  /** `22 Nov` */
  function formatDate(at: number, zone: Zone): string {
    return date(at, zone, 'day');
  }

  /** `Sun 22 Nov` */
  function formatDay(at: number, zone: Zone): string {
    return date(at, zone, 'weekday');
  }

  /** `Nov 2026` */
  function formatMonth(at: number, zone: Zone): string {
    return date(at, zone, 'month');
  }

  /** The shortest unambiguous form relative to the day of `from`: `18:00:00`, `27 Nov 02:00`, `9 Sep 2027`. */
  function formatInstant(at: number, from: number, zone: Zone): string {
    const clock = wallClock(at, zone);
    const today = wallClock(from, zone);
    if (clock.year !== today.year) return date(at, zone, 'year');
    if (clock.month === today.month && clock.day === today.day) return hoursMinutesSeconds(clock);
    return `${date(at, zone, 'day')} ${hoursMinutes(clock)}`;
  }

  /** The full form, for tooltips and details: `Sat 21 Nov 2026 14:32:38 UTC`. */
  function formatInstantInFull(at: number, zone: Zone): string {
    return `${date(at, zone, 'full')} ${formatTime(at, zone)} ${zoneName(at, zone)}`;
  }

  return {
    formatCount,
    formatCompact,
    formatBytes,
    formatDuration,
    formatBatchLength,
    formatLag,
    formatCountdown,
    formatAgo,
    formatRelative,
    formatOffset,
    formatDate,
    formatDay,
    formatMonth,
    formatInstant,
    formatInstantInFull,
  };
}

export const { formatCount, formatBytes, formatDuration, formatRelative, formatInstantInFull } =
  formatsIn(ENGLISH);
