import type { Zone } from '../../../shared/model/zone.ts';
import { formatInstantInFull } from '../../i18n/format.ts';

/** An instant in a message of the engine: `Sun 22 Nov 2026 00:05:06 UTC`. */
const INSTANT = /\b[A-Z][a-z]{2} (\d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} UTC)\b/g;

/** Returns a message of the engine with its instants in the zone of the window. */
export function formatInZone(text: string, zone: Zone): string {
  if (zone === 'utc') return text;
  return text.replace(INSTANT, (match, instant: string) => {
    const at = Date.parse(instant);
    return Number.isNaN(at) ? match : formatInstantInFull(at, zone);
  });
}
