import { t } from '@lingui/core/macro';
import {
  formatLongDuration as formatEnglishLongDuration,
  type LongDurationUnit,
} from '../../shared/model/duration.ts';
import { type DateForm, ENGLISH, type FormatLanguage, formatsIn } from '../../shared/model/format.ts';
import type { Zone } from '../../shared/model/zone.ts';
import { language } from './i18n.ts';

/** Formats of numbers, durations and instants in the language of the window. */

export { formatHourMinute, formatTime } from '../../shared/model/format.ts';

const DATES: Readonly<Record<DateForm, Intl.DateTimeFormatOptions>> = {
  day: { day: 'numeric', month: 'short' },
  weekday: { weekday: 'short', day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
  year: { day: 'numeric', month: 'short', year: 'numeric' },
  full: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
};

/** Each format is created on first use and kept: creating one takes longer than a thousand uses. */
function memoized<Key, Format>(create: (key: Key) => Format): (key: Key) => Format {
  const made = new Map<Key, Format>();
  return key => {
    const known = made.get(key) ?? create(key);
    made.set(key, known);
    return known;
  };
}

const decimals = memoized(
  (digits: number) =>
    new Intl.NumberFormat(language, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      useGrouping: false,
    }),
);
const atMost = memoized(
  (most: number) => new Intl.NumberFormat(language, { maximumFractionDigits: most, useGrouping: false }),
);
const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0, useGrouping: 'always' });

const dates = {
  utc: memoized((form: DateForm) => new Intl.DateTimeFormat(language, { ...DATES[form], timeZone: 'UTC' })),
  local: memoized((form: DateForm) => new Intl.DateTimeFormat(language, DATES[form])),
};

/**
 * Units are in the catalogue, because those of `Intl` are too long for a table in German; dates are those of `Intl`.
 */
const TRANSLATED: FormatLanguage = {
  count: count => whole.format(count),
  fixed: (value, digits) => decimals(digits).format(value),
  unit(amount, unit) {
    switch (unit) {
      case 'year':
        return t`${amount} y`;
      case 'day':
        return t`${amount} d`;
      case 'hour':
        return t`${amount} h`;
      case 'minute':
        return t`${amount} m`;
      case 'second':
        return t`${amount} s`;
      case 'millisecond':
        return t`${amount} ms`;
    }
  },
  join: (larger, smaller) => t`${larger} ${smaller}`,
  date: (at: number, zone: Zone, form: DateForm) => dates[zone](form).format(at),
  now: t`now`,
  justNow: t`just now`,
  ago: duration => t`${duration} ago`,
  in: duration => t`in ${duration}`,
};

/** Returns a number with exactly this many decimals: `2.5`, `40.0`. */
export const formatFixed = (value: number, digits: number): string => decimals(digits).format(value);

/** Returns a number with at most this many decimals: `2.5`, `40`. */
export const formatDecimal = (value: number, most: number): string => atMost(most).format(value);

export const {
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
} = formatsIn(language === 'en' ? ENGLISH : TRANSLATED);

const longUnit = memoized(
  (unit: LongDurationUnit) => new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }),
);

/** Returns a duration in words: `90 days`, `1 hour 30 minutes`. */
export const formatLongDuration = (seconds: number): string =>
  formatEnglishLongDuration(seconds, (amount, unit) => longUnit(unit).format(amount));
