import { useCallback, useEffect, useMemo } from 'react';
import type { CollectionSummary } from '../../../../shared/contract/collections.ts';
import { client, engineNow, liveState, onReconnect, useLive } from '../../../api.ts';
import { useStore } from '../../../state/store.ts';
import { DocumentPager } from './document-pager.ts';
import { documentSource } from './document-source.ts';
import { type DocumentsQuery, isNarrowed } from './documents-query.ts';
import type { PagerSnapshot } from './pager-snapshot.ts';
import { Throttle } from './throttle.ts';

/** What is looked at is read again at most this often, however much changes. */
const REFRESH_MS = 500;
/** From the last move of the pointer over the rows. */
const HELD_MS = 1_200;
/** Also while nothing is written: a deadline that passes hides its document. */
const DEADLINES_PASS_MS = 2_000;

export interface Documents {
  pager: DocumentPager;
  snapshot: PagerSnapshot;
  summary: CollectionSummary | undefined;
  /** A hand reaches for a row: none moves under it for a moment. */
  holdStill: () => void;
}

/** The documents under a query, kept fresh by the live state. */
export function useDocuments(collection: string, query: DocumentsQuery): Documents {
  const summary = useLive(state => state.collections?.get(collection));
  const pager = useMemo(
    () =>
      new DocumentPager(
        documentSource(
          client.documents,
          client.timeline,
          collection,
          query,
          () => everyOneHasDeadline(collection),
          engineNow,
        ),
      ),
    [collection, query],
  );
  const snapshot = useStore(pager.snapshot);

  useEffect(() => {
    pager.look(0, 40);
    const stop = onReconnect(() => pager.refresh());
    return () => {
      stop();
      pager.close();
    };
  }, [pager]);

  useEffect(() => pager.expect(expectedRows(summary, query)), [pager, summary, query]);
  const holdStill = useRefresh(pager, summary);
  return { pager, snapshot, summary, holdStill };
}

function everyOneHasDeadline(collection: string): boolean {
  const summary = liveState().collections?.get(collection);
  return summary !== undefined && summary.ttlIndexes === 1 && summary.withDeadline >= summary.documents;
}

/** How many rows a query has, where the collection's counts say so; null where only reading can tell. */
export function expectedRows(summary: CollectionSummary | undefined, query: DocumentsQuery): number | null {
  if (summary === undefined || isNarrowed(query)) return null;
  return query.includeExpired ? summary.documents : summary.documents - summary.overdue;
}

function useRefresh(pager: DocumentPager, summary: CollectionSummary | undefined): () => void {
  const throttle = useMemo(() => new Throttle(() => pager.refresh(), REFRESH_MS), [pager]);
  useEffect(() => () => throttle.cancel(), [throttle]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another summary is the news itself
  useEffect(() => throttle.ask(), [throttle, summary]);
  const hasDeadlines = (summary?.withDeadline ?? 0) > 0;
  useEffect(() => {
    if (!hasDeadlines) return;
    const timer = setInterval(() => throttle.ask(), DEADLINES_PASS_MS);
    return () => clearInterval(timer);
  }, [throttle, hasDeadlines]);
  return useCallback(() => throttle.hold(HELD_MS), [throttle]);
}
