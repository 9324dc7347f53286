import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { MirrorSettingChanges } from '../../../../shared/contract/settings.ts';
import { client, useChange } from '../../../api.ts';

const KEY = ['mirror settings'];

export function useMirrorSettings() {
  return useQuery({
    queryKey: KEY,
    queryFn: () => client.mirror.settings(),
    staleTime: 0,
    refetchInterval: 10_000,
  });
}

export function useChangeMirror() {
  const queries = useQueryClient();
  return useChange({
    mutationFn: (changes: MirrorSettingChanges) => client.mirror.change(changes),
    onSuccess: settings => queries.setQueryData(KEY, settings),
  });
}
