import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callStore, connectionsClient, problemOf, useChange } from '../../../api.ts';
import { Button, ButtonLink } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import { Meter } from '../../../components/figures/Meter.tsx';
import { toConnection } from '../../../components/navigation/location.ts';
import { Dialog } from '../../../components/overlays/Dialog.tsx';
import { Note } from '../../../components/status/Note.tsx';
import { formatCount } from '../../../i18n/format.ts';
import { useNamesPaths } from '../files/use-names-paths.ts';
import type { DamagedStore } from './is-damaged.ts';

/** Interval of reads of the job, which runs in another store than the one that is shown, ms. */
const POLL_EVERY_MS = 500;

interface SaveReadableProps {
  /** Null: closed. */
  damaged: DamagedStore | null;
  /** Colour of the new connection. */
  colour: number;
  onClose: () => void;
}

/** Saves what can be read of a damaged store into a new one, which is added as a connection. */
export function SaveReadable({ damaged, colour, onClose }: SaveReadableProps) {
  const { namesPaths, error } = useNamesPaths(damaged !== null);
  return (
    <Dialog
      opened={damaged !== null}
      onClose={onClose}
      title={t`Save what can be read of ${damaged?.name ?? ''}`}
      width={560}
    >
      {damaged !== null && namesPaths !== undefined && (
        <Form
          key={damaged.file}
          damaged={damaged}
          namesPaths={namesPaths}
          colour={colour}
          onClose={onClose}
        />
      )}
      {error !== null && <Note tone="bad">{problemOf(error).message}</Note>}
    </Dialog>
  );
}

interface FormProps {
  damaged: DamagedStore;
  namesPaths: boolean;
  colour: number;
  onClose: () => void;
}

function Form({ damaged, namesPaths, colour, onClose }: FormProps) {
  // Over the network files are given by their name.
  const named = namesPaths ? damaged.file : (damaged.file.split(/[\\/]/).at(-1) ?? '');
  const [file, setFile] = useState(named.replace(/(\.sandglass)?$/, '-recovered.sandglass'));
  const save = useChange({
    mutationFn: async () => {
      const connections = connectionsClient();
      // Opening is not retried meanwhile: it would hold the file.
      if (damaged.id !== null) await connections.close({ id: damaged.id });
      const added = await connections.add({
        name: t`${damaged.name}, recovered`,
        colour,
        environment: damaged.environment,
        readOnly: false,
        target: { kind: 'file', file: file.trim(), ...(!namesPaths && { folder: 'stores' as const }) },
      });
      const { state } = await connections.open({ id: added.id });
      if (state.is === 'failed') throw new Error(state.message);
      const job = await callStore(added.id, store => store.store.recover({ file: named }));
      return { id: added.id, job: job.id };
    },
  });
  if (save.data !== undefined) return <Progress {...save.data} onClose={onClose} />;
  return (
    <form
      className="form"
      onSubmit={event => {
        event.preventDefault();
        if (!save.isPending) save.mutate();
      }}
    >
      <p>
        <Trans>
          Its collections, TTL indexes, documents and explicit expirations are copied into a new store, as far
          as they can be read. The damaged file is not changed.
        </Trans>
      </p>
      <TextInput
        classNames={{ input: 'mono' }}
        label={t`New file`}
        data-autofocus
        value={file}
        onChange={event => setFile(event.target.value)}
      />
      {save.error !== null && <Note tone="bad">{problemOf(save.error).message}</Note>}
      <div className="row end">
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button type="submit" variant="primary" busy={save.isPending}>{t`Save what can be read`}</Button>
      </div>
    </form>
  );
}

/** Progress of the job in the new store, then its result. The job goes on without the dialog. */
function Progress({ id, job, onClose }: { id: string; job: string; onClose: () => void }) {
  const { data, error } = useQuery({
    queryKey: ['recovery', id, job],
    queryFn: () => callStore(id, store => store.jobs.get({ job })),
    refetchInterval: query => (query.state.data?.state === 'running' ? POLL_EVERY_MS : false),
  });
  const isRunning = data === undefined || data.state === 'running';
  const name = t`Saving what can be read`;
  return (
    <div className="form">
      <div role="status">
        {data !== undefined && isRunning && (
          <>
            <p>
              {name}:{' '}
              {data.total === null
                ? formatCount(data.done)
                : t`${formatCount(data.done)} of ${formatCount(data.total)}`}
            </p>
            <Meter label={name} done={data.done} total={data.total} />
          </>
        )}
        {data?.state === 'done' && (
          <p>
            <Icon name="check" className="c-ok" /> {data.result}.
          </p>
        )}
      </div>
      {data?.state === 'failed' && <Note tone="bad">{data.error}</Note>}
      {data?.state === 'cancelled' && <Note tone="plain">{t`Cancelled.`}</Note>}
      {error !== null && <Note tone="bad">{problemOf(error).message}</Note>}
      <div className="row end">
        <Button onClick={onClose}>{t`Close`}</Button>
        <ButtonLink variant="primary" href={toConnection(id)}>{t`Open the new store`}</ButtonLink>
      </div>
    </div>
  );
}
