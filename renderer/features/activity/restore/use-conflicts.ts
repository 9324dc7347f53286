import { useQuery } from '@tanstack/react-query';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import { client, problemOf } from '../../../api.ts';
import { type Holder, isTaken } from './restore-plan.ts';

/** So few are looked up one by one before anything is asked of the person. */
const FEW = 20;

async function holderOf({ collection, _id }: ExpiredEntry): Promise<Holder | null> {
  try {
    return await client.documents.get({ collection, id: _id });
  } catch (error) {
    if (problemOf(error).code === 'DOCUMENT_NOT_FOUND') return null;
    throw error;
  }
}

/** Entries whose `_id` has a newer document by now, each by its id; null where they are too many to look up. */
export function useConflicts(entries: readonly ExpiredEntry[] | null): {
  taken: ReadonlyMap<string, Holder> | null;
  isLooking: boolean;
} {
  const isFew = entries !== null && entries.length <= FEW;
  const { data, isFetching } = useQuery({
    queryKey: ['activity', 'conflicts', isFew ? entries.map(({ id }) => id) : null],
    queryFn: async () => {
      const found = new Map<string, Holder>();
      for (const entry of entries ?? []) {
        const holder = await holderOf(entry);
        if (holder !== null && isTaken(entry, holder)) found.set(entry.id, holder);
      }
      return found;
    },
    enabled: isFew,
    staleTime: 0,
    gcTime: 0,
  });
  return { taken: isFew ? (data ?? null) : null, isLooking: isFew && isFetching && data === undefined };
}
