import { formatInstantInFull } from '../../../shared/model/format.ts';
import type { Zone } from '../../../shared/model/zone.ts';

/** An instant as the engine's sentences tell it: `Sun 22 Nov 2026 00:05:06 UTC`. */
const TOLD = /\b[A-Z][a-z]{2} (\d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} UTC)\b/g;

/** A sentence of the engine, which knows no window, with its instants in the zone that is shown everywhere. */
export function textInZone(text: string, zone: Zone): string {
  if (zone === 'utc') return text;
  return text.replace(TOLD, (told, instant: string) => {
    const at = Date.parse(instant);
    return Number.isNaN(at) ? told : formatInstantInFull(at, zone);
  });
}
