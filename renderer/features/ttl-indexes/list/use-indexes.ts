import { orpc, useLiveQuery } from '../../../api.ts';

const EVERY_MS = 1_000;

export function useIndexes(collection: string) {
  return useLiveQuery(orpc.ttlIndexes.list.queryOptions({ input: { collection } }), {
    collection,
    everyMs: EVERY_MS,
  });
}
