import type { CollectionSummary } from '../../../../shared/contract/collections.ts';
import type { DocumentState } from '../../../../shared/contract/documents.ts';
import { type DocumentsQuery, isNarrowed } from '../list/documents-query.ts';

/** Counts of the states that the collection's own figures tell; none where a filter is on, or where it would be a guess. */
export function stateCounts(
  summary: CollectionSummary | undefined,
  query: DocumentsQuery,
): Partial<Record<DocumentState | 'all', number>> {
  if (summary === undefined || isNarrowed({ ...query, state: null })) return {};
  const { documents, withDeadline, pinned, overdue, quarantined, ttlIndexes } = summary;
  return {
    all: query.includeExpired ? documents : documents - overdue,
    overdue,
    quarantined,
    // Under several indexes a document with two deadlines is counted under each.
    ...(ttlIndexes <= 1 && { never: Math.max(0, documents - withDeadline - pinned - quarantined) }),
    pinned,
  };
}
