import { useQuery } from '@tanstack/react-query';
import type { StoreSpace } from '../../shared/contract/live.ts';
import { queryClient } from './live-query.ts';
import { client } from './session.ts';

const EVERY_MS = 60_000;
const KEY = ['store', 'space'];

/** Usage of the store's file, at most a minute old; null until read. */
export function useStoreSpace(): StoreSpace | null {
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: () => client.store.space(),
    staleTime: EVERY_MS / 2,
    refetchInterval: EVERY_MS,
  });
  return data ?? null;
}

/** Reads the usage again, for every place that shows it. */
export function refreshStoreSpace(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: KEY });
}
