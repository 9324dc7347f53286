import { useCallback, useEffect, useMemo } from 'react';
import type { CollectionSummary } from '../../../../shared/contract/collections.ts';
import { client, engineNow, liveState, onReconnect, useLive } from '../../../api.ts';
import { useStore } from '../../../state/store.ts';
import { everyWhileVisible } from '../../../state/while-visible.ts';
import { DocumentPager } from './document-pager.ts';
import { documentSource } from './document-source.ts';
import { type DocumentsQuery, isFiltered } from './documents-query.ts';
import type { PagerSnapshot } from './pager-snapshot.ts';
import { Throttle } from './throttle.ts';

/** Least interval between refreshes, ms. */
const REFRESH_MS = 500;
/** Time after the last pointer move over the rows for which they stay in place, ms. */
const HOLD_MS = 1_200;
/**
 * Time for which rows stay in place while a button is pressed, ms: the click acts on the row below the pointer at its
 * release.
 */
const PRESSED_HOLD_MS = 10_000;
/** Interval of refreshes without a write, ms: documents become hidden at their deadlines. */
const DEADLINES_PASS_MS = 2_000;

export interface Documents {
  pager: DocumentPager;
  snapshot: PagerSnapshot;
  summary: CollectionSummary | undefined;
  /** Called while the pointer is on the rows: they stay in place for a moment. */
  holdRows: (isPressed: boolean) => void;
}

/** The documents that match a query, read again when the collection changes. */
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
    pager.setVisible(0, 40);
    const stop = onReconnect(() => pager.refresh());
    return () => {
      stop();
      pager.close();
    };
  }, [pager]);

  useEffect(() => pager.expect(expectedRows(summary, query)), [pager, summary, query]);
  useRefresh(pager, summary);
  const holdRows = useCallback(
    (isPressed: boolean) => pager.hold(isPressed ? PRESSED_HOLD_MS : HOLD_MS),
    [pager],
  );
  return { pager, snapshot, summary, holdRows };
}

function everyOneHasDeadline(collection: string): boolean {
  const summary = liveState().collections?.get(collection);
  return summary !== undefined && summary.ttlIndexes === 1 && summary.withDeadline >= summary.documents;
}

/** Returns the number of rows from the collection's counts; null: unknown without reading them. */
export function expectedRows(summary: CollectionSummary | undefined, query: DocumentsQuery): number | null {
  if (summary === undefined || isFiltered(query)) return null;
  return query.includeExpired ? summary.documents : summary.documents - summary.overdue;
}

function useRefresh(pager: DocumentPager, summary: CollectionSummary | undefined): void {
  const throttle = useMemo(() => new Throttle(() => pager.refresh(), REFRESH_MS), [pager]);
  useEffect(() => () => throttle.cancel(), [throttle]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new summary reports a change
  useEffect(() => throttle.request(), [throttle, summary]);
  const hasDeadlines = (summary?.withDeadline ?? 0) > 0;
  useEffect(() => {
    if (!hasDeadlines) return;
    return everyWhileVisible(DEADLINES_PASS_MS, () => throttle.request());
  }, [throttle, hasDeadlines]);
}
