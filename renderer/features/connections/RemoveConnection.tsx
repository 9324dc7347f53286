import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ConnectionRecord } from '../../../shared/contract/connections.ts';
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
      showToast({ kind: 'good', title: t`${name} removed`, detail: t`Its file is kept: ${target.file}` });
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
      <p>
        <Trans>
          Its store is closed, and its name, colour and environment are deleted. Nothing expires there until
          it is opened again.
        </Trans>
      </p>
      <p>
        <Trans>
          The file is kept, with all its documents: <span className="mono wrap">{record?.target.file}</span>
        </Trans>
      </p>
      {remove.error !== null && <Note tone="bad">{problemOf(remove.error).message}</Note>}
    </Dialog>
  );
}
