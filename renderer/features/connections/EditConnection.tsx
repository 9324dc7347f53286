import { t } from '@lingui/core/macro';
import { useState } from 'react';
import {
  addressOf,
  type ConnectionLabel,
  type ConnectionRecord,
  type ServerTarget,
} from '../../../shared/contract/connections.ts';
import { connectionsClient, problemOf, useChange, useLive } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/overlays/Dialog.tsx';
import { Note } from '../../components/status/Note.tsx';
import { EditServer, isServerChanged, type ServerDraft, serverDraft } from './EditServer.tsx';
import { addressProblem, type FieldProblems, nameProblem, refusedField } from './format-connection.ts';
import { LabelFields } from './LabelFields.tsx';
import { serverTarget, sshProblem } from './server-access.ts';

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

/** Changes the label of a connection, and the address and the access of a server. */
function Form({ record, onClose }: { record: ConnectionRecord; onClose: () => void }) {
  const { id, name, colour, environment, readOnly, target, state } = record;
  const [label, setLabel] = useState<ConnectionLabel>({ name, colour, environment, readOnly });
  // The record is replaced when the connection changes its state; what is typed stays.
  const [server] = useState<ServerTarget | null>(target.kind === 'file' ? null : target);
  const [draft, setDraft] = useState<ServerDraft | null>(server === null ? null : serverDraft(server));
  const others = (useLive(all => all.connections) ?? []).filter(other => other.id !== id);
  const isReconnected = server !== null && draft !== null && isServerChanged(server, draft);
  const change = useChange({
    mutationFn: () =>
      connectionsClient().change({
        id,
        ...label,
        name: label.name.trim(),
        ...(isReconnected && { target: serverTarget(server.kind, draft.address, draft.access) }),
      }),
    onSuccess: onClose,
  });
  const typed: FieldProblems = {
    ...(label.name.trim() !== name && nameProblem(label.name.trim(), others)),
    ...(draft !== null && { ...addressProblem(draft.address), ssh: sshProblem(draft.access) }),
  };
  const refused = change.error === null ? null : problemOf(change.error);
  const problems: FieldProblems =
    refused === null ? typed : { ...typed, [refusedField(refused.data)]: refused.message };
  const isValid = Object.values(typed).every(problem => problem === undefined);
  return (
    <form
      className="form"
      onSubmit={event => {
        event.preventDefault();
        if (isValid && !change.isPending) change.mutate();
      }}
    >
      <LabelFields
        label={label}
        problem={problems.name}
        autoFocus
        onChange={next => {
          setLabel({ ...label, ...next });
          change.reset();
        }}
      />
      {server !== null && draft !== null ? (
        <EditServer
          id={id}
          kind={server.kind}
          draft={draft}
          problems={problems}
          onChange={next => {
            setDraft(next);
            change.reset();
          }}
        />
      ) : (
        <p className="t-12 t-2">
          {t`File`} <span className="mono wrap">{addressOf(target)}</span>
        </p>
      )}
      {state.is !== 'closed' &&
        (isReconnected ? (
          <Note>{t`The server is tested, then connected again. Staged edits stay.`}</Note>
        ) : (
          label.readOnly !== readOnly && <Note>{t`The store is reopened to apply this.`}</Note>
        ))}
      {server === null && refused !== null && refusedField(refused.data) !== 'name' && (
        <Note tone="bad">{refused.message}</Note>
      )}
      <div className="row end">
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button type="submit" variant="primary" disabled={!isValid} busy={change.isPending}>{t`Save`}</Button>
      </div>
    </form>
  );
}
