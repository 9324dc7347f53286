import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../../api.ts';

const FRESH_MS = 60_000;

/** Names of the collection's fields, from a sample of its documents; empty until they are read. */
export function useFieldNames(collection: string, isNeeded = true): readonly string[] {
  const { data } = useQuery(
    orpc.ttlIndexes.candidates.queryOptions({
      input: { collection },
      staleTime: FRESH_MS,
      enabled: isNeeded,
    }),
  );
  return data?.fields.map(({ field }) => field) ?? [];
}
