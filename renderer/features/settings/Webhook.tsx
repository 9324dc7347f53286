import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookAnswer } from '../../../shared/contract/alerts.ts';
import { visibleText } from '../../../shared/model/visible-text.ts';
import { client, orpc, problemOf, useChange, useRefusal } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Icon } from '../../components/controls/Icon.tsx';
import { Note } from '../../components/status/Note.tsx';
import { Ago } from '../../components/time/Time.tsx';
import classes from './settings.module.css';

/** The address that alerts of this store are sent to; off by default. */
export function Webhook() {
  const refusal = useRefusal('alerts.setWebhook');
  const { data, error, refetch } = useQuery(
    orpc.alerts.webhook.queryOptions({ enabled: refusal === null, staleTime: 0 }),
  );
  return (
    <section className={classes.group} aria-label={t`Webhook`}>
      <h2 className="t-semi">{t`Webhook`}</h2>
      <p className={`t-2 ${classes.about}`}>
        <Trans>
          Sends a message when documents are overdue, held or quarantined, or the disk is full, and another
          when that ends. Each message is signed with the secret.
        </Trans>
        {window.sandglass !== undefined &&
          t`This app also shows notifications while it is in the background, unless the Reaper menu turns them off.`}
      </p>
      {refusal !== null && (
        <p className={`${classes.refusal} t-2`}>
          <Icon name="lock" size={14} /> {refusal}
        </p>
      )}
      {error !== null && <Note tone="bad">{problemOf(error).message}</Note>}
      {data !== undefined && <WebhookForm webhook={data} onChanged={() => void refetch()} />}
    </section>
  );
}

function WebhookForm({ webhook, onChanged }: { webhook: WebhookAnswer; onChanged: () => void }) {
  const [url, setUrl] = useState<string | null>(null);
  const [secret, setSecret] = useState('');
  const typed = (url ?? webhook.url ?? '').trim();
  const asSaved = () => {
    setUrl(null);
    setSecret('');
  };
  const save = useChange({
    mutationFn: () => client.alerts.setWebhook({ url: typed, ...(secret === '' ? {} : { secret }) }),
    onSuccess: asSaved,
    onSettled: onChanged,
  });
  const remove = useChange({
    mutationFn: () => client.alerts.removeWebhook(),
    onSuccess: asSaved,
    onSettled: onChanged,
  });
  const test = useChange({ mutationFn: () => client.alerts.testWebhook(), onSettled: onChanged });
  const failed = save.error ?? remove.error ?? test.error;
  const isChanged = typed !== (webhook.url ?? '') || secret !== '';

  function change(): void {
    for (const one of [save, remove, test]) one.reset();
  }

  return (
    <>
      <form
        className={classes.line}
        aria-label={t`Webhook`}
        onSubmit={event => {
          event.preventDefault();
          change();
          if (typed !== '') save.mutate();
        }}
      >
        <TextInput
          classNames={{ input: 'mono' }}
          aria-label={t`Webhook address`}
          placeholder={'https://hooks.example.com/…'}
          value={url ?? webhook.url ?? ''}
          title={webhook.url ?? undefined}
          error={failed !== null && problemOf(failed).message}
          onChange={event => {
            setUrl(event.target.value);
            change();
          }}
        />
        <TextInput
          className={classes.short}
          classNames={{ input: 'mono' }}
          type="password"
          aria-label={t`Webhook secret`}
          autoComplete="new-password"
          placeholder={webhook.url === null ? t`Secret, 16 or more` : t`Secret: unchanged`}
          value={secret}
          onChange={event => {
            setSecret(event.target.value);
            change();
          }}
        />
        <Button
          type="submit"
          variant="primary"
          busy={save.isPending}
          disabled={typed === '' || !isChanged}
        >{t`Save`}</Button>
      </form>
      {webhook.url !== null && (
        <div className={classes.line}>
          <Button busy={test.isPending} onClick={() => test.mutate()}>{t`Send a test`}</Button>
          <Button busy={remove.isPending} onClick={() => remove.mutate()}>{t`Remove`}</Button>
          <Sent webhook={webhook} />
        </div>
      )}
    </>
  );
}

/** The last alert sent, whether it was delivered, and the number of waiting alerts. */
function Sent({ webhook: { last, waiting } }: { webhook: WebhookAnswer }) {
  if (last === null) return <span className="t-2">{t`Nothing was sent yet.`}</span>;
  const { at, problem } = last;
  return (
    <span className="row grow" role="status">
      <Icon name={problem === null ? 'check' : 'err'} className={problem === null ? 'c-ok' : 'c-overdue'} />
      <span className="wrap">
        {problem === null ? t`Delivered` : t`Not delivered`} <Ago at={at} />
        {problem === null ? '.' : `: ${visibleText(problem)}`}
        {waiting > 0 && ' '}
        {waiting > 0 &&
          plural(waiting, { one: '# message waits to be sent.', other: '# messages wait to be sent.' })}
      </span>
    </span>
  );
}
