import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import { formatLongDuration } from '../../../shared/model/duration.ts';
import { formatCount } from '../../../shared/model/format.ts';
import { client, Declined, problemOf, useLive } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/overlays/Dialog.tsx';
import { showToast, type Toast } from '../../components/overlays/toast-store.ts';
import { Note } from '../../components/status/Note.tsx';
import { undoDrop } from './undo-drop.ts';

interface DropCollectionDialogProps {
  opened: boolean;
  onClose: () => void;
  summary: CollectionSummary;
  onDropped: () => void;
}

/** Confirmed by typing the name: all documents are dropped at once. */
export function DropCollectionDialog(props: DropCollectionDialogProps) {
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title="Drop this collection" width={480}>
      <Form {...props} />
    </Dialog>
  );
}

const documentsAndIndexes = ({ documents, ttlIndexes }: CollectionSummary) =>
  `${formatCount(documents)} ${documents === 1 ? 'document' : 'documents'} and ${ttlIndexes} TTL ${ttlIndexes === 1 ? 'index' : 'indexes'}`;

function Form({ onClose, summary, onDropped }: DropCollectionDialogProps) {
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const lost = useLive(({ connection }) => connection.is === 'lost');
  const { name } = summary;
  const settings = useQuery({ queryKey: ['settings'], queryFn: () => client.settings.get() });
  const retention = settings.data?.retention;

  async function drop(): Promise<void> {
    setBusy(true);
    let result: Toast;
    try {
      const { documents } = await client.collections.drop({ collection: name });
      result = {
        kind: 'good',
        title: 'Collection dropped',
        detail: `${name}, with ${formatCount(documents)} ${documents === 1 ? 'document' : 'documents'}.`,
        ...(retention !== 0 && { actions: [{ label: 'Restore', onSelect: () => void undoDrop(name) }] }),
      };
      onDropped();
    } catch (error) {
      if (error instanceof Declined) {
        setBusy(false);
        return;
      }
      const { code, message } = problemOf(error);
      result = { kind: 'error', title: 'Collection not dropped', detail: `${name}: ${message}`, code };
    }
    onClose();
    showToast(result);
  }

  return (
    <form
      className="form"
      onSubmit={event => {
        event.preventDefault();
        if (typed === name && !lost) void drop();
      }}
    >
      <Note tone="warn">
        This drops <b className="t-semi">{documentsAndIndexes(summary)}</b>
        {retention === 0
          ? ' permanently: this store keeps no restorable copies.'
          : `. It can be restored ${retention === undefined ? 'for a time' : `for ${formatLongDuration(retention)}`}, under Activity, Expired.`}
      </Note>
      <TextInput
        label={
          <>
            To confirm, type its name: <b className="t-semi">{name}</b>
          </>
        }
        data-autofocus
        value={typed}
        onChange={event => setTyped(event.target.value)}
      />
      <div className="row end">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="danger" disabled={typed !== name || lost} busy={busy}>
          Drop collection
        </Button>
      </div>
    </form>
  );
}
