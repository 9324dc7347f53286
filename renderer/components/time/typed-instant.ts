import { t } from '@lingui/core/macro';
import { parseDateString } from '../../../shared/model/dates/date-string.ts';
import { midnight, wallClock, type Zone, zoneOffsetMs } from '../../../shared/model/zone.ts';
import { parseTypedDuration } from '../../i18n/typed-duration.ts';

/** Epoch ms, or what is wrong with the text. */
export type TypedInstant = { at: number } | { problem: string };

const HOW_TO = t`Write it like in 3 days, tomorrow 14:00, 2026-12-24 18:00 or 1782864000.`;
const DAYS: ReadonlyMap<string, number> = new Map([
  ['yesterday', -1],
  ['today', 0],
  ['tomorrow', 1],
]);
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const LATEST = 8.64e15;

/**
 * Reads an instant that a person typed: `now`, `in 3 days`, `2 h ago`, `tomorrow 14:00`, `fri 9:30`, `18:00`, ISO 8601,
 * or an epoch number in seconds, ms, µs or ns by its size. Text without an offset is wall-clock time of `zone`.
 */
export function parseTypedInstant(typed: string, now: number, zone: Zone): TypedInstant {
  const text = typed.trim().toLowerCase();
  if (text === '') return { problem: t`Enter a date and a time.` };
  if (text === 'now') return { at: now };
  const read = relative(text, now) ?? onDay(text, now, zone) ?? epoch(text) ?? iso(typed.trim(), zone);
  if (read === null) return { problem: t`“${typed.trim()}” is not a date. ${HOW_TO}` };
  if ('at' in read && !(Math.abs(read.at) <= LATEST))
    return { problem: t`This is outside the range of dates.` };
  return read;
}

/** `in 3 days`, `+3d`, `3 days`, `3 days ago`, `-3d`. */
function relative(text: string, now: number): TypedInstant | null {
  const match = /^(in\s+|\+|-|−)?\s*(.*?)(\s+ago)?$/.exec(text);
  const [, sign = '', amount = '', ago] = match ?? [];
  if (!/^\d[\d.]*\s*[a-zµ]/.test(amount)) return null;
  const duration = parseTypedDuration(amount.replaceAll(/\s+and\s+/g, ' '));
  if ('problem' in duration) return duration;
  const isPast = ago !== undefined || sign === '-' || sign === '−';
  return { at: now + (isPast ? -1 : 1) * duration.seconds * 1000 };
}

/** `tomorrow`, `tomorrow 14:00`, `fri 9:30`, `14:00`. A weekday is the next one after today. */
function onDay(text: string, now: number, zone: Zone): TypedInstant | null {
  const match = /^(?:(?:next\s+)?([a-z]+)(?:\s+at)?)?(?:^|\s+|$)(?:(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/.exec(
    text,
  );
  if (match === null) return null;
  const [, day, hour = '0', minute = '0', second = '0'] = match;
  const { year, month, day: today, weekday } = wallClock(now, zone);
  const offset = day === undefined ? 0 : (DAYS.get(day) ?? daysUntil(day, weekday));
  if (offset === null) return null;
  const [h, m, s] = [Number(hour), Number(minute), Number(second)];
  if (h > 23 || m > 59 || s > 59) return { problem: t`A time is between 00:00 and 23:59:59.` };
  return { at: atWallClock(Date.UTC(year, month, today + offset, h, m, s), zone) };
}

function daysUntil(name: string, weekday: number): number | null {
  const wanted = name.length < 3 ? -1 : WEEKDAYS.findIndex(full => full.startsWith(name));
  return wanted === -1 ? null : ((wanted - weekday + 6) % 7) + 1;
}

function epoch(text: string): TypedInstant | null {
  if (!/^-?\d{9,19}(\.\d+)?$/.test(text)) return null;
  const digits = text.replace(/^-/, '').replace(/\..*/, '').length;
  const value = Number(text);
  if (digits <= 11) return { at: Math.round(value * 1000) };
  if (digits <= 14) return { at: Math.round(value) };
  return { at: Math.round(digits <= 17 ? value / 1e3 : value / 1e6) };
}

const ISO =
  /^(\d{4}-\d{2}-\d{2})(?:[t\s]+(\d{2}:\d{2})(:\d{2})?([.,]\d+)?)?\s*(z|utc|gmt|[+-]\d{2}:?\d{2})?$/i;

function iso(text: string, zone: Zone): TypedInstant | null {
  const match = ISO.exec(text);
  if (match === null) return null;
  const [, date = '', time = '00:00', seconds = ':00', fraction = '', offset] = match;
  const isNamed = offset !== undefined && /^[a-z]/i.test(offset);
  const suffix = offset === undefined || isNamed ? 'Z' : offset.replace(/^(.\d{2}):?/, '$1:');
  const at = parseDateString(`${date}T${time}${seconds}${fraction.replace(',', '.')}${suffix}`);
  if (at === null) return { problem: t`${text} does not exist.` };
  return { at: offset === undefined ? atWallClock(at, zone) : at };
}

/** Returns the instant at which the zone's wall clock shows this time, which is given as if it were UTC. */
function atWallClock(asUtc: number, zone: Zone): number {
  // The offset at the instant itself: on the day of a clock change it differs from the offset of the text read as UTC.
  const guess = asUtc - zoneOffsetMs(asUtc, zone);
  return asUtc - zoneOffsetMs(guess, zone);
}

const two = (value: number) => String(value).padStart(2, '0');

/** Returns `2026-12-24`: the day of an instant. */
export function dayOf(at: number, zone: Zone): string {
  const { year, month, day } = wallClock(at, zone);
  return `${String(year).padStart(4, '0')}-${two(month + 1)}-${two(day)}`;
}

/** Returns `2026-12-24 18:00:00`, which `parseTypedInstant` reads again. */
export function instantText(at: number, zone: Zone): string {
  const { hour, minute, second } = wallClock(at, zone);
  return `${dayOf(at, zone)} ${two(hour)}:${two(minute)}:${two(second)}`;
}

/** Returns the instant with another day, `2026-12-24`, and the time of day kept; null for text that is not a day. */
export function withDay(at: number, day: string, zone: Zone): number | null {
  const asUtc = parseDateString(day);
  if (asUtc === null) return null;
  const { year, month, day: date } = wallClock(at, zone);
  const sinceMidnight = at - midnight(year, month, date, zone);
  return atWallClock(asUtc + sinceMidnight, zone);
}
