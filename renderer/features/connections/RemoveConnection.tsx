import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { addressOf, type ConnectionRecord } from '../../../shared/contract/connections.ts';
import { connectionsClient, problemOf, useChange } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/overlays/Dialog.tsx';
import { showToast } from '../../components/overlays/toast-store.ts';
import { Note } from '../../components/status/Note.tsx';

interface RemoveConnectionProps {
  /** Null: closed. */
  record: ConnectionRecord | null;
  onClose: () => void;
  onRemoved: (id: string) => void;
}

/** Removes the connection, not its file. */
export function RemoveConnection({ record, onClose, onRemoved }: RemoveConnectionProps) {
  const remove = useChange({
    mutationFn: ({ id }: ConnectionRecord) => connectionsClient().remove({ id }),
    onSuccess: (_, { id, name, target }) => {
      onRemoved(id);
      const address = addressOf(target);
      const detail =
        target.kind === 'file' ? t`Its file is kept: ${address}` : t`Nothing was changed at ${address}.`;
      showToast({ kind: 'good', title: t`${name} removed`, detail });
    },
  });
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <Dialog
      opened={record !== null}
      onClose={close}
      title={t`Remove ${record?.name ?? ''}?`}
      width={480}
      footer={
        record !== null && (
          <>
            <span className="grow" />
            <Button onClick={close} data-autofocus>{t`Keep it`}</Button>
            <Button
              variant="primary"
              busy={remove.isPending}
              onClick={() => remove.mutate(record)}
            >{t`Remove connection`}</Button>
          </>
        )
      }
    >
      {record !== null && <Consequences {...record} />}
      {remove.error !== null && <Note tone="bad">{problemOf(remove.error).message}</Note>}
    </Dialog>
  );
}

function Consequences({ target }: Pick<ConnectionRecord, 'target'>) {
  const address = <span className="mono wrap">{addressOf(target)}</span>;
  if (target.kind === 'file') {
    return (
      <>
        <p>
          <Trans>
            Its store is closed, and its name, colour and environment are deleted. Nothing expires there until
            it is opened again.
          </Trans>
        </p>
        <p>
          <Trans>The file is kept, with all its documents: {address}</Trans>
        </p>
      </>
    );
  }
  return (
    <p>
      <Trans>
        Its name, its password and everything that was recorded of its expiries are deleted here. Nothing
        changes at the server: {address}
      </Trans>
    </p>
  );
}
