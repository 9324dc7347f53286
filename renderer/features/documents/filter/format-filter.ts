import type { Zone } from '../../../../shared/model/zone.ts';
import { formatInstant } from '../../../i18n/format.ts';
import { parseDocumentsQuery } from '../list/documents-query.ts';

/** Returns `text “acme”, overdue, due before 14:00`. */
export function formatFilter(filter: string, now: number, zone: Zone): string {
  const {
    filter: text,
    cel,
    state,
    dueFrom,
    dueTo,
    index,
    reason,
    includeExpired,
  } = parseDocumentsQuery(filter);
  const parts = [
    cel.trim() !== '' && cel.trim(),
    text.trim() !== '' && `text “${text.trim()}”`,
    state,
    dueFrom !== null && `due from ${formatInstant(dueFrom, now, zone)}`,
    dueTo !== null && `due before ${formatInstant(dueTo, now, zone)}`,
    index !== null && `index ${index}`,
    reason !== null && reason,
    includeExpired && 'with expired ones',
  ];
  return parts.filter(part => part !== false && part !== null).join(', ');
}
