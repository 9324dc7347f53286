import { t } from '@lingui/core/macro';
import type { Zone } from '../../../../shared/model/zone.ts';
import { STATE_WORD } from '../../../components/status/Chip.tsx';
import { formatReason } from '../../../components/status/never-reason.ts';
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
  const from = dueFrom === null ? null : formatInstant(dueFrom, now, zone);
  const to = dueTo === null ? null : formatInstant(dueTo, now, zone);
  const typed = text.trim();
  const parts = [
    cel.trim() !== '' && cel.trim(),
    typed !== '' && t`text “${typed}”`,
    state !== null && t`state ${STATE_WORD[state]}`,
    from !== null && t`due from ${from}`,
    to !== null && t`due before ${to}`,
    index !== null && t`index ${index}`,
    reason !== null && formatReason(reason),
    includeExpired && t`with expired ones`,
  ];
  return parts.filter(part => part !== false && part !== null).join(', ');
}
