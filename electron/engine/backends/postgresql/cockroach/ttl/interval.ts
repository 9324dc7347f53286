import { plainNumber } from '../../../../../../shared/model/json/plain-number.ts';

/** A duration of CockroachDB. Months have no fixed length; days are 24 hours, since sessions are in UTC. */
export interface Interval {
  readonly months: number;
  readonly seconds: number;
}

const UNITS: readonly (readonly [names: RegExp, months: number, seconds: number])[] = [
  [/^(y|yrs?|years?)$/i, 12, 0],
  [/^(mons?|months?)$/i, 1, 0],
  [/^(w|weeks?)$/i, 0, 604_800],
  [/^(d|days?)$/i, 0, 86_400],
  [/^(h|hrs?|hours?)$/i, 0, 3_600],
  [/^(m|mins?|minutes?)$/i, 0, 60],
  [/^(s|secs?|seconds?)$/i, 0, 1],
  [/^(ms|msecs?|milliseconds?)$/i, 0, 0.001],
  [/^(us|µs|usecs?|microseconds?)$/i, 0, 0.000_001],
  [/^ns$/i, 0, 0.000_000_001],
];

const PART =
  /\s*(?:(?<clock>(?<sign>-?)(?<hours>\d+):(?<minutes>\d{2})(?::(?<seconds>\d{2}(?:\.\d+)?))?)|(?<amount>[+-]?\d+(?:\.\d+)?)\s*(?<unit>[a-zµ]+))\s*/iuy;

/**
 * Reads an interval as CockroachDB and Go write it: `00:10:00`, `3 mons`, `1 day 02:00:00`, `10 minutes`, `1m0s`. Null: it is
 * written in another way.
 */
export function parseInterval(text: string): Interval | null {
  const trimmed = text.trim();
  let months = 0;
  let seconds = 0;
  PART.lastIndex = 0;
  let end = 0;
  while (end < trimmed.length) {
    PART.lastIndex = end;
    const groups = PART.exec(trimmed)?.groups;
    if (groups === undefined) return null;
    end = PART.lastIndex;
    if (groups.clock !== undefined) {
      const clock = Number(groups.hours) * 3_600 + Number(groups.minutes) * 60 + Number(groups.seconds ?? 0);
      seconds += groups.sign === '-' ? -clock : clock;
      continue;
    }
    const unit = UNITS.find(([names]) => names.test(groups.unit ?? ''));
    if (unit === undefined) return null;
    months += Number(groups.amount) * unit[1];
    seconds += Number(groups.amount) * unit[2];
  }
  return end === 0 ? null : { months, seconds: Math.round(seconds * 1e9) / 1e9 };
}

/** Returns a duration in seconds as an interval of CockroachDB: `600 seconds`. */
export function intervalText(seconds: number): string {
  return `${plainNumber(seconds)} seconds`;
}

/** Returns the seconds of an interval; null: it has months, or cannot be read. */
export function secondsOf(text: string): number | null {
  const interval = parseInterval(text);
  return interval === null || interval.months !== 0 ? null : interval.seconds;
}
