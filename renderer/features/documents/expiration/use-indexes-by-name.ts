import { useMemo } from 'react';
import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { orpc, useLiveQuery } from '../../../api.ts';

/** TTL indexes of the collection by name; null until they are read. */
export function useIndexesByName(collection: string): ReadonlyMap<string, TtlIndex> | null {
  const { data } = useLiveQuery(orpc.ttlIndexes.list.queryOptions({ input: { collection } }), {
    collection,
    everyMs: 2_000,
  });
  return useMemo(() => (data === undefined ? null : new Map(data.map(index => [index.name, index]))), [data]);
}
