import { useQueries } from '@tanstack/react-query';
import type { ConnectionRecord } from '../../../shared/contract/connections.ts';
import { askStore } from '../../api.ts';

/** Bytes of each open store's file, by connection; those that are not open, and those not yet known, are not in it. */
export function useConnectionSizes(connections: readonly ConnectionRecord[]): ReadonlyMap<string, number> {
  const open = connections.filter(({ state }) => state.is === 'open');
  const answers = useQueries({
    queries: open.map(({ id }) => ({
      queryKey: ['connection size', id],
      queryFn: () => askStore(id, async store => (await store.store.info()).bytes),
      staleTime: 30_000,
    })),
  });
  return new Map(
    open.flatMap(({ id }, index) => {
      const bytes = answers[index]?.data;
      return bytes === undefined ? [] : [[id, bytes] as const];
    }),
  );
}
