import { useQuery, useQueryClient } from '@tanstack/react-query';
import { DEFAULT_SETTINGS, type Settings } from '../../../shared/contract/settings.ts';
import { client, orpc, useChange } from '../../api.ts';

export function useSettings() {
  return useQuery(orpc.settings.get.queryOptions({ staleTime: 0, refetchInterval: 10_000 }));
}

export interface Change {
  name: keyof Settings;
  value: number;
}

/** Sets one setting; the default is stored as null, so that the default of later versions applies. */
export function useChangeSetting() {
  const queries = useQueryClient();
  return useChange({
    mutationFn: ({ name, value }: Change) =>
      client.settings.update({ [name]: value === DEFAULT_SETTINGS[name] ? null : value }),
    onSuccess: settings => queries.setQueryData(orpc.settings.get.queryKey(), settings),
  });
}
