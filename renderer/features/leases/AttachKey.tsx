import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { LeaseRecord } from '../../../shared/contract/leases.ts';
import { client, engineNow, orpc, problemOf, useChange } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/overlays/Dialog.tsx';
import { Note } from '../../components/status/Note.tsx';
import { DurationPicker } from '../../components/time/DurationPicker.tsx';
import { formatDuration, formatRelative } from '../../i18n/format.ts';
import { refreshLeases } from './lease-change.ts';
import { LEASE_PRESETS, readLeaseDuration } from './lease-duration.ts';
import classes from './leases.module.css';

const NEW = 'new';
const MOST_LEASES = 500;

interface AttachKeyProps {
  collection: string;
  id: string;
  /** Null: the key has none. */
  former: LeaseRecord | null;
  onClose: () => void;
}

/** Attaches a key to an existing lease, or to a new one. */
export function AttachKey({ collection, id, former, onClose }: AttachKeyProps) {
  const { data, error } = useQuery(
    orpc.leases.list.queryOptions({ input: { limit: MOST_LEASES }, staleTime: 0 }),
  );
  const leases = data?.leases.filter(lease => lease.id !== former?.id) ?? [];
  const [chosen, setChosen] = useState<string>(NEW);
  const [ttl, setTtl] = useState('1h');
  const duration = readLeaseDuration(ttl);
  const target = leases.find(lease => lease.id === chosen);
  const attach = useChange({
    mutationFn: async () => {
      const lease = target ?? (await client.leases.grant({ seconds: duration.seconds ?? 0 }));
      await client.leases.attach({ id: lease.id, collection, key: id });
      await refreshLeases();
    },
    onSuccess: onClose,
  });
  const failure = attach.error ?? error;
  return (
    <Dialog
      opened
      onClose={onClose}
      locked={attach.isPending}
      title={t`Attach to a lease`}
      width={480}
      footer={
        <>
          <span className="grow" />
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button
            variant="primary"
            busy={attach.isPending}
            disabled={target === undefined && duration.seconds === null}
            onClick={() => attach.mutate()}
          >{t`Attach`}</Button>
        </>
      }
    >
      <div className={classes.form}>
        <p className="mono wrap">{id}</p>
        <Select
          label={t`Lease`}
          searchable
          allowDeselect={false}
          data-autofocus
          value={target?.id ?? NEW}
          data={[{ value: NEW, label: t`A new lease` }, ...leases.map(choiceOf)]}
          onChange={value => setChosen(value ?? NEW)}
        />
        {target === undefined && (
          <DurationPicker
            label={t`Duration of the lease`}
            value={ttl}
            onChange={setTtl}
            presets={LEASE_PRESETS}
            problem={duration.problem}
            echo={null}
          />
        )}
        <Note role="status">
          {target === undefined ? (
            <Trans>The key is deleted with the new lease, unless that is kept alive.</Trans>
          ) : (
            <Consequence lease={target} />
          )}{' '}
          {former !== null && former.keyCount > 1 && (
            <Trans>It leaves the lease {former.id}, whose other keys stay attached.</Trans>
          )}
        </Note>
        {failure !== null && <Note tone="bad">{problemOf(failure).message}</Note>}
      </div>
    </Dialog>
  );
}

function Consequence({ lease: { id, deadlineAt, keyCount } }: { lease: LeaseRecord }) {
  const when = formatRelative(deadlineAt, engineNow());
  const others = plural(keyCount, { 0: 'alone', one: 'with # other key', other: 'with # other keys' });
  return (
    <Trans>
      The key is deleted with the lease {id} {when}, {others}, unless that is kept alive.
    </Trans>
  );
}

function choiceOf({ id, deadlineAt, keyCount, grantedSeconds }: LeaseRecord): {
  value: string;
  label: string;
} {
  const when = formatRelative(deadlineAt, engineNow());
  const granted = formatDuration(grantedSeconds * 1_000);
  const keys = plural(keyCount, { 0: 'no keys', one: '# key', other: '# keys' });
  return { value: id, label: t`${id}: ${keys}, ends ${when} (granted ${granted})` };
}
