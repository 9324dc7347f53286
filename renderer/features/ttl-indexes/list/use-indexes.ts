import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { client, useLiveQuery } from '../../../api.ts';

const EVERY_MS = 1_000;

export function useIndexes(collection: string) {
  return useLiveQuery<TtlIndex[]>({
    key: ['ttl-indexes', collection],
    queryFn: () => client.ttlIndexes.list({ collection }),
    collection,
    everyMs: EVERY_MS,
  });
}
