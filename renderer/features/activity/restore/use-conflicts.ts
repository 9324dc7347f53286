import { useQuery } from '@tanstack/react-query';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import { client, problemOf } from '../../../api.ts';
import { isTaken, type StoredDocument } from './restore-plan.ts';

/** Most entries whose `_id` is checked before the dialog opens. */
const MOST_CHECKED = 20;

async function readStored({ collection, _id }: ExpiredEntry): Promise<StoredDocument | null> {
  try {
    return await client.documents.get({ collection, id: _id });
  } catch (error) {
    if (problemOf(error).code === 'DOCUMENT_NOT_FOUND') return null;
    throw error;
  }
}

/** Returns the newer documents with the `_id`s of the entries, by entry id; null: too many entries to check. */
export function useConflicts(entries: readonly ExpiredEntry[] | null): {
  taken: ReadonlyMap<string, StoredDocument> | null;
  isChecking: boolean;
} {
  const isChecked = entries !== null && entries.length <= MOST_CHECKED;
  const { data, isFetching } = useQuery({
    queryKey: ['activity', 'conflicts', isChecked ? entries.map(({ id }) => id) : null],
    queryFn: async () => {
      const found = new Map<string, StoredDocument>();
      for (const entry of entries ?? []) {
        const holder = await readStored(entry);
        if (holder !== null && isTaken(entry, holder)) found.set(entry.id, holder);
      }
      return found;
    },
    enabled: isChecked,
    staleTime: 0,
    gcTime: 0,
  });
  return {
    taken: isChecked ? (data ?? null) : null,
    isChecking: isChecked && isFetching && data === undefined,
  };
}
