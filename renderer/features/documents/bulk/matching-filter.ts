import type { DocumentFilter } from '../../../../shared/contract/documents.ts';
import type { Zone } from '../../../../shared/model/zone.ts';
import { STATE_WORD } from '../../../components/status/Chip.tsx';
import { formatInstant } from '../../../i18n/format.ts';
import { type DocumentsQuery, listInput } from '../list/documents-query.ts';
import type { PagerSnapshot } from '../list/pager-snapshot.ts';

/** Filter of a bulk change [E3]. */
export function matchingFilter(query: DocumentsQuery, now: number): DocumentFilter {
  const { sort, order, includeExpired, ...filter } = listInput(query, now);
  return filter;
}

/** Whether there are matching documents that are not in memory: these can only be changed by filter. */
export function hasMore(snapshot: Pick<PagerSnapshot, 'isCounted' | 'slots' | 'loaded'>): boolean {
  return !snapshot.isCounted || snapshot.slots > snapshot.loaded().length;
}

/** Returns `state Soon, containing “kite”`; null without a filter. */
export function formatFilter(query: DocumentsQuery, now: number, zone: Zone): string | null {
  const { state, filter, cel, index, reason, dueFrom, dueTo } = query;
  const instant = (at: number) => formatInstant(at, now, zone);
  const parts = [
    state !== null && `state ${STATE_WORD[state]}`,
    filter.trim() !== '' && `containing “${filter.trim()}”`,
    cel.trim() !== '' && `matching ${cel.trim()}`,
    index !== null && reason === null && `governed by ${index}`,
    reason !== null && `never by ${index ?? 'any index'}, ${reason}`,
    dueFrom !== null && `due from ${instant(dueFrom)}`,
    dueTo !== null && `due before ${instant(dueTo)}`,
  ].filter(part => part !== false);
  return parts.length === 0 ? null : parts.join(', ');
}
