import { t } from '@lingui/core/macro';
import type { ServerTarget } from '../../../shared/contract/connections.ts';
import type { ServerKind } from '../../../shared/model/transport/server-address.ts';
import { AddressField, useConnectionTest } from './AddressField.tsx';
import type { FieldProblems } from './format-connection.ts';
import { ServerFields } from './ServerFields.tsx';
import { accessOf, type ServerAccess, serverTarget } from './server-access.ts';
import { withoutPassword } from './server-parts.ts';

/** The address and the access of a server as typed. */
export interface ServerDraft {
  readonly address: string;
  readonly access: ServerAccess;
}

export function serverDraft(target: ServerTarget): ServerDraft {
  return { address: target.uri, access: accessOf(target) };
}

/** Returns whether saving would connect the server in another way, or with another secret. */
export function isServerChanged(target: ServerTarget, draft: ServerDraft): boolean {
  const text = ({ address, access }: ServerDraft) =>
    JSON.stringify(serverTarget(target.kind, address, access));
  return text(draft) !== text(serverDraft(target));
}

interface EditServerProps {
  /** The connection, whose secrets are used by a test where none is typed. */
  id: string;
  kind: ServerKind;
  draft: ServerDraft;
  problems: FieldProblems;
  onChange: (draft: ServerDraft) => void;
}

/** The way to the server of an existing connection. Secrets that it has are not shown; empty fields leave them. */
export function EditServer({ id, kind, draft, problems, onChange }: EditServerProps) {
  const { address, access } = draft;
  const test = useConnectionTest();
  const change = (next: ServerDraft) => {
    test.reset();
    onChange(next);
  };
  return (
    <>
      <AddressField
        label={t`Address`}
        value={address}
        problem={problems.file}
        test={test}
        onTest={() => test.mutate({ ...serverTarget(kind, address, access), connection: id })}
        onBlur={() => {
          const split = withoutPassword(address);
          if (split !== null)
            change({ address: split.address, access: { ...access, secret: split.password } });
        }}
        onChange={next => change({ ...draft, address: next })}
      >
        {t`As the machine that runs Sandglass reaches it. A test changes nothing.`}
      </AddressField>
      <ServerFields
        address={address}
        access={access}
        isExisting
        sshProblem={problems.ssh}
        tlsProblem={problems.tls}
        onAddress={next => change({ ...draft, address: next })}
        onAccess={next => change({ ...draft, access: next })}
      />
    </>
  );
}
