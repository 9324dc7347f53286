import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { addressOf, type ConnectionRecord, type SecretName } from '../../../shared/contract/connections.ts';
import { useLive, useMayConnect } from '../../api.ts';
import { Button, ButtonLink } from '../../components/controls/Button.tsx';
import { toConnection, toConnections } from '../../components/navigation/location.ts';
import { EmptyState } from '../../components/status/EmptyState.tsx';
import { useDelayed } from '../../components/status/use-delayed.ts';
import { openConnection } from './connection-actions.ts';
import { isDamaged } from './damaged/is-damaged.ts';

/**
 * Shown instead of the page while a connection is not open: the reason, and buttons to open it or to switch to another
 * one.
 */
export function ConnectionAway({ record }: { record: ConnectionRecord | undefined }) {
  const isListed = useLive(({ connections }) => connections !== null);
  if (record === undefined) return isListed ? <NoSuchConnection /> : null;
  const { state } = record;
  if (state.is === 'closed') {
    return (
      <EmptyState
        icon="off"
        title={t`${record.name} is closed`}
        actions={<Actions record={record} open={t`Open`} />}
      >
        <Trans>No data is shown and nothing expires there until it is opened.</Trans>
      </EmptyState>
    );
  }
  if (state.is === 'failed') {
    const { needs } = state;
    return (
      <div role="alert">
        <EmptyState
          icon="err"
          title={t`${record.name} cannot be opened`}
          actions={<Actions record={record} open={t`Try again`} />}
        >
          <span className="wrap">{state.message}</span>{' '}
          {needs === undefined ? (
            t`It is retried automatically.`
          ) : (
            <EnterSecret key={needs} record={record} needed={needs} />
          )}
        </EmptyState>
      </div>
    );
  }
  return <Opening key={record.id} record={record} />;
}

function Actions({ record, open }: { record: ConnectionRecord; open: string }) {
  const mayOpen = useMayConnect();
  return (
    <>
      {mayOpen && (
        <Button variant="primary" onClick={() => void openConnection(record)}>
          {open}
        </Button>
      )}
      {mayOpen && isDamaged(record) && (
        <ButtonLink href={toConnections({ save: record.id })}>{t`Save what can be read…`}</ButtonLink>
      )}
      <ButtonLink href={toConnections()}>{t`All connections`}</ButtonLink>
      <ButtonLink variant="ghost" href={toConnection(null)}>{t`Go home`}</ButtonLink>
    </>
  );
}

const SECRET_LABEL: Readonly<Record<SecretName, (name: string) => string>> = {
  secret: name => t`Password of ${name}`,
  passphrase: name => t`Passphrase of the SSH key of ${name}`,
  tlsPassphrase: name => t`Passphrase of the client key of ${name}`,
};

/** Opens the connection with a password or a passphrase, which the host keeps and never shows. */
function EnterSecret({ record, needed }: { record: ConnectionRecord; needed: SecretName }) {
  const [secret, setSecret] = useState('');
  const mayOpen = useMayConnect();
  const isPassword = needed === 'secret';
  if (!mayOpen) return null;
  return (
    <form
      className="row"
      onSubmit={event => {
        event.preventDefault();
        void openConnection(record, { [needed]: secret });
      }}
    >
      <TextInput
        type="password"
        autoComplete="current-password"
        aria-label={SECRET_LABEL[needed](record.name)}
        placeholder={isPassword ? t`Password` : t`Passphrase`}
        value={secret}
        onChange={event => setSecret(event.target.value)}
      />
      <Button type="submit">{isPassword ? t`Open with this password` : t`Open with this passphrase`}</Button>
    </form>
  );
}

function Opening({ record }: { record: ConnectionRecord }) {
  const isNoticed = useDelayed();
  if (!isNoticed) return null;
  return (
    <EmptyState icon="live" title={t`Opening ${record.name}…`}>
      <span className="mono wrap">{addressOf(record.target)}</span>
    </EmptyState>
  );
}

function NoSuchConnection() {
  return (
    <EmptyState
      icon="conn"
      title={t`Connection not found`}
      actions={
        <>
          <ButtonLink variant="primary" href={toConnection(null)}>{t`Go home`}</ButtonLink>
          <ButtonLink href={toConnections()}>{t`All connections`}</ButtonLink>
        </>
      }
    >
      <Trans>It may have been removed, or the link is from another machine.</Trans>
    </EmptyState>
  );
}
