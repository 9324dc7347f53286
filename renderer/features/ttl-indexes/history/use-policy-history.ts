import { orpc, useLiveQuery } from '../../../api.ts';

const EVERY_MS = 2_000;

/** Every change of the indexes that had this name, latest first, also if the name is no longer in use. */
export function usePolicyHistory(collection: string, index: string) {
  return useLiveQuery(orpc.ttlIndexes.history.queryOptions({ input: { collection, index } }), {
    collection,
    everyMs: EVERY_MS,
  });
}
