import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { liveState, onReconnect } from '../../../api.ts';
import { useStore } from '../../../state/store.ts';
import { HistoryPager, type HistorySnapshot, type HistorySource } from './history-pager.ts';

/** Interval of checks for a new revision, ms. */
const CHECK_MS = 1_000;
/** A pass may end without a new revision: interval of refreshes without one, ms. */
const REFRESH_ANYWAY_MS = 5_000;

export interface LiveHistory<Row> {
  pager: HistoryPager<Row>;
  snapshot: HistorySnapshot<Row>;
  /** Rows must keep their place. */
  still: RefObject<boolean>;
}

/** Keeps a history fresh while it is mounted. A new `source` starts a new history. */
export function useHistory<Row>(source: HistorySource<Row>): LiveHistory<Row> {
  const pager = useMemo(() => new HistoryPager(source), [source]);
  const snapshot = useStore(pager.snapshot);
  const still = useRef(false);
  useEffect(() => {
    void pager.more();
    let seen = liveState().revision;
    let askedAt = performance.now();
    const check = () => {
      const { revision, connection } = liveState();
      const isNews = revision !== seen || performance.now() - askedAt > REFRESH_ANYWAY_MS;
      if (!isNews || connection.is !== 'open' || document.hidden) return;
      seen = revision;
      askedAt = performance.now();
      void pager.refresh(still.current);
    };
    const timer = setInterval(check, CHECK_MS);
    const stop = onReconnect(() => void pager.refresh(still.current));
    return () => {
      clearInterval(timer);
      stop();
      pager.close();
    };
  }, [pager]);
  return { pager, snapshot, still };
}
