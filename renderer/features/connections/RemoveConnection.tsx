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
      showToast({ kind: 'good', title: `${name} removed`, detail: `Its file is kept: ${target.file}` });
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
      title={`Remove ${record?.name ?? ''}?`}
      width={480}
      footer={
        record !== null && (
          <>
            <span className="grow" />
            <Button onClick={close} data-autofocus>
              Keep it
            </Button>
            <Button variant="primary" busy={remove.isPending} onClick={() => remove.mutate(record)}>
              Remove connection
            </Button>
          </>
        )
      }
    >
      <p>
        Its store is closed, and its name, colour and environment are deleted. Nothing expires there until it
        is opened again.
      </p>
      <p>
        The file is kept, with all its documents: <span className="mono wrap">{record?.target.file}</span>
      </p>
      {remove.error !== null && <Note tone="bad">{problemOf(remove.error).message}</Note>}
    </Dialog>
  );
}
