import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { orpc, problemOf, useChange } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Dialog } from '../../../components/overlays/Dialog.tsx';
import { Note } from '../../../components/status/Note.tsx';
import { formatNotErased } from '../expired-model/format-expired.ts';

interface PurgeDialogProps {
  opened: boolean;
  /** `Purge 38 documents now?` */
  title: string;
  /** Name to type, and the kind of object it names. */
  name: string;
  of: 'collection' | 'store';
  button: string;
  purge: () => Promise<void>;
  onClose: () => void;
  children?: ReactNode;
}

/** The name must be typed, because erasure is final. */
export function PurgeDialog(props: PurgeDialogProps) {
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title={props.title} width={500}>
      {props.opened && <Form {...props} />}
    </Dialog>
  );
}

function Form({ name, of, button, purge, onClose, children }: PurgeDialogProps) {
  const [typed, setTyped] = useState('');
  const { data: followers } = useQuery(orpc.replication.followers.queryOptions({ staleTime: 0 }));
  const run = useChange({ mutationFn: purge, onSuccess: onClose });
  return (
    <form
      className="form"
      onSubmit={event => {
        event.preventDefault();
        if (typed === name) run.mutate();
      }}
    >
      {children}
      <Note tone="warn">
        <Trans>
          Erases the documents from restorable copies, change log and file. The file is rewritten, and
          requests wait meanwhile. This cannot be undone.
        </Trans>
      </Note>
      {followers !== undefined && (
        <p className="t-2 wrap">{formatNotErased(followers.map(follower => follower.name))}</p>
      )}
      <TextInput
        label={
          of === 'collection' ? (
            <Trans>
              To confirm, type the name of the collection: <b className="t-semi">{name}</b>
            </Trans>
          ) : (
            <Trans>
              To confirm, type the name of the store: <b className="t-semi">{name}</b>
            </Trans>
          )
        }
        data-autofocus
        value={typed}
        onChange={event => setTyped(event.target.value)}
      />
      {run.error !== null && <Note tone="bad">{problemOf(run.error).message}</Note>}
      <div className="row end">
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button variant="danger" type="submit" disabled={typed !== name} busy={run.isPending}>
          {button}
        </Button>
      </div>
    </form>
  );
}
