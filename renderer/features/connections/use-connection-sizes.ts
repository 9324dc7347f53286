import { useQueries } from '@tanstack/react-query';
import type { ConnectionRecord } from '../../../shared/contract/connections.ts';
import { callStore } from '../../api.ts';

/** Size on the disk of each open store file by connection, bytes; those that are not open, or not known yet, are left out. */
export function useConnectionSizes(connections: readonly ConnectionRecord[]): ReadonlyMap<string, number> {
  const open = connections.filter(({ state, target }) => state.is === 'open' && target.kind === 'file');
  const answers = useQueries({
    queries: open.map(({ id }) => ({
      queryKey: ['connection size', id],
      queryFn: () => callStore(id, async store => (await store.store.info()).bytes),
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
