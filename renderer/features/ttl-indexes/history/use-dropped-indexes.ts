import { orpc, useLiveQuery } from '../../../api.ts';

/** Indexes dropped from a collection and not created again, latest first [X5]. */
export function useDroppedIndexes(collection: string) {
  const { data } = useLiveQuery(orpc.ttlIndexes.dropped.queryOptions({ input: { collection } }), {
    collection,
  });
  return data ?? [];
}
