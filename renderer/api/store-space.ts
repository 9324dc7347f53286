import { useQuery } from '@tanstack/react-query';
import type { StoreSpace } from '../../shared/contract/live.ts';
import { queryClient } from './live-query.ts';
import { orpc } from './queries.ts';

const EVERY_MS = 60_000;

/** Usage of the store's file, at most a minute old; null until read. */
export function useStoreSpace(): StoreSpace | null {
  const { data } = useQuery(
    orpc.store.space.queryOptions({ staleTime: EVERY_MS / 2, refetchInterval: EVERY_MS }),
  );
  return data ?? null;
}

/** Reads the usage again, and updates every view of it. */
export function refreshStoreSpace(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: orpc.store.space.queryKey() });
}
