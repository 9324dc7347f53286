import { isNumeric, type PatternPart } from './date-pattern.ts';
import type { ToInstant } from './zone-offset.ts';

/** Returns epoch ms, with digits beyond milliseconds cut off; null if the text is not a date of the pattern. */
export type DateReader = (text: string) => number | null;

/** The values read from a text; NaN, or 0 for the time, in fields that the pattern does not have. */
interface Fields {
  year: number;
  month: number;
  day: number;
  /** 0 = Sunday. */
  weekday: number;
  hour: number;
  /** 0: AM, 12: PM. */
  half: number;
  minute: number;
  second: number;
  ms: number;
  /** Minutes east of Greenwich. */
  offset: number;
}
type NumberField = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';

/** Reads one part from position `at` into the fields; returns the position after it, or `NO_MATCH`. */
type Step = (text: string, at: number, fields: Fields) => number;

const NO_MATCH = -1;

/**
 * Compiles a pattern, to be read from many texts. Reading takes time at most proportional to the length of the text.
 * `toInstant` returns the instant of a text without an offset.
 */
export function dateReader(parts: readonly PatternPart[], toInstant: ToInstant): DateReader {
  const steps = parts.map((part, i) => stepOf(part, parts[i + 1]));
  const hasShortYear = parts.some(part => part.kind === 'field' && part.symbol === 'y' && part.count === 2);
  const isHalfDay = parts.some(part => part.kind === 'field' && part.symbol === 'h');
  // One object is used for all texts: readings do not overlap, and each writes all fields of the pattern.
  const fields = emptyFields();
  return text => {
    let at = 0;
    for (const step of steps) {
      at = step(text, at, fields);
      if (at === NO_MATCH) return null;
    }
    if (at !== text.length) return null;
    if (hasShortYear) fields.year += fields.year < SHORT_YEARS_END ? 2000 : 1900;
    if (isHalfDay && !toWholeDay(fields)) return null;
    return instantOf(fields, toInstant);
  };
}

/** Two-digit years are those of 1970 to 2069. */
const SHORT_YEARS_END = 70;
const DAY_MS = 86_400_000;

function emptyFields(): Fields {
  return {
    year: Number.NaN,
    month: Number.NaN,
    day: Number.NaN,
    weekday: Number.NaN,
    hour: 0,
    half: Number.NaN,
    minute: 0,
    second: 0,
    ms: 0,
    offset: Number.NaN,
  };
}

/** Converts an hour of 1 to 12 into one of 0 to 23; returns false for other hours. */
function toWholeDay(fields: Fields): boolean {
  if (fields.hour < 1 || fields.hour > 12) return false;
  fields.hour = (fields.hour % 12) + fields.half;
  return true;
}

