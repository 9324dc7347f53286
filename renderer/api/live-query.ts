import {
  keepPreviousData,
  QueryClient,
  type QueryFunction,
  type QueryKey,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import type { LiveUpdate } from '../../shared/contract/live.ts';
import { onUpdate } from './live-store.ts';
import { onConnectionChange, onReconnect } from './session.ts';

/** Answers do not expire: queries are repeated after updates, not after a time or on window focus. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

onReconnect(() => void queryClient.invalidateQueries());
onConnectionChange(() => queryClient.clear());

interface LiveQuery<Answer> {
  queryKey: QueryKey;
  queryFn: QueryFunction<Answer>;
  enabled?: boolean;
}

interface Refresh {
  /** The collection whose changes repeat the query; null: any collection. */
  collection: string | null;
  /** Least interval between queries, ms. */
  everyMs?: number;
}

function concerns(update: LiveUpdate, collection: string | null): boolean {
  if (update.first) return true;
  if (collection === null) return update.collections.length > 0 || update.dropped.length > 0;
  return update.collections.some(({ name }) => name === collection);
}

/**
 * Keeps the answer of a query up to date: one request at a time, and one more after the last change. The former answer
 * stays until the next one arrives.
 */
export function useLiveQuery<Answer>(
  { queryKey, queryFn, enabled = true }: LiveQuery<Answer>,
  { collection, everyMs = 1_000 }: Refresh,
): UseQueryResult<Answer> {
  const result = useQuery({
    queryKey,
    queryFn,
    enabled,
    placeholderData: keepPreviousData,
    // Updates are not followed while unmounted, so the query is repeated at mount.
    staleTime: 0,
    refetchOnMount: 'always',
  });
  const { refetch } = result;
  const identity = JSON.stringify(queryKey);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key is a new query with its own interval
  useEffect(() => {
    if (!enabled) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isFetching = false;
    let changedMeanwhile = false;
    let stopped = false;
    let fetchedAt = performance.now();

    async function fetchAgain(): Promise<void> {
      timer = undefined;
      isFetching = true;
      changedMeanwhile = false;
      fetchedAt = performance.now();
      await refetch({ cancelRefetch: false });
      isFetching = false;
      if (changedMeanwhile && !stopped) schedule();
    }
    function schedule(): void {
      // In a hidden window the query is repeated once, when the window is shown again.
      if (isFetching || document.visibilityState === 'hidden') changedMeanwhile = true;
      else
        timer ??= setTimeout(() => void fetchAgain(), Math.max(0, fetchedAt + everyMs - performance.now()));
    }
    const stop = onUpdate(update => {
      if (concerns(update, collection)) schedule();
    });
    const onVisible = () => {
      if (changedMeanwhile && !isFetching) schedule();
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      stopped = true;
      stop();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [identity, collection, everyMs, enabled, refetch]);

  return result;
}
