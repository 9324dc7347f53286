import { t } from '@lingui/core/macro';
import { useState } from 'react';
import {
  addressOf,
  type ConnectionLabel,
  type ConnectionRecord,
} from '../../../shared/contract/connections.ts';
import { connectionsClient, problemOf, useChange, useLive } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/overlays/Dialog.tsx';
import { Note } from '../../components/status/Note.tsx';
import { nameProblem, refusedField } from './format-connection.ts';
import { LabelFields } from './LabelFields.tsx';

interface EditConnectionProps {
  /** Null: closed. */
  record: ConnectionRecord | null;
  onClose: () => void;
}

export function EditConnection({ record, onClose }: EditConnectionProps) {
  return (
    <Dialog opened={record !== null} onClose={onClose} title={t`Edit ${record?.name ?? ''}`} width={560}>
      {record !== null && <Form key={record.id} record={record} onClose={onClose} />}
    </Dialog>
  );
}

function Form({ record, onClose }: { record: ConnectionRecord; onClose: () => void }) {
  const { id, name, colour, environment, readOnly, target } = record;
  const [label, setLabel] = useState<ConnectionLabel>({ name, colour, environment, readOnly });
  const others = (useLive(state => state.connections) ?? []).filter(other => other.id !== id);
  const change = useChange({
    mutationFn: () => connectionsClient().change({ id, ...label, name: label.name.trim() }),
    onSuccess: onClose,
  });
  const typed = label.name.trim() === name ? undefined : nameProblem(label.name.trim(), others).name;
  const refused = change.error === null ? null : problemOf(change.error);
  const isOfName = refused !== null && refusedField(refused.data) === 'name';
  return (
    <form
      className="form"
      onSubmit={event => {
        event.preventDefault();
        if (typed === undefined && !change.isPending) change.mutate();
      }}
    >
      <LabelFields
        label={label}
        problem={isOfName ? refused.message : typed}
        autoFocus
        onChange={next => {
          setLabel({ ...label, ...next });
          change.reset();
        }}
      />
      <p className="t-12 t-2">
        {target.kind === 'file' ? t`File` : t`Address`} <span className="mono wrap">{addressOf(target)}</span>
        {target.kind !== 'file' && target.ssh !== undefined && (
          <>
            {' '}
            {t`through SSH by`} <span className="mono wrap">{`${target.ssh.user}@${target.ssh.host}`}</span>
          </>
        )}
      </p>
      {label.readOnly !== readOnly && <Note>{t`The store is reopened to apply this.`}</Note>}
      {refused !== null && !isOfName && <Note tone="bad">{refused.message}</Note>}
      <div className="row end">
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button
          type="submit"
          variant="primary"
          disabled={typed !== undefined}
          busy={change.isPending}
        >{t`Save`}</Button>
      </div>
    </form>
  );
}
