import { keepPreviousData, QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { LiveUpdate } from '../../shared/contract/live.ts';
import { onUpdate } from './live-store.ts';
import { onLeave, onReconnect } from './session.ts';

/** Answers stay until an update says otherwise: nothing is asked for again because time passed or a window got focus. */
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
onLeave(() => queryClient.clear());

interface LiveQuery<Answer> {
  key: readonly unknown[];
  ask: () => Promise<Answer>;
  /** Asked again when this collection changes; null: when any does. */
  collection: string | null;
  /** At most this often. */
  everyMs?: number;
  enabled?: boolean;
}

function concerns(update: LiveUpdate, collection: string | null): boolean {
  if (update.first) return true;
  if (collection === null) return update.collections.length > 0 || update.dropped.length > 0;
  return update.collections.some(({ name }) => name === collection);
}

/**
 * A question whose answer is kept fresh by the live updates: one request under way at a time, the last change always
 * followed by one more. The previous answer stays on screen meanwhile.
 */
export function useLiveQuery<Answer>(query: LiveQuery<Answer>): UseQueryResult<Answer> {
  const { key, ask, collection, everyMs = 1_000, enabled = true } = query;
  const result = useQuery({
    queryKey: key,
    queryFn: ask,
    enabled,
    placeholderData: keepPreviousData,
    // While nothing showed it nothing followed it: shown again, it is asked again.
    staleTime: 0,
    refetchOnMount: 'always',
  });
  const { refetch } = result;
  const identity = JSON.stringify(key);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is another question, with its own rhythm
  useEffect(() => {
    if (!enabled) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asking = false;
    let changedMeanwhile = false;
    let stopped = false;
    let askedAt = performance.now();

    async function askAgain(): Promise<void> {
      timer = undefined;
      asking = true;
      changedMeanwhile = false;
      askedAt = performance.now();
      await refetch({ cancelRefetch: false });
      asking = false;
      if (changedMeanwhile && !stopped) schedule();
    }
    function schedule(): void {
      if (asking) changedMeanwhile = true;
      else timer ??= setTimeout(() => void askAgain(), Math.max(0, askedAt + everyMs - performance.now()));
    }
    const stop = onUpdate(update => {
      if (concerns(update, collection)) schedule();
    });
    return () => {
      stopped = true;
      stop();
      clearTimeout(timer);
    };
  }, [identity, collection, everyMs, enabled, refetch]);

  return result;
}
