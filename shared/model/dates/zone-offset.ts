import { ZONES } from './zone-table.ts';

/**
 * Returns the instant, epoch ms, of a local date and time (as ms since 1970 on the zone's clock). If clocks go back, a
 * local time occurs twice, and the later instant is returned. If clocks go forward, a skipped local time is moved by
 * the length of the gap. In both cases a document does not expire early [D3].
 */
export type ToInstant = (localMs: number) => number;

const utc: ToInstant = localMs => localMs;

/**
 * Reads a zone: an IANA name, `UTC`, or an offset such as `+05:30`. Zones are a table of this program, not of the
 * machine, so that a leader and its follower read dates alike [V5]. Returns null for another text.
 */
export function zoneOf(name: string): ToInstant | null {
  if (name === 'UTC') return utc;
  const fixed = fixedOffset(name);
  if (fixed !== null) return fixed;
  const table = Object.hasOwn(ZONES, name) ? ZONES[name] : undefined;
  return table === undefined
    ? null
    : fromTable(parseZone(table.includes('|') ? table : (ZONES[table] ?? '')));
}

/** The offsets of a zone, in seconds, each with the local time from which it applies; the first one has no start. */
interface ZoneClock {
  locals: Float64Array;
  offsets: Float64Array;
}

function fixedOffset(name: string): ToInstant | null {
  const [, sign, hours, minutes] = /^([+-])([01]\d):?([0-5]\d)$/.exec(name) ?? [];
  if (sign === undefined) return null;
  const ms = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  return localMs => localMs - ms;
}

/**
 * Parses `offsets|changes|instants`: offsets in seconds; for each change the offset after it, as one digit of base 36;
 * the seconds since the previous change (for the first, since 1970), in base 36.
 */
function parseZone(text: string): ZoneClock {
  const [offsetTexts = '', changes = '', instants = ''] = text.split('|');
  const known = offsetTexts.split(' ').map(Number);
  const locals = [Number.NEGATIVE_INFINITY];
  const offsets = [itemOf(known, 0)];
  let instant = 0;
  for (const [i, [delta]] of [...instants.matchAll(/\w+/g)].entries()) {
    instant += Number.parseInt(delta, 36);
    const after = itemOf(known, Number.parseInt(changes.charAt(i), 36));
    // The new offset applies from this local time on, whether clocks go forward or back: see ToInstant.
    locals.push(instant + after);
    offsets.push(after);
  }
  return { locals: Float64Array.from(locals), offsets: Float64Array.from(offsets) };
}

/** The item exists. */
function itemOf(items: ArrayLike<number>, index: number): number {
  return items[index] ?? Number.NaN;
}

/** Years of the table that are repeated for later years, because none of its rules ends. */
const CYCLE = { first: 2026, last: 2053 };
const AFTER_TABLE = Date.UTC(CYCLE.last + 1, 0);

function fromTable({ locals, offsets }: ZoneClock): ToInstant {
  return localMs => {
    const local = (localMs < AFTER_TABLE ? localMs : localMs - toTable(localMs)) / 1_000;
    return localMs - itemOf(offsets, search(locals, local)) * 1_000;
  };
}

/** Returns the index of the last entry at or before `local`. */
function search(locals: Float64Array, local: number): number {
  let [low, high] = [0, locals.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (itemOf(locals, middle) <= local) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Returns the distance from a local time after the table to the same day of a year in it that has the same calendar,
 * ms.
 */
function toTable(localMs: number): number {
  const year = new Date(localMs).getUTCFullYear();
  const start = Date.UTC(year, 0);
  const isLeapYear = isLeap(year);
  for (let other = CYCLE.first; other <= CYCLE.last; other++) {
    const otherStart = Date.UTC(other, 0);
    const isSameWeekday = (start - otherStart) % (7 * 86_400_000) === 0;
    if (isSameWeekday && isLeap(other) === isLeapYear) return start - otherStart;
  }
  return 0;
}

function isLeap(year: number): boolean {
  return new Date(Date.UTC(year, 1, 29)).getUTCDate() === 29;
}
