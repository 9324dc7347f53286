import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { MirrorSettingChanges } from '../../../shared/contract/mirror.ts';
import { client, orpc, useChange } from '../../api.ts';

export function useMirrorSettings() {
  return useQuery(orpc.mirror.settings.queryOptions({ staleTime: 0, refetchInterval: 10_000 }));
}

export function useChangeMirror() {
  const queries = useQueryClient();
  return useChange({
    mutationFn: (changes: MirrorSettingChanges) => client.mirror.change(changes),
    onSuccess: settings => queries.setQueryData(orpc.mirror.settings.queryKey(), settings),
  });
}
