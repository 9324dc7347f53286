import { useEffect, useMemo, useRef, useState } from 'react';
import { client, engineNow, liveState, problemOf } from '../../../api.ts';
import { useStore } from '../../../state/store.ts';
import { Feed, type FeedSnapshot } from './feed.ts';
import { type FeedFilter, matcherOf } from './feed-filter.ts';

/** Time after the last pointer move over the rows for which they stay in place, ms. */
const HOLD_MS = 1_500;

export interface LiveFeed {
  feed: Feed;
  snapshot: FeedSnapshot;
  /** Called when the pointer moves over the rows: they stay in place for a moment. */
  reach: () => void;
}

/** The feed, filtered. `isHeld`: rows stay in place. */
export function useFeed(filter: FeedFilter, isHeld: boolean): LiveFeed {
  const { collection, kind, index, text } = filter;
  const feed = useMemo(() => feedOf({ collection, kind, index, text }), [collection, kind, index, text]);
  const snapshot = useStore(feed.snapshot);
  const [isPointerActive, setPointerActive] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    feed.start();
    return () => feed.stop();
  }, [feed]);
  useEffect(() => feed.hold(isHeld || isPointerActive), [feed, isHeld, isPointerActive]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const reach = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setPointerActive(false), HOLD_MS);
    setPointerActive(true);
  };
  return { feed, snapshot, reach };
}

function feedOf(filter: FeedFilter): Feed {
  const { collection } = filter;
  return new Feed({
    read: (from, limit, waitMs, signal) =>
      client.events.read({ from, limit, waitMs, ...(collection !== null && { collection }) }, { signal }),
    oldestKept: error => {
      const { code, data } = problemOf(error);
      return code === 'REVISION_COMPACTED' && typeof data.oldest === 'number' ? data.oldest : null;
    },
    problemIn: error => {
      const { code, message } = problemOf(error);
      return code === 'NOT_CONNECTED' ? null : message;
    },
    revision: () => liveState().revision,
    now: engineNow,
    matches: matcherOf(filter),
  });
}
