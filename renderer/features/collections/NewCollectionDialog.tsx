import { t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { client, Declined, problemOf, useLive } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/overlays/Dialog.tsx';
import { formatNameProblem } from '../../i18n/name-problem.ts';

interface NewCollectionDialogProps {
  opened: boolean;
  onClose: () => void;
  onCreated: (name: string) => void;
}

export function NewCollectionDialog(props: NewCollectionDialogProps) {
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title={t`New collection`} width={440}>
      <Form {...props} />
    </Dialog>
  );
}

function Form({ onClose, onCreated }: NewCollectionDialogProps) {
  const [name, setName] = useState('');
  const [refused, setRefused] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const taken = useLive(({ collections }) => collections?.has(name) ?? false);
  const lost = useLive(({ connection }) => connection.is === 'lost');
  const known = taken ? t`There is a collection of this name already.` : formatNameProblem(name);
  // Between the end of the call and the closing of the dialog, the name is already in use.
  const problem = refused ?? (name === '' || busy ? null : known);

  async function create(): Promise<void> {
    setBusy(true);
    try {
      await client.collections.create({ name });
      onClose();
      onCreated(name);
    } catch (error) {
      if (!(error instanceof Declined)) setRefused(problemOf(error).message);
      setBusy(false);
    }
  }

  return (
    <form
      className="form"
      onSubmit={event => {
        event.preventDefault();
        if (name !== '' && problem === null && !lost) void create();
      }}
    >
      <TextInput
        label={t`Name`}
        data-autofocus
        value={name}
        error={problem}
        description={problem === null && t`Up to 120 characters, without “/”.`}
        onChange={event => {
          setName(event.target.value);
          setRefused(null);
        }}
      />
      <div className="row end">
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button
          type="submit"
          variant="primary"
          disabled={name === '' || problem !== null || lost}
          busy={busy}
        >{t`Create collection`}</Button>
      </div>
    </form>
  );
}
