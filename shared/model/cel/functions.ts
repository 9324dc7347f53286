import { prepareFormats, type TextReader } from '../dates/date-formats.ts';
import { parseDateString } from '../dates/date-string.ts';
import { readReferenceTime, type TimeUnit } from '../reference-time.ts';
import { make, makeText, spend, spendCharacters } from './cost.ts';
import { parseCelDuration } from './duration.ts';
import { BINARY } from './operators.ts';
import { EvaluationProblem } from './problem.ts';
import { aKind, Duration, isMap, isNumber, keysOf, Timestamp } from './values.ts';

/** A function of expressions, with its types for the checker. */
export interface CelFunction {
  /** Signatures that CEL's own library lacks, in its notation. */
  signatures?: readonly string[];
  apply: (...args: unknown[]) => unknown;
}

const TIMESTAMP = 'google.protobuf.Timestamp';
const DURATION = 'google.protobuf.Duration';

/** The functions of every expression. They throw EvaluationProblem, which names the function. */
export const FUNCTIONS: Readonly<Record<string, CelFunction>> = {
  timestamp: {
    signatures: [
      `timestamp(double): ${TIMESTAMP}`,
      `timestamp(${TIMESTAMP}): ${TIMESTAMP}`,
      `timestamp(string, string): ${TIMESTAMP}`,
      `timestamp(string, string, string): ${TIMESTAMP}`,
    ],
    apply: (value, ...format) => {
      if (format.length > 0) return inFormat(value, dateFormat(...format));
      return typeof value === 'string' ? fromDateString(value) : fromUnixTime(value, 'seconds');
    },
  },
  timestampMs: {
    signatures: [`timestampMs(dyn): ${TIMESTAMP}`],
    apply: value => fromUnixTime(value, 'milliseconds'),
  },
  duration: {
    signatures: [
      `duration(int): ${DURATION}`,
      `duration(double): ${DURATION}`,
      `duration(${DURATION}): ${DURATION}`,
    ],
    apply: toDuration,
  },
  isDateString: {
    signatures: ['isDateString(dyn): bool'],
    apply: value => typeof value === 'string' && dateOf(value) !== null,
  },
  max: { signatures: ['max(dyn, dyn): dyn'], apply: (a, b) => (BINARY['<'](a, b) ? b : a) },
  min: { signatures: ['min(dyn, dyn): dyn'], apply: (a, b) => (BINARY['<'](b, a) ? b : a) },
  size: { apply: sizeOf },
  dyn: { apply: value => value },
  string: { signatures: [`string(${TIMESTAMP}): string`, `string(${DURATION}): string`], apply: toText },
  int: { signatures: [`int(${TIMESTAMP}): int`], apply: toInt },
  double: { apply: toDouble },
  bool: { apply: toBool },
};

/** The date string and the fraction of its seconds, which may have many digits. */
function dateOf(text: string): number | null {
  spend(Math.min(text.length, DATE_STEPS));
  spendCharacters(4 * text.length);
  return parseDateString(text);
}
const DATE_STEPS = 32;

function fromDateString(text: string): Timestamp {
  const ms = dateOf(text);
  if (ms === null)
    throw new EvaluationProblem(`timestamp: “${shortened(text)}” is not a date.`, 'not a date');
  return new Timestamp(ms);
}

/** Steps of compiling any format and finding its zone, and steps of each character. */
const FORMAT_STEPS = 2_000;
const FORMAT_CHARACTER_STEPS = 50;
const FORMAT_BYTES = 16 * 1_024;

/**
 * Prepares a date format, in UTC without a zone [D3]. A literal format is prepared with its expression; a format from a
 * document is prepared and charged each time. Throws EvaluationProblem for an invalid format or zone.
 */
export function dateFormat(format?: unknown, zone: unknown = 'UTC'): TextReader {
  for (const part of [format, zone]) {
    if (typeof part !== 'string')
      throw new EvaluationProblem(`timestamp takes a date format and a zone as strings, not ${aKind(part)}.`);
    spend(FORMAT_STEPS + FORMAT_CHARACTER_STEPS * part.length);
  }
  make(FORMAT_BYTES);
  const prepared = prepareFormats({ formats: [String(format)], zone: String(zone) });
  if ('problem' in prepared) throw new EvaluationProblem(`timestamp: ${prepared.problem}`);
  return prepared;
}

export function inFormat(value: unknown, format: TextReader): Timestamp {
  if (typeof value !== 'string')
    throw new EvaluationProblem(`timestamp with a format takes a string, not ${aKind(value)}.`, 'wrong type');
  spend(DATE_STEPS);
  spendCharacters(4 * value.length);
  const ms = format.read(value);
  if (ms !== null) return new Timestamp(ms);
  throw new EvaluationProblem(`timestamp: “${shortened(value)}” is not a date of its format.`, 'not a date');
}

