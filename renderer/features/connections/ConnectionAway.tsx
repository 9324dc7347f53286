import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { addressOf, type ConnectionRecord } from '../../../shared/contract/connections.ts';
import { useLive, useMayConnect } from '../../api.ts';
import { Button, ButtonLink } from '../../components/controls/Button.tsx';
import { toConnection, toConnections } from '../../components/navigation/location.ts';
import { EmptyState } from '../../components/status/EmptyState.tsx';
import { useDelayed } from '../../components/status/use-delayed.ts';
import { openConnection } from './connection-actions.ts';

/** Codes of failures that a password may resolve. */
const NEEDS_SECRET: ReadonlySet<string> = new Set(['SECRET_REQUIRED', 'PERMISSION_DENIED']);

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
    return (
      <div role="alert">
        <EmptyState
          icon="err"
          title={t`${record.name} cannot be opened`}
          actions={<Actions record={record} open={t`Try again`} />}
        >
          <span className="wrap">{state.message}</span>{' '}
          {NEEDS_SECRET.has(state.code) ? null : t`It is retried automatically.`}
          {NEEDS_SECRET.has(state.code) && record.target.kind !== 'file' && <EnterSecret record={record} />}
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
      <ButtonLink href={toConnections()}>{t`All connections`}</ButtonLink>
      <ButtonLink variant="ghost" href={toConnection(null)}>{t`Go home`}</ButtonLink>
    </>
  );
}

/** Opens the connection with a password, which the host keeps and never shows. */
function EnterSecret({ record }: { record: ConnectionRecord }) {
  const [secret, setSecret] = useState('');
  const mayOpen = useMayConnect();
  if (!mayOpen) return null;
  return (
    <form
      className="row"
      onSubmit={event => {
        event.preventDefault();
        void openConnection(record, secret);
      }}
    >
      <TextInput
        type="password"
        autoComplete="current-password"
        aria-label={t`Password of ${record.name}`}
        placeholder={t`Password`}
        value={secret}
        onChange={event => setSecret(event.target.value)}
      />
      <Button type="submit">{t`Open with this password`}</Button>
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
