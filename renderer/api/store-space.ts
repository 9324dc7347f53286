import { useQuery } from '@tanstack/react-query';
import type { StoreSpace } from '../../shared/contract/live.ts';
import { client } from './session.ts';

const EVERY_MS = 60_000;

/** Usage of the store's file, at most a minute old; null until read. */
export function useStoreSpace(): StoreSpace | null {
  const { data } = useQuery({
    queryKey: ['store', 'space'],
    queryFn: () => client.store.space(),
    staleTime: EVERY_MS / 2,
    refetchInterval: EVERY_MS,
  });
  return data ?? null;
}
