import type { TableDeadlines } from '../rows/table-deadlines.ts';
import type { GovernanceSnapshot } from './governance-snapshot.ts';
import { readGovernedTimeline } from './governed-timeline.ts';
import { rowDeadlinesOf } from './row-deadlines-of.ts';
import { explainRow } from './row-explanation.ts';
import { summaryWith } from './table-summary.ts';

/** The deadlines by the TTL indexes of the schema `sandglass`. */
export function governedDeadlines(snapshot: () => GovernanceSnapshot): TableDeadlines {
  return {
    summary: (table, { oid }, now) => summaryWith(table, oid, snapshot(), now),
    ofRows: (session, entry) => rowDeadlinesOf(session, snapshot(), entry),
    explain: (session, entry, found) => explainRow(session, snapshot(), entry, found),
    timeline: (session, query, at) => readGovernedTimeline(session, snapshot(), query, at),
  };
}
