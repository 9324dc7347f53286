import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { liveState, onReconnect } from '../../../api.ts';
import { useStore } from '../../../state/store.ts';
import { HistoryPager, type HistorySnapshot, type HistorySource } from './history-pager.ts';

/** Once a second, and only where the store moved on. */
const LOOK_MS = 1_000;
/** Without a change of the store a pass may still end. */
const ANYWAY_MS = 5_000;

export interface UsedHistory<Row> {
  pager: HistoryPager<Row>;
  snapshot: HistorySnapshot<Row>;
  /** Somebody reads: rows must not move. */
  still: RefObject<boolean>;
}

/** A history kept fresh while it is shown. `source` must stay the same while the question does. */
export function useHistory<Row>(source: HistorySource<Row>): UsedHistory<Row> {
  const pager = useMemo(() => new HistoryPager(source), [source]);
  const snapshot = useStore(pager.snapshot);
  const still = useRef(false);
  useEffect(() => {
    void pager.more();
    let seen = liveState().revision;
    let askedAt = performance.now();
    const look = () => {
      const { revision, connection } = liveState();
      const isNews = revision !== seen || performance.now() - askedAt > ANYWAY_MS;
      if (!isNews || connection.is !== 'open' || document.hidden) return;
      seen = revision;
      askedAt = performance.now();
      void pager.refresh(still.current);
    };
    const timer = setInterval(look, LOOK_MS);
    const stop = onReconnect(() => void pager.refresh(still.current));
    return () => {
      clearInterval(timer);
      stop();
      pager.close();
    };
  }, [pager]);
  return { pager, snapshot, still };
}
