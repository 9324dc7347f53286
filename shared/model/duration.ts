/** The longest `expireAfter`: 100 years, s [D1]. */
export const LONGEST_EXPIRE_AFTER = 100 * 365.25 * 86_400;

export type LongDurationUnit = 'year' | 'week' | 'day' | 'hour' | 'minute' | 'second' | 'millisecond';

interface Unit {
  seconds: number;
  short: string;
  word: LongDurationUnit;
  names: readonly string[];
}

const SECOND: Unit = {
  seconds: 1,
  short: 's',
  word: 'second',
  names: ['s', 'sec', 'secs', 'second', 'seconds'],
};
const UNITS: readonly Unit[] = [
  { seconds: 365 * 86_400, short: 'y', word: 'year', names: ['y', 'yr', 'yrs', 'year', 'years'] },
  { seconds: 7 * 86_400, short: 'w', word: 'week', names: ['w', 'week', 'weeks'] },
  { seconds: 86_400, short: 'd', word: 'day', names: ['d', 'day', 'days'] },
  { seconds: 3_600, short: 'h', word: 'hour', names: ['h', 'hr', 'hrs', 'hour', 'hours'] },
  { seconds: 60, short: 'm', word: 'minute', names: ['m', 'min', 'mins', 'minute', 'minutes'] },
  SECOND,
  { seconds: 0.001, short: 'ms', word: 'millisecond', names: ['ms', 'msec', 'millisecond', 'milliseconds'] },
];

/** Seconds, or the problem of the text and how to correct it. */
export type ParsedDuration = { seconds: number } | { problem: string };

/** Sentences about a text that is not a duration, in one language. */
export interface DurationSentences {
  howTo: string;
  empty: (howTo: string) => string;
  noUnit: (number: string) => string;
  negative: string;
  notADuration: (text: string, howTo: string) => string;
  notAUnit: (name: string) => string;
  usedTwice: (unit: string, howTo: string) => string;
  tooLong: string;
}

const ENGLISH: DurationSentences = {
  howTo: 'Write it like 90d, 1h 30m or 45 s.',
  empty: howTo => `A duration is needed. ${howTo}`,
  noUnit: number => `${number} of what? Add a unit: ${number}s, ${number}m, ${number}h or ${number}d.`,
  negative: 'A duration cannot be negative.',
  notADuration: (text, howTo) => `“${text}” is not a duration. ${howTo}`,
  notAUnit: name => `“${name}” is not a unit of time. Use y, w, d, h, m, s or ms.`,
  usedTwice: (unit, howTo) => `“${unit}” is used twice. ${howTo}`,
  tooLong: 'At most 100 years.',
};

/**
 * Parses a typed duration: numbers with units (`30d`, `1h 30m`, `1.5 hours`, `250ms`) in any order, each unit once. `0`
 * needs no unit. At most 100 years [D1].
 */
export function parseDuration(text: string, sentences = ENGLISH): ParsedDuration {
  const compact = text.trim().toLowerCase();
  if (compact === '') return { problem: sentences.empty(sentences.howTo) };
  if (/^0+(\.0+)?$/.test(compact)) return { seconds: 0 };
  if (/^[0-9.]+$/.test(compact)) return { problem: sentences.noUnit(compact) };
  if (compact.startsWith('-')) return { problem: sentences.negative };
  let seconds = 0;
  let rest = compact;
  const seen = new Set<string>();
  while (rest !== '') {
    const part = /^([0-9]+(?:\.[0-9]+)?)\s*([a-zµ]+)[\s,]*/.exec(rest);
    if (part === null) return { problem: sentences.notADuration(text.trim(), sentences.howTo) };
    const [whole, amount, name] = part as unknown as [string, string, string];
    const unit = UNITS.find(candidate => candidate.names.includes(name));
    if (unit === undefined) return { problem: sentences.notAUnit(name) };
    if (seen.has(unit.short)) return { problem: sentences.usedTwice(unit.short, sentences.howTo) };
    seen.add(unit.short);
    seconds += Number(amount) * unit.seconds;
    rest = rest.slice(whole.length);
  }
  if (seconds > LONGEST_EXPIRE_AFTER) return { problem: sentences.tooLong };
  return { seconds: Math.round(seconds * 1000) / 1000 };
}

/** Formats a duration for `parseDuration`: `90d`, `1h 30m`, `0s`. Exact to the millisecond. */
export function formatExactDuration(seconds: number): string {
  return parts(seconds)
    .map(([amount, unit]) => `${amount}${unit.short}`)
    .join(' ');
}

/**
 * Formats a duration in words: `90 days`, `1 hour 30 minutes`. `inWords`: formats an amount with its unit in another
 * language.
 */
export function formatLongDuration(
  seconds: number,
  inWords = (amount: number, unit: LongDurationUnit) => `${amount} ${unit}${amount === 1 ? '' : 's'}`,
): string {
  return parts(seconds)
    .map(([amount, unit]) => inWords(amount, unit.word))
    .join(' ');
}

function parts(seconds: number): [number, Unit][] {
  let milliseconds = Math.round(seconds * 1000);
  const found: [number, Unit][] = [];
  for (const unit of UNITS) {
    // Weeks and years are used only without a remainder: 90 days is easier to read than 12 weeks 6 days.
    const size = Math.round(unit.seconds * 1000);
    const amount = Math.floor(milliseconds / size);
    if (amount === 0 || ((unit.short === 'w' || unit.short === 'y') && milliseconds % size !== 0)) continue;
    found.push([amount, unit]);
    milliseconds -= amount * size;
  }
  return found.length === 0 ? [[0, SECOND]] : found;
}
