import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client, problemOf, useRefusal } from '../../api.ts';
import { Button } from '../../components/Button.tsx';
import { Note } from '../../components/Note.tsx';
import { Ago } from '../../components/Time.tsx';
import { showToast } from '../../components/toast-store.ts';

/** Where news of this store are sent while no window is open. */
export function Webhook() {
  const refusal = useRefusal('configure');
  const { data, error, refetch } = useQuery({
    queryKey: ['webhook'],
    queryFn: () => client.alerts.webhook(),
    enabled: refusal === null,
    staleTime: 0,
  });
  const [url, setUrl] = useState<string | null>(null);
  const [secret, setSecret] = useState('');
  const typed = url ?? data?.url ?? '';

  async function run(title: string, act: () => Promise<string | null>): Promise<void> {
    try {
      const detail = await act();
      showToast({ kind: detail === null ? 'good' : 'error', title, ...(detail === null ? {} : { detail }) });
    } catch (failure) {
      const { code, message } = problemOf(failure);
      showToast({ kind: 'error', title: 'The webhook was not changed', detail: message, code });
    }
    void refetch();
  }
  const save = () =>
    run('Webhook saved', async () => {
      await client.alerts.setWebhook({ url: typed, ...(secret === '' ? {} : { secret }) });
      setUrl(null);
      setSecret('');
      return null;
    });
  const remove = () =>
    run('Webhook removed', async () => {
      await client.alerts.removeWebhook();
      setUrl(null);
      return null;
    });
  const test = () => run('Test sent', async () => (await client.alerts.testWebhook()).problem);

  return (
    <section className="settings-group" aria-label="Webhook">
      <h2 className="t-semi">Webhook</h2>
      <p className="t-2 settings-about">
        Is told when documents are overdue, held or quarantined, or the disk is full, and when that ends. Each
        message is signed with the secret.
      </p>
      {refusal !== null && <Note>{refusal}</Note>}
      {error !== null && <Note tone="bad">{problemOf(error).message}</Note>}
      {data !== undefined && (
        <>
          <div className="row">
            <input
              className="input mono grow"
              aria-label="Webhook address"
              placeholder="https://…"
              value={typed}
              onChange={event => setUrl(event.target.value)}
            />
            <input
              className="input mono"
              type="password"
              aria-label="Webhook secret"
              autoComplete="off"
              placeholder={data.url === null ? 'secret' : 'secret: unchanged'}
              value={secret}
              onChange={event => setSecret(event.target.value)}
            />
          </div>
          <div className="row">
            <Button small variant="primary" disabled={typed === ''} onClick={() => void save()}>
              Save
            </Button>
            {data.url !== null && (
              <>
                <Button small onClick={() => void test()}>
                  Send a test
                </Button>
                <Button small onClick={() => void remove()}>
                  Remove
                </Button>
              </>
            )}
            {data.last !== null && (
              <span className="t-2">
                Last sent <Ago at={data.last.at} />
                {data.last.problem !== null && `: ${data.last.problem}`}
              </span>
            )}
            {data.waiting > 0 && <span className="t-2">{data.waiting} wait to be sent</span>}
          </div>
        </>
      )}
    </section>
  );
}
