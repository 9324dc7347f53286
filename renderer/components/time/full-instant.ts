import type { Zone } from '../../../shared/model/zone.ts';
import { formatInstantInFull } from '../../i18n/format.ts';

/** The full instant of a short text: shown on hover, and the description for a screen reader, which may ignore a title. */
export function fullInstant(at: number, zone: Zone): { title: string; 'aria-description': string } {
  const full = formatInstantInFull(at, zone);
  return { title: full, 'aria-description': full };
}
