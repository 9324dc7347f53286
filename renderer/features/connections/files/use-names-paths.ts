import { useQuery } from '@tanstack/react-query';
import { HOME_CONNECTION } from '../../../../shared/contract/connections.ts';
import { callStore, useLive } from '../../../api.ts';

/**
 * Returns whether the user gives files by their full paths: on the machine that runs Sandglass, not over the network. Home is
 * asked while the connection of the window is away. Undefined: not known yet, or `error` says why not.
 */
export function useNamesPaths(isNeeded: boolean): { namesPaths: boolean | undefined; error: Error | null } {
  const known = useLive(({ store }) => store?.namesPaths);
  const home = useQuery({
    queryKey: ['how home names files'],
    queryFn: () => callStore(HOME_CONNECTION, store => store.store.info()),
    enabled: isNeeded && known === undefined,
  });
  return { namesPaths: known ?? home.data?.namesPaths, error: home.error };
}
