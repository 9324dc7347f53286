import type { CollectionSummary } from '../../../../../shared/contract/collections.ts';
import type { DocumentRecord, Explanation } from '../../../../../shared/contract/documents.ts';
import type { TimelineAnswer } from '../../../../../shared/contract/timeline.ts';
import type { TimelineQuery } from '../../backend.ts';
import type { TableEntry } from '../catalog/table-entry.ts';
import type { Session } from '../connection/session.ts';
import type { RowDeadlines } from './row-deadlines.ts';
import type { RowKey } from './row-id.ts';

/** Source of the deadlines of rows: TTL indexes of Sandglass, or the row-level TTL of another product. */
export interface TableDeadlines {
  /** Returns the summary of a table with its deadlines. */
  summary(table: CollectionSummary, entry: TableEntry, now: number): CollectionSummary;
  ofRows(session: Session, entry: TableEntry): Promise<RowDeadlines>;
  explain(
    session: Session,
    entry: TableEntry,
    found: { record: DocumentRecord; key: RowKey },
  ): Promise<Explanation>;
  timeline(
    session: Session,
    query: TimelineQuery,
    at: { now: number; revision: number },
  ): Promise<TimelineAnswer>;
}
