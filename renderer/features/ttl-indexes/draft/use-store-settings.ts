import { useQuery } from '@tanstack/react-query';
import type { Settings } from '../../../../shared/contract/settings.ts';
import { client } from '../../../api.ts';

/** What holds for every index that says nothing else; undefined until it is known. */
export function useStoreSettings(): Settings | undefined {
  const { data } = useQuery({
    queryKey: ['settings'],
    queryFn: () => client.settings.get(),
    staleTime: 10_000,
    refetchOnMount: true,
  });
  return data;
}