function instantOf(fields: Fields, toInstant: ToInstant): number | null {
  const { year, month, day, weekday, hour, minute, second, ms, offset } = fields;
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
  const days = daysSince1970(year, month, day);
  // 1 January 1970 was a Thursday. A wrong weekday indicates another order of day and month.
  if (!Number.isNaN(weekday) && weekday !== (((days + 4) % 7) + 7) % 7) return null;
  const local = days * DAY_MS + hour * 3_600_000 + minute * 60_000 + second * 1_000 + ms;
  return Number.isNaN(offset) ? toInstant(local) : local - offset * 60_000;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/**
 * Returns the days from 1 January 1970 to a date of the Gregorian calendar. The year begins in March, so that leap days
 * are last.
 */
function daysSince1970(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function stepOf(part: PatternPart, next: PatternPart | undefined): Step {
  switch (part.kind) {
    case 'literal':
      return literal(part.text);
    case 'spaces':
      return spaces;
    case 'field':
      return fieldStep(part, next !== undefined && isNumeric(next));
  }
}

function fieldStep({ symbol, count }: Extract<PatternPart, { kind: 'field' }>, digitsFollow: boolean): Step {
  switch (symbol) {
    case 'y':
    case 'u':
      return count === 2 ? digits('year', 2, 2) : digits('year', 4, 4);
    case 'M':
    case 'L':
      return count > 2 ? names('month', MONTHS, count === 3, 1) : digits('month', count, 2);
    case 'd':
      return digits('day', count, 2);
    case 'H':
    case 'h':
      return digits('hour', count, 2);
    case 'm':
      return digits('minute', count, 2);
    case 's':
      return digits('second', count, 2);
    case 'S':
      return fraction(digitsFollow ? count : Number.POSITIVE_INFINITY);
    case 'E':
      return names('weekday', WEEKDAYS, count < 4, 0);
    case 'a':
      return half;
    case 'X':
      return offset(offsetForm(count), true);
    case 'x':
      return offset(offsetForm(count), false);
    case 'Z':
      return count === 5 ? offset('hh:mm', true) : offset('hhmm', false);
    case 'z':
      return zoneName;
  }
}

function literal(wanted: string): Step {
  // Twice as quick, and most literals are separators.
  if (wanted.length === 1) {
    const code = wanted.charCodeAt(0);
    return (text, at) => (text.charCodeAt(at) === code ? at + 1 : NO_MATCH);
  }
  return (text, at) => (text.startsWith(wanted, at) ? at + wanted.length : NO_MATCH);
}

const SPACE = 0x20;
const ZERO = 0x30;

/** Returns 0 to 9, or `NO_MATCH`. */
function digitAt(text: string, at: number): number {
  const digit = text.charCodeAt(at) - ZERO;
  return digit >= 0 && digit <= 9 ? digit : NO_MATCH;
}

function spaces(text: string, at: number): number {
  let end = at;
  while (text.charCodeAt(end) === SPACE) end += 1;
  return end === at ? NO_MATCH : end;
}

function digits(field: NumberField, least: number, most: number): Step {
  return (text, at, fields) => {
    let value = 0;
    let end = at;
    for (; end < at + most; end++) {
      const digit = digitAt(text, end);
      if (digit === NO_MATCH) break;
      value = value * 10 + digit;
    }
    if (end - at < least) return NO_MATCH;
    fields[field] = value;
    return end;
  };
}

/** Reads at least one digit and at most `most`; digits beyond milliseconds are cut off. */
function fraction(most: number): Step {
  return (text, at, fields) => {
    let ms = 0;
    let end = at;
    for (; end < at + most; end++) {
      const digit = digitAt(text, end);
      if (digit === NO_MATCH) break;
      if (end < at + 3) ms = ms * 10 + digit;
    }
    const read = end - at;
    if (read === 0) return NO_MATCH;
    fields.ms = read === 1 ? ms * 100 : read === 2 ? ms * 10 : ms;
    return end;
  };
}

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** English names, in upper or lower case, in full or as their first three letters. */
function names(field: 'month' | 'weekday', all: readonly string[], isShort: boolean, first: number): Step {
  const numbers = new Map(all.map((name, i) => [isShort ? name.slice(0, 3) : name, i + first]));
  return (text, at, fields) => {
    let end = at + 3;
    if (!isShort) while (isLetter(text.charCodeAt(end))) end += 1;
    const number = numbers.get(text.slice(at, end).toLowerCase());
    if (number === undefined) return NO_MATCH;
    fields[field] = number;
    return end;
  };
}

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function half(text: string, at: number, fields: Fields): number {
  const read = text.slice(at, at + 2).toLowerCase();
  if (read !== 'am' && read !== 'pm') return NO_MATCH;
  fields.half = read === 'am' ? 0 : 12;
  return at + 2;
}

/** After `hh` minutes may follow. */
type OffsetForm = 'hh' | 'hhmm' | 'hh:mm';
const [PLUS, MINUS, COLON, CAPITAL_Z] = [0x2b, 0x2d, 0x3a, 0x5a];

/** Returns the form of X, XX and XXX. */
function offsetForm(letters: number): OffsetForm {
  return letters === 1 ? 'hh' : letters === 2 ? 'hhmm' : 'hh:mm';
}

function offset(form: OffsetForm, readsZ: boolean): Step {
  return (text, at, fields) => {
    const sign = text.charCodeAt(at);
    if (readsZ && sign === CAPITAL_Z) {
      fields.offset = 0;
      return at + 1;
    }
    if (sign !== PLUS && sign !== MINUS) return NO_MATCH;
    const hours = twoDigits(text, at + 1);
    let end = at + 3;
    if (form === 'hh:mm') {
      if (text.charCodeAt(end) !== COLON) return NO_MATCH;
      end += 1;
    }
    let minutes = twoDigits(text, end);
    if (!Number.isNaN(minutes)) end += 2;
    else if (form === 'hh') minutes = 0;
    if (!(hours <= 23 && minutes <= 59)) return NO_MATCH;
    fields.offset = (sign === MINUS ? -1 : 1) * (hours * 60 + minutes);
    return end;
  };
}

/** Returns NaN unless two digits are at `at`. */
function twoDigits(text: string, at: number): number {
  const [tens, ones] = [digitAt(text, at), digitAt(text, at + 1)];
  return tens === NO_MATCH || ones === NO_MATCH ? Number.NaN : tens * 10 + ones;
}

/** The names of RFC 2822, hours from Greenwich. Other abbreviations have several meanings: IST is three zones. */
const ZONE_NAMES = new Map([
  ...['UTC', 'GMT', 'UT', 'Z'].map(name => [name, 0] as const),
  ...[['EST', -5] as const, ['EDT', -4] as const, ['CST', -6] as const, ['CDT', -5] as const],
  ...[['MST', -7] as const, ['MDT', -6] as const, ['PST', -8] as const, ['PDT', -7] as const],
]);

function zoneName(text: string, at: number, fields: Fields): number {
  let end = at;
  while (isLetter(text.charCodeAt(end))) end += 1;
  const hours = ZONE_NAMES.get(text.slice(at, end));
  if (hours === undefined) return NO_MATCH;
  fields.offset = hours * 60;
  return end;
}
