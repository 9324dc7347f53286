import { useQuery } from '@tanstack/react-query';
import type { Settings } from '../../../../shared/contract/settings.ts';
import { orpc } from '../../../api.ts';

/** Returns the settings of the store, which are the defaults of each index; undefined until read. */
export function useStoreSettings(): Settings | undefined {
  const { data } = useQuery(orpc.settings.get.queryOptions({ staleTime: 10_000, refetchOnMount: true }));
  return data;
}
