import { formatHourMinute } from '../../../../shared/model/format.ts';
import { type Zone, zoneOffsetMs } from '../../../../shared/model/zone.ts';

const MINUTE = 60_000;
const STEPS = [5, 10, 15, 30, 60, 120, 180, 360, 720].map(minutes => minutes * MINUTE);
/** Least distance of two labels in pixels. */
const APART = 58;

/** Round times of the zone between two instants, so far apart that their labels do not touch. */
export function timeTicks(
  from: number,
  to: number,
  width: number,
  zone: Zone,
): { at: number; label: string }[] {
  const step = STEPS.find(length => (length / (to - from)) * width >= APART) ?? 720 * MINUTE;
  const offset = zoneOffsetMs(from, zone);
  const ticks: { at: number; label: string }[] = [];
  for (let at = Math.ceil((from + offset) / step) * step - offset; at <= to; at += step)
    ticks.push({ at, label: formatHourMinute(at, zone) });
  return ticks;
}
