import { useQuery } from '@tanstack/react-query';
import { connectionsClient, useLive } from '../../api.ts';
import { formatSecretStorage } from './format-connection.ts';

/** How long passwords and passphrases are kept, below their fields. */
export function SecretStorageHint() {
  // All queries are dropped when the window changes connections, which a link to the form does.
  const at = useLive(state => state.at);
  const { data } = useQuery({
    queryKey: ['connections', 'secret storage', at],
    queryFn: () => connectionsClient().secretStorage(),
    staleTime: Infinity,
    // The first call fails while the window connects to another store.
    retry: true,
  });
  return <p className="hint">{data === undefined ? null : formatSecretStorage(data)}</p>;
}
