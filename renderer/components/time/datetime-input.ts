import { parseDateString } from '../../../shared/model/date-string.ts';
import { wallClock, type Zone, zoneOffsetMs } from '../../../shared/model/zone.ts';

const two = (value: number) => String(value).padStart(2, '0');

/** Returns the text of a `datetime-local` input for an instant, in a zone. */
export function toInputText(at: number, zone: Zone): string {
  const { year, month, day, hour, minute, second } = wallClock(at, zone);
  return `${String(year).padStart(4, '0')}-${two(month + 1)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}`;
}

/** Returns the instant of a `datetime-local` input; null while it is incomplete. */
export function fromInputText(text: string, zone: Zone): number | null {
  const withSeconds = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text) ? `${text}:00` : text;
  const asUtc = parseDateString(withSeconds);
  if (asUtc === null) return null;
  // The offset at the instant itself: on the day of a clock change it differs from the offset of the text read as UTC.
  const guess = asUtc - zoneOffsetMs(asUtc, zone);
  return asUtc - zoneOffsetMs(guess, zone);
}
