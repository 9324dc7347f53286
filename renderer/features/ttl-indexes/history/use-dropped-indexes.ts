import { client, useLiveQuery } from '../../../api.ts';

/** What was dropped of a collection and made no more since, the latest first, whoever did it [X5]. */
export function useDropped(collection: string) {
  const { data } = useLiveQuery({
    key: droppedKey(collection),
    ask: () => client.ttlIndexes.dropped({ collection }),
    collection,
  });
  return data ?? [];
}

export const droppedKey = (collection: string) => ['dropped-indexes', collection] as const;
