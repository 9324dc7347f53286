import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../../../shared/model/format.ts';
import { client, problemOf, useRefusal } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { showToast } from '../../components/overlays/toast-store.ts';
import { Note } from '../../components/status/Note.tsx';
import { Ago } from '../../components/time/Time.tsx';

/** Hosts that mirror this store, with the revision of each [V5]. */
export function Followers() {
  const { data, error, refetch } = useQuery({
    queryKey: ['followers'],
    queryFn: () => client.replication.followers(),
    staleTime: 0,
    refetchInterval: 2_000,
  });
  const mayForget = useRefusal('replication.forget') === null;

  async function forget(follower: string): Promise<void> {
    try {
      await client.replication.forget({ follower });
      showToast({
        kind: 'good',
        title: `${follower} forgotten`,
        detail: 'If it reconnects, it starts over.',
      });
    } catch (failure) {
      const { code, message } = problemOf(failure);
      showToast({ kind: 'error', title: `${follower} not forgotten`, detail: message, code });
    }
    void refetch();
  }

  return (
    <section className="settings-group" aria-label="Followers">
      <h2 className="t-semi">Followers</h2>
      <p className="t-2 settings-about">Other hosts that mirror this store, read-only.</p>
      {error !== null && <Note tone="bad">No followers. {problemOf(error).message}</Note>}
      {data?.length === 0 && (
        <p className="t-3 settings-none">
          No followers. To follow this store from another host, run{' '}
          <code className="mono">npm start -- --follow</code>with this host’s address and a token with the
          permission follow.
        </p>
      )}
      {data !== undefined && data.length > 0 && (
        <div className="settings-table">
          <table className="tbl">
            <caption className="sr">Followers</caption>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col" className="num">
                  Revision
                </th>
                <th scope="col" className="num">
                  Behind
                </th>
                <th scope="col">Last seen</th>
                <th scope="col">
                  <span className="sr">Forget</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.map(({ name, revision, behind, seenAt }) => (
                <tr key={name}>
                  <td className="t-semi" title={name}>
                    {name}
                  </td>
                  <td className="num">{formatCount(revision)}</td>
                  <td className="num">{behind === 0 ? 'none' : formatCount(behind)}</td>
                  <td className="t-2">
                    <Ago at={seenAt} />
                  </td>
                  <td className="num">
                    {mayForget && (
                      <Button
                        small
                        variant="ghost"
                        aria-label={`Forget ${name}`}
                        onClick={() => void forget(name)}
                      >
                        Forget
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
