import type { TextReader } from './dates/date-formats.ts';
import { parseDateString } from './dates/date-string.ts';

export type TimeUnit = 'seconds' | 'milliseconds';

/**
 * Reason why a document has no deadline [D2, D4, D5, D8, A5, E1, X1], in the words shown to people. Stores save the
 * position in this list: append only, never reorder.
 */
export const NEVER_REASONS = [
  'missing field',
  'not a date',
  'wrong type',
  'not finite',
  'out of range',
  'wrong unit suspected',
  'expression error',
  'set by hand',
  'pinned',
  'no TTL index',
  'expression gave null',
  'not a duration',
  'quarantined',
] as const;
export type NeverReason = (typeof NEVER_REASONS)[number];

/** Reasons why an existing value cannot be read; the reasons of documents without a value are not included. */
const UNREADABLE: ReadonlySet<NeverReason> = new Set([
  'not a date',
  'wrong type',
  'not finite',
  'out of range',
  'wrong unit suspected',
  'expression error',
  'not a duration',
]);
export function isUnreadable(reason: NeverReason): boolean {
  return UNREADABLE.has(reason);
}

/** A reference time, epoch ms, or the reason why there is none. */
export type ReferenceTime = { at: number } | { reason: NeverReason };

/** Numbers below this are not plausible as milliseconds; numbers from this on are not plausible as seconds [D4]. */
export const UNIT_BOUND = 1e11;
export const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Reads the reference time of a field [D3 to D6]: a date string, a Unix time in `unit`, or an array of them, of which
 * the earliest valid one counts. With `texts`, only its formats decide whether a text is a date. Never throws; for any
 * other value a reason is returned.
 */
export function readReferenceTime(
  value: unknown,
  unit: TimeUnit,
  texts: TextReader | null = null,
): ReferenceTime {
  switch (typeof value) {
    case 'string':
      return readDateString(value, texts);
    case 'number':
    case 'bigint':
      return texts?.readsNumbers === true
        ? readDateString(String(value), texts)
        : readUnixTime(Number(value), unit);
    case 'undefined':
      return { reason: 'missing field' };
    default:
      if (value === null) return { reason: 'missing field' };
      return Array.isArray(value) ? readEarliest(value, unit, texts) : { reason: 'wrong type' };
  }
}

function readDateString(text: string, texts: TextReader | null): ReferenceTime {
  const at = texts === null ? parseDateString(text) : texts.read(text);
  return at === null ? { reason: 'not a date' } : inRange(at);
}

function readUnixTime(number: number, unit: TimeUnit): ReferenceTime {
  if (!Number.isFinite(number)) return { reason: 'not finite' };
  const looksLikeSeconds = Math.abs(number) < UNIT_BOUND;
  if (looksLikeSeconds !== (unit === 'seconds')) return { reason: 'wrong unit suspected' };
  return inRange(unit === 'seconds' ? wholeMs(number * 1000) : Math.floor(number));
}

/** Fractions are truncated, except for the rounding error of a division by a thousand: `Date.now() / 1000` is exact. */
function wholeMs(ms: number): number {
  return Math.floor(ms + Math.abs(ms) * 2 * Number.EPSILON);
}

function inRange(at: number): ReferenceTime {
  return at >= 0 && at <= LAST_INSTANT ? { at } : { reason: 'out of range' };
}

function readEarliest(values: readonly unknown[], unit: TimeUnit, texts: TextReader | null): ReferenceTime {
  let earliest: ReferenceTime | undefined;
  for (const value of values) {
    // An array inside the array is not a date: the rule is MongoDB's, which reads one level.
    const read: ReferenceTime = Array.isArray(value)
      ? { reason: 'wrong type' }
      : readReferenceTime(value, unit, texts);
    if (earliest === undefined || ('at' in read && !('at' in earliest && earliest.at <= read.at)))
      earliest = read;
  }
  return earliest ?? { reason: 'missing field' };
}
