import { useQuery } from '@tanstack/react-query';
import type { StoreSpace } from '../../shared/contract/live.ts';
import { client } from './session.ts';

const EVERY_MS = 60_000;

/** What the bytes of the store's file are used for, at most a minute old; null until it is known. */
export function useStoreSpace(): StoreSpace | null {
  const { data } = useQuery({
    queryKey: ['store', 'space'],
    queryFn: () => client.store.space(),
    staleTime: EVERY_MS / 2,
    refetchInterval: EVERY_MS,
  });
  return data ?? null;
}
