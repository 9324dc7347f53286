import type { CollectionSummary } from '../../../../shared/contract/collections.ts';
import type { DocumentState } from '../../../../shared/contract/documents.ts';
import { type DocumentsQuery, isFiltered } from '../list/documents-query.ts';

/** Counts by state from the collection's summary; none while a filter is set, or if the summary is not exact. */
export function stateCounts(
  summary: CollectionSummary | undefined,
  query: DocumentsQuery,
): Partial<Record<DocumentState | 'all', number>> {
  if (summary === undefined || isFiltered({ ...query, state: null })) return {};
  const { documents, withDeadline, pinned, overdue, quarantined, ttlIndexes } = summary;
  return {
    all: query.includeExpired ? documents : documents - overdue,
    overdue,
    quarantined,
    // With several indexes a document with two deadlines is counted twice.
    ...(ttlIndexes <= 1 && { never: Math.max(0, documents - withDeadline - pinned - quarantined) }),
    pinned,
  };
}
