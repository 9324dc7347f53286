import { t } from '@lingui/core/macro';
import { useState } from 'react';
import type { ConnectionLabel, ConnectionRecord, NamedTarget } from '../../../shared/contract/connections.ts';
import { serverKindOf } from '../../../shared/model/transport/server-address.ts';
import { connectionsClient, problemOf, useChange, useLive } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { goTo, toConnection } from '../../components/navigation/location.ts';
import { Dialog } from '../../components/overlays/Dialog.tsx';
import { Note } from '../../components/status/Note.tsx';
import { AddressField, useConnectionTest } from './AddressField.tsx';
import { type DamagedStore, refusedAsDamaged } from './damaged/is-damaged.ts';
import { SaveReadable } from './damaged/SaveReadable.tsx';
import { type ChosenFile, StoreFiles } from './files/StoreFiles.tsx';
import { useNamesPaths } from './files/use-names-paths.ts';
import {
  type FieldProblems,
  freeColour,
  refusedField,
  suggestedName,
  typedProblems,
} from './format-connection.ts';
import { LabelFields } from './LabelFields.tsx';
import { ServerFields } from './ServerFields.tsx';
import { DIRECT_ACCESS, serverTarget, sshProblem } from './server-access.ts';
import { withoutPassword } from './server-parts.ts';

interface AddConnectionProps {
  opened: boolean;
  onClose: () => void;
}

/** Connects a further store, in a file or on a server. Problems are shown beside their field; a test changes nothing. */
export function AddConnection({ opened, onClose }: AddConnectionProps) {
  const { namesPaths, error } = useNamesPaths(opened);
  const others = useLive(state => state.connections) ?? [];
  const [damaged, setDamaged] = useState<DamagedStore | null>(null);
  return (
    <>
      <Dialog opened={opened && damaged === null} onClose={onClose} title={t`Add a connection`} width={560}>
        {namesPaths !== undefined && (
          <Form others={others} namesPaths={namesPaths} onClose={onClose} onSave={setDamaged} />
        )}
        {namesPaths === undefined && error !== null && <Note tone="bad">{problemOf(error).message}</Note>}
      </Dialog>
      <SaveReadable
        damaged={opened ? damaged : null}
        colour={freeColour(others)}
        onClose={() => {
          setDamaged(null);
          onClose();
        }}
      />
    </>
  );
}

interface FormProps {
  others: readonly ConnectionRecord[];
  namesPaths: boolean;
  onClose: () => void;
  /** Saves what can be read of a store that was refused. */
  onSave: (damaged: DamagedStore) => void;
}

function Form({ others, namesPaths, onClose, onSave }: FormProps) {
  const [file, setFile] = useState('');
  const [folder, setFolder] = useState<ChosenFile['folder']>('stores');
  const [label, setLabel] = useState<ConnectionLabel>({
    name: '',
    colour: freeColour(others),
    environment: 'development',
    readOnly: false,
  });
  // The name follows the file until a name is typed.
  const [isNamed, setNamed] = useState(false);
  const [access, setAccess] = useState(DIRECT_ACCESS);
  const [isSent, setSent] = useState(false);
  const test = useConnectionTest();
  const name = isNamed ? label.name : suggestedName(file);
  const kind = serverKindOf(file);
  const isServer = kind !== null;
  const ssh = isServer ? sshProblem(access) : undefined;
  const typed = { ...typedProblems({ file, name }, others, namesPaths), ...(ssh !== undefined && { ssh }) };
  const target: NamedTarget =
    kind !== null
      ? serverTarget(kind, file, access)
      : { kind: 'file', file: file.trim(), ...(!namesPaths && { folder }) };

  const add = useChange({
    mutationFn: () => connectionsClient().add({ ...label, name: name.trim(), target }),
    onSuccess: added => goTo(toConnection(added.id)),
  });
  const damaged = refusedAsDamaged(
    target,
    test.data,
    add.error === null ? undefined : problemOf(add.error).data,
  );
  const problems: FieldProblems = { ...refusal(add.error), ...(isSent && !add.isSuccess && typed) };

  function change(next: string, of: ChosenFile['folder'] = 'stores'): void {
    setFile(next);
    setFolder(of);
    test.reset();
    setSent(false);
    add.reset();
  }
  /** Moves the password of a pasted address into its own field, where it is not shown. */
  function hidePassword(): void {
    const split = withoutPassword(file);
    if (split === null) return;
    change(split.address);
    setAccess({ ...access, secret: split.password });
  }
  function look(): void {
    if (typed.file === undefined && ssh === undefined) test.mutate(target);
    else setSent(true);
  }
  return (
    <form
      className="form"
      onSubmit={event => {
        event.preventDefault();
        setSent(true);
        if (Object.keys(typed).length === 0 && !add.isPending) add.mutate();
      }}
    >
      <AddressField
        label={t`File or address`}
        autoFocus
        placeholder={
          namesPaths ? '/data/orders.sandglass, redis://localhost' : 'orders.sandglass, redis://localhost'
        }
        value={file}
        problem={problems.file}
        test={test}
        onTest={look}
        onBlur={hidePassword}
        onChange={change}
      >
        {isServer
          ? t`A Redis, PostgreSQL or etcd server, as the machine that runs Sandglass reaches it. It is not changed by connecting.`
          : namesPaths
            ? t`A Redis, PostgreSQL or etcd server by its address, or a store’s file by its full path on the machine that runs Sandglass. A missing file is created.`
            : t`A Redis, PostgreSQL or etcd server by its address, or a store in the folder of stores on the machine that runs Sandglass. A missing file is created.`}
      </AddressField>
      {damaged !== null && (
        <div>
          <Button
            onClick={() =>
              onSave({ id: null, name: name.trim(), environment: label.environment, file: damaged })
            }
          >{t`Save what can be read…`}</Button>
        </div>
      )}
      {isServer && (
        <ServerFields
          address={file}
          access={access}
          sshProblem={problems.ssh}
          tlsProblem={problems.tls}
          onAddress={change}
          onAccess={next => {
            change(file, folder);
            setAccess(next);
          }}
        />
      )}
      {!namesPaths && !isServer && (
        <StoreFiles chosen={{ file: file.trim(), folder }} onChoose={one => change(one.file, one.folder)} />
      )}
      <LabelFields
        label={{ ...label, name }}
        problem={problems.name}
        onChange={changed => {
          if (changed.name !== undefined) {
            setNamed(true);
            add.reset();
          }
          setLabel({ ...label, name, ...changed });
        }}
      />
      <div className="row end">
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button type="submit" variant="primary" busy={add.isPending}>{t`Add connection`}</Button>
      </div>
    </form>
  );
}

function refusal(error: Error | null): FieldProblems {
  if (error === null) return {};
  const { message, data } = problemOf(error);
  return { [refusedField(data)]: message };
}
