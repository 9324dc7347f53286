import { client, useLiveQuery } from '../../../api.ts';

/** Indexes dropped from a collection and not created again since, latest first [X5]. */
export function useDroppedIndexes(collection: string) {
  const { data } = useLiveQuery({
    key: droppedKey(collection),
    queryFn: () => client.ttlIndexes.dropped({ collection }),
    collection,
  });
  return data ?? [];
}

export const droppedKey = (collection: string) => ['dropped-indexes', collection] as const;
