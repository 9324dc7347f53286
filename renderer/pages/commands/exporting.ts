import { here } from '../../components/navigation/location.ts';
import { getZone, now } from '../../components/time/clock.ts';
import { formatFilter, matchingFilter } from '../../features/documents/bulk/matching-filter.ts';
import { listInput, parseDocumentsQuery } from '../../features/documents/list/documents-query.ts';
import { type FilteredPart, requestExport } from '../../features/export/export-request.ts';

/** Opens the export dialog for the selection, the filtered list, or the whole collection. */
export function exportFrom(collection: string, ids: readonly string[] | null = null): void {
  requestExport({ collection, part: shownPart(collection), ids });
}

/** The filter of the collection's list in the URL; null: none. */
function shownPart(collection: string): FilteredPart | null {
  const { path, query: search } = here();
  if (path[0] !== 'collections' || path[1] !== collection || path[2] !== 'documents') return null;
  const query = parseDocumentsQuery(search.toString());
  const description = formatFilter(query, now(), getZone());
  if (description === null) return null;
  const { includeExpired = false } = listInput(query, now());
  return { filter: matchingFilter(query, now()), includeExpired, description };
}
