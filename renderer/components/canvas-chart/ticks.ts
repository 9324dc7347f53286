import { midnight, wallClock, type Zone, zoneOffsetMs } from '../../../shared/model/zone.ts';
import {
  formatDate,
  formatDay,
  formatHourMinute,
  formatMonth,
  formatOffset,
  formatTime,
} from '../../i18n/format.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const CLOCK_STEPS = [
  ...[SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND, 15 * SECOND, 30 * SECOND],
  ...[MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE],
  ...[HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR],
];
const DAY_STEPS = [1, 2, 5, 10, 15];
const MONTH_STEPS = [1, 2, 3, 6];
const YEAR_STEPS = [1, 2, 5, 10, 20, 50, 100];
const RULER_STEPS = [
  ...CLOCK_STEPS,
  ...[1, 2, 5, 10, 15, 30, 60, 90, 180, 365, 730, 1825, 3650, 7300, 18250, 36500].map(d => d * DAY),
];

/** Least distance of two labels of the ruler, CSS pixels. */
const RULER_APART = 58;

export interface Tick {
  readonly at: number;
  readonly label: string;
  /** Drawn in bold: the start of a day or a month. */
  readonly strong: boolean;
}

/**
 * Ticks of the ruler: whole steps from now, so that they keep their place while time passes. There is no tick at now,
 * which has a flag.
 */
export function rulerTicks(from: number, to: number, now: number, pxPerMs: number): Tick[] {
  const step = RULER_STEPS.find(length => length * pxPerMs >= RULER_APART) ?? 36500 * DAY;
  const ticks: Tick[] = [];
  for (let k = Math.ceil((from - now) / step); k * step <= to - now; k++)
    if (k !== 0) ticks.push({ at: now + k * step, label: formatOffset(k * step), strong: false });
  return ticks;
}

export interface AxisOptions {
  /** Least distance of two labels, CSS pixels. */
  readonly apartPx: number;
  /** Smallest step, ms. */
  readonly leastStepMs?: number;
}

/** Ticks of the axis: round wall-clock times of the zone, also across changes of daylight saving. */
export function axisTicks(
  from: number,
  to: number,
  pxPerMs: number,
  zone: Zone,
  { apartPx, leastStepMs = 0 }: AxisOptions,
): Tick[] {
  const fits = (length: number) => length >= leastStepMs && length * pxPerMs >= apartPx;
  const clockStep = CLOCK_STEPS.find(fits);
  if (clockStep !== undefined) return clockTicks(from, to, clockStep, zone);
  const days = DAY_STEPS.find(count => fits(count * DAY));
  if (days !== undefined) return dayTicks(from, to, days, zone);
  const months = MONTH_STEPS.find(count => fits(count * 28 * DAY));
  if (months !== undefined) return monthTicks(from, to, months, zone);
  return monthTicks(from, to, 12 * (YEAR_STEPS.find(count => fits(count * 365 * DAY)) ?? 100), zone);
}

function clockTicks(from: number, to: number, step: number, zone: Zone): Tick[] {
  const ticks: Tick[] = [];
  // Starts one step earlier: the zone's offset at `from` may differ from the offset at the tick.
  for (let wall = Math.floor((from + zoneOffsetMs(from, zone)) / step) * step; ; wall += step) {
    const at = fromWall(wall, zone);
    if (at > to) return ticks;
    // A wall-clock time that daylight saving skips maps to another one.
    if (
      at < from ||
      at + zoneOffsetMs(at, zone) !== wall ||
      at <= (ticks.at(-1)?.at ?? Number.NEGATIVE_INFINITY)
    )
      continue;
    const strong = wall % DAY === 0;
    const label = strong
      ? formatDay(at, zone)
      : step < MINUTE
        ? formatTime(at, zone)
        : formatHourMinute(at, zone);
    ticks.push({ at, label, strong });
  }
}

function fromWall(wall: number, zone: Zone): number {
  // The offset is looked up twice: the first is that of an instant up to half a day away.
  const near = wall - zoneOffsetMs(wall, zone);
  return wall - zoneOffsetMs(near, zone);
}

/** Ticks every `step` days of each month, counted from its first, so that each month's start has a tick. */
function dayTicks(from: number, to: number, step: number, zone: Zone): Tick[] {
  const ticks: Tick[] = [];
  const start = wallClock(from, zone);
  for (let month = start.month; ; month++) {
    const next = midnight(start.year, month + 1, 1, zone);
    for (let day = 1; ; day += step) {
      const at = midnight(start.year, month, day, zone);
      if (at > to) return ticks;
      // The last tick of a month is left out if it would crowd the first of the next.
      if (at >= next || (day > 1 && next - at < 0.6 * step * DAY)) break;
      if (at < from) continue;
      const first = day === 1;
      ticks.push({ at, label: formatDate(at, zone), strong: first });
    }
  }
}

function monthTicks(from: number, to: number, step: number, zone: Zone): Tick[] {
  const ticks: Tick[] = [];
  const { year, month } = wallClock(from, zone);
  const months = year * 12 + month;
  for (let index = Math.floor(months / step) * step; ; index += step) {
    const at = midnight(Math.floor(index / 12), index % 12, 1, zone);
    if (at > to) return ticks;
    if (at < from) continue;
    const january = index % 12 === 0;
    ticks.push({
      at,
      label: step >= 12 ? String(index / 12) : january ? formatMonth(at, zone) : formatDate(at, zone),
      strong: january && step < 12,
    });
  }
}
