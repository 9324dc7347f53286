import { t } from '@lingui/core/macro';
import type { DocumentFilter } from '../../../../shared/contract/documents.ts';
import type { Zone } from '../../../../shared/model/zone.ts';
import { STATE_WORD } from '../../../components/status/Chip.tsx';
import { formatReason } from '../../../components/status/never-reason.ts';
import { formatInstant } from '../../../i18n/format.ts';
import { type DocumentsQuery, listInput } from '../list/documents-query.ts';
import type { PagerSnapshot } from '../list/pager-snapshot.ts';

/** Filter of a bulk change [E3]. */
export function matchingFilter(query: DocumentsQuery, now: number): DocumentFilter {
  const { sort, order, includeExpired, ...filter } = listInput(query, now);
  return filter;
}

/** Whether some matching documents are not in memory: these can only be changed by filter. */
export function hasMore(snapshot: Pick<PagerSnapshot, 'isCounted' | 'slots' | 'loaded'>): boolean {
  return !snapshot.isCounted || snapshot.slots > snapshot.loaded().length;
}

/** Returns `state Soon, containing “kite”`; null without a filter. */
export function formatFilter(query: DocumentsQuery, now: number, zone: Zone): string | null {
  const { state, filter, cel, index, reason, dueFrom, dueTo } = query;
  const from = dueFrom === null ? null : formatInstant(dueFrom, now, zone);
  const to = dueTo === null ? null : formatInstant(dueTo, now, zone);
  const text = filter.trim();
  const condition = cel.trim();
  const because = reason === null ? null : formatReason(reason);
  const parts = [
    state !== null && t`state ${STATE_WORD[state]}`,
    text !== '' && t`containing “${text}”`,
    condition !== '' && t`matching ${condition}`,
    index !== null && because === null && t`governed by ${index}`,
    index !== null && because !== null && t`never by ${index}, ${because}`,
    index === null && because !== null && t`never by any index, ${because}`,
    from !== null && t`due from ${from}`,
    to !== null && t`due before ${to}`,
  ].filter(part => part !== false);
  return parts.length === 0 ? null : parts.join(', ');
}
