import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { problemOf, useChange, useLive, useMayConnect } from '../api.ts';
import { Button, ButtonLink } from '../components/controls/Button.tsx';
import { Icon } from '../components/controls/Icon.tsx';
import { goTo, hrefTo, toConnections } from '../components/navigation/location.ts';
import { AddConnection } from '../features/connections/AddConnection.tsx';
import { ConnectionsTable } from '../features/connections/ConnectionsTable.tsx';
import {
  type OpenedList,
  openConnectionList,
  saveConnections,
} from '../features/connections/connection-files.ts';
import { damagedStoreOf } from '../features/connections/damaged/is-damaged.ts';
import { SaveReadable } from '../features/connections/damaged/SaveReadable.tsx';
import { EditConnection } from '../features/connections/EditConnection.tsx';
import { freeColour } from '../features/connections/format-connection.ts';
import { ImportConnections } from '../features/connections/ImportConnections.tsx';
import { RemoveConnection } from '../features/connections/RemoveConnection.tsx';

/** All connections. `path`: a dialog and its connection. */
export function ConnectionsPage({ path }: { path: readonly string[] }) {
  const [dialog, id] = path;
  const connections = useLive(state => state.connections);
  const record = connections?.find(one => one.id === id) ?? null;
  const at = useLive(state => state.at);
  const mayConnect = useMayConnect();
  const [imported, setImported] = useState<OpenedList | null>(null);
  const save = useChange({ mutationFn: saveConnections });
  const open = useChange({ mutationFn: openConnectionList, onSuccess: setImported });
  const failed = save.error ?? open.error;
  const close = () => goTo(toConnections(), { replace: true });
  return (
    <main className="page">
      <div className="row">
        <h1 className="t-title grow">{t`Connections`}</h1>
        {mayConnect && (
          <>
            <Button
              small
              icon="file"
              busy={open.isPending}
              onClick={() => open.mutate()}
            >{t`Import…`}</Button>
            <Button
              small
              icon="download"
              busy={save.isPending}
              onClick={() => save.mutate()}
            >{t`Export…`}</Button>
            <ButtonLink variant="primary" small href={toConnections('add')}>
              <Icon name="plus" size={12} />
              <Trans>Add connection…</Trans>
            </ButtonLink>
          </>
        )}
      </div>
      {failed !== null && (
        <p className="problem wrap" role="alert">
          {problemOf(failed).message}
        </p>
      )}
      <ConnectionsTable />
      <AddConnection opened={dialog === 'add' && mayConnect} onClose={close} />
      <ImportConnections opened={imported} onClose={() => setImported(null)} />
      <EditConnection record={dialog === 'edit' ? record : null} onClose={close} />
      <SaveReadable
        damaged={dialog === 'save' && mayConnect ? damagedStoreOf(record) : null}
        colour={freeColour(connections ?? [])}
        onClose={close}
      />
      <RemoveConnection
        record={dialog === 'remove' ? record : null}
        onClose={close}
        onRemoved={removed => {
          // The removed connection was the current one.
          if (removed === at) goTo(hrefTo(['connections'], {}, null), { replace: true });
          else close();
        }}
      />
    </main>
  );
}
