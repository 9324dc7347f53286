import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { DroppedCollection } from '../../../../shared/contract/collections.ts';
import { client, liveState, problemOf, useChange, useLive } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { goTo, toCollection } from '../../../components/navigation/location.ts';
import { Dialog } from '../../../components/overlays/Dialog.tsx';
import { showToast } from '../../../components/overlays/toast-store.ts';
import { Note } from '../../../components/status/Note.tsx';
import { documents } from '../expired-model/format-expired.ts';
import { freeName } from './free-name.ts';

interface RestoreDroppedProps {
  dropped: DroppedCollection | null;
  onClose: () => void;
}

/** Restores a dropped collection with its indexes, under another name if its own is in use. */
export function RestoreDropped({ dropped, onClose }: RestoreDroppedProps) {
  return (
    <Dialog opened={dropped !== null} onClose={onClose} title={`Restore ${dropped?.name ?? ''}`} width={460}>
      {dropped !== null && <Form dropped={dropped} onClose={onClose} />}
    </Dialog>
  );
}

function Form({ dropped, onClose }: { dropped: DroppedCollection; onClose: () => void }) {
  const [name, setName] = useState(() => freeName(dropped.name, liveState().collections ?? new Map()));
  const isTaken = useLive(({ collections }) => collections?.has(name) === true);
  const wasTaken = useLive(({ collections }) => collections?.has(dropped.name) === true);
  const restore = useChange({
    mutationFn: () => client.collections.restore({ id: dropped.id, name }),
    onSuccess: summary => {
      showToast({
        kind: 'good',
        title: 'Collection restored',
        detail: `${summary.name}, with ${documents(summary.documents)}.`,
        actions: [{ label: `Open ${summary.name}`, onSelect: () => goTo(toCollection(summary.name)) }],
      });
      onClose();
    },
  });
  return (
    <form
      className="form"
      onSubmit={event => {
        event.preventDefault();
        if (name !== '' && !isTaken) restore.mutate();
      }}
    >
      <p className="wrap t-2">
        Restores {documents(dropped.documents)} and the indexes. If documents became due since, the collection
        is held until you confirm.
      </p>
      <TextInput
        label="Name"
        description={wasTaken && `${dropped.name} is in use by a newer collection.`}
        data-autofocus
        value={name}
        error={isTaken && `A collection ${name} exists. Choose another name.`}
        onChange={event => setName(event.target.value)}
      />
      {restore.error !== null && <Note tone="bad">{problemOf(restore.error).message}</Note>}
      <div className="row end">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" type="submit" disabled={name === '' || isTaken} busy={restore.isPending}>
          Restore collection
        </Button>
      </div>
    </form>
  );
}