function fromUnixTime(value: unknown, unit: TimeUnit): Timestamp {
  if (value instanceof Timestamp) return value;
  const name = unit === 'seconds' ? 'timestamp' : 'timestampMs';
  if (!isNumber(value)) {
    const takes = unit === 'seconds' ? 'a date string or seconds since 1970' : 'milliseconds since 1970';
    throw new EvaluationProblem(`${name} takes ${takes}, not ${aKind(value)}.`);
  }
  const read = readReferenceTime(value, unit);
  if ('at' in read) return new Timestamp(read.at);
  const other =
    unit === 'seconds' ? 'milliseconds (timestampMs reads those)' : 'seconds (timestamp reads those)';
  throw new EvaluationProblem(
    read.reason === 'wrong unit suspected'
      ? `${name}: ${value} looks like ${other}, not ${unit}.`
      : `${name}: ${value} is ${read.reason}.`,
    read.reason,
  );
}

function toDuration(value: unknown): Duration {
  if (value instanceof Duration) return value;
  if (isNumber(value)) return new Duration(Number(value) * 1000);
  if (typeof value !== 'string') {
    throw new EvaluationProblem(`duration takes a text such as "24h" or seconds, not ${aKind(value)}.`);
  }
  spend(DURATION_CHARACTER_STEPS * value.length);
  const ms = parseCelDuration(value);
  if (ms !== null) return new Duration(ms);
  throw new EvaluationProblem(
    `duration: “${shortened(value)}” is not a duration. Write it like "90s", "10m", "24h", "1h30m" or "30d".`,
  );
}

/** Each character may be a separate part, as in `1h1h`. */
const DURATION_CHARACTER_STEPS = 4;

/** Returns the number of code points, items or keys, as an int. */
export function sizeOf(value: unknown): bigint {
  if (typeof value === 'string') {
    spend(value.length);
    let points = 0;
    for (const _ of value) points += 1;
    return BigInt(points);
  }
  if (Array.isArray(value)) return BigInt(value.length);
  if (isMap(value)) return BigInt(keysOf(value).length);
  throw new EvaluationProblem(`size takes a string, a list or a map, not ${aKind(value)}.`);
}

/** Throws EvaluationProblem for lists, maps and null. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  spend(typeof value === 'bigint' ? BIGINT_TEXT_STEPS : NUMBER_TEXT_STEPS);
  makeText(SHORT_TEXT);
  if (value instanceof Timestamp) return isoText(value);
  if (value instanceof Duration) return `${value.ms / 1000}s`;
  if (typeof value === 'boolean' || isNumber(value)) return String(value);
  throw notConvertible('string', value);
}
const NUMBER_TEXT_STEPS = 20;
const BIGINT_TEXT_STEPS = 200;
const SHORT_TEXT = 32;

function toInt(value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  spend(INT_STEPS);
  if (value instanceof Timestamp) return BigInt(Math.floor(value.ms / 1000));
  if (typeof value === 'number' && Number.isFinite(value)) return BigInt(Math.trunc(value));
  if (typeof value === 'string' && /^[+-]?\d{1,20}$/.test(value)) return BigInt(value.replace('+', ''));
  throw notConvertible('int', value);
}

const INT_STEPS = 20;

function toDouble(value: unknown): number {
  if (isNumber(value)) return Number(value);
  if (typeof value === 'string') spend(value.length);
  // Only one form of number is accepted: otherwise matching a long text that is not a number would backtrack.
  if (typeof value === 'string' && /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(value))
    return Number(value);
  throw notConvertible('double', value);
}

function toBool(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (value === 'true') return true;
  if (value === 'false') return false;
  throw notConvertible('bool', value);
}

function notConvertible(name: string, value: unknown): EvaluationProblem {
  const what = typeof value === 'string' ? `“${shortened(value)}”` : `${aKind(value)}`;
  return new EvaluationProblem(`${name} cannot be made of ${what}.`);
}

/**
 * Returns ISO 8601 in UTC with Z. Throws EvaluationProblem outside the years 0 to 9999, which ISO 8601 cannot
 * represent.
 */
export function isoText({ ms }: Timestamp): string {
  if (ms >= FIRST_WRITABLE && ms < AFTER_LAST_WRITABLE) return new Date(ms).toISOString();
  throw new EvaluationProblem('A timestamp lies outside the years 0 to 9999.', 'out of range');
}
const FIRST_WRITABLE = Date.parse('0000-01-01T00:00:00Z');
const AFTER_LAST_WRITABLE = Date.UTC(10_000, 0, 1);

/** Shortens a value of a document for an error message. */
export function shortened(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}
