import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { DroppedCollection } from '../../../../shared/contract/collections.ts';
import { client, liveState, problemOf, useChange, useLive } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { goTo, toCollection } from '../../../components/navigation/location.ts';
import { Dialog } from '../../../components/overlays/Dialog.tsx';
import { showToast } from '../../../components/overlays/toast-store.ts';
import { Note } from '../../../components/status/Note.tsx';

import { freeName } from './free-name.ts';

interface RestoreDroppedProps {
  dropped: DroppedCollection | null;
  onClose: () => void;
}

/** Restores a dropped collection with its indexes, under another name if its own is in use. */
export function RestoreDropped({ dropped, onClose }: RestoreDroppedProps) {
  return (
    <Dialog opened={dropped !== null} onClose={onClose} title={t`Restore ${dropped?.name ?? ''}`} width={460}>
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
        title: t`Collection restored`,
        detail: t`${summary.name}, with ${plural(summary.documents, { one: '# document', other: '# documents' })}.`,
        actions: [{ label: t`Open ${summary.name}`, onSelect: () => goTo(toCollection(summary.name)) }],
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
        <Trans>
          Restores <Plural value={dropped.documents} one="# document" other="# documents" /> and the indexes.
          If documents became due since, the collection is held until you confirm.
        </Trans>
      </p>
      <TextInput
        label={t`Name`}
        description={wasTaken && t`${dropped.name} is in use by a newer collection.`}
        data-autofocus
        value={name}
        error={isTaken && t`A collection ${name} exists. Choose another name.`}
        onChange={event => setName(event.target.value)}
      />
      {restore.error !== null && <Note tone="bad">{problemOf(restore.error).message}</Note>}
      <div className="row end">
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button
          variant="primary"
          type="submit"
          disabled={name === '' || isTaken}
          busy={restore.isPending}
        >{t`Restore collection`}</Button>
      </div>
    </form>
  );
}
