import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { addressOf } from '../../../shared/contract/connections.ts';
import {
  type ComparedConnection,
  compareConnections,
  type ListDifference,
} from '../../../shared/contract/files/connection-list.ts';
import { useChange, useLive } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/overlays/Dialog.tsx';
import { ConnectionMark } from '../../components/status/ConnectionMark.tsx';
import { Note } from '../../components/status/Note.tsx';
import type { OpenedList } from './connection-files.ts';
import classes from './connections.module.css';
import { type ImportFailure, importConnections } from './import-connections.ts';

const DIFFERENCE: Readonly<Record<ListDifference, string>> = {
  name: t`name`,
  colour: t`colour`,
  environment: t`environment`,
  readOnly: t`read-only`,
  access: t`SSH, certificates or secrets`,
};

interface ImportConnectionsProps {
  /** Null: closed. */
  opened: OpenedList | null;
  onClose: () => void;
}

/** Shows what importing a list of connections would add and change, and imports it. */
export function ImportConnections({ opened, onClose }: ImportConnectionsProps) {
  return (
    <Dialog
      opened={opened !== null}
      onClose={onClose}
      title={t`Import connections from ${opened?.file ?? ''}`}
      width={620}
    >
      {opened !== null && <Preview opened={opened} onClose={onClose} />}
    </Dialog>
  );
}

function Preview({ opened, onClose }: { opened: OpenedList; onClose: () => void }) {
  const existing = useLive(state => state.connections) ?? [];
  // The preview stays as confirmed while the import changes the list.
  const [compared] = useState(() => compareConnections(opened.list, existing));
  const [failures, setFailures] = useState<readonly ImportFailure[]>([]);
  const run = useChange({
    mutationFn: () => importConnections(compared),
    onSuccess(failed) {
      if (failed.length === 0) onClose();
      else setFailures(failed);
    },
  });
  const count = (is: ComparedConnection['is']) => compared.filter(one => one.is === is).length;
  const [added, changed, same] = [count('new'), count('changed'), count('same')];
  const isDone = run.isSuccess;
  return (
    <div className="form">
      <p className="t-2">
        <Trans>
          {added} new, {changed} changed, {same} skipped. A list has no passwords and passphrases: new
          connections are added closed, and a password is requested when one is opened.
        </Trans>
      </p>
      <ul className={classes.importList} aria-label={t`Connections of the file`}>
        {compared.map(one => (
          <li key={addressOf(one.listed.target)}>
            <ConnectionMark colour={one.listed.colour} />
            <span className="t-semi">{one.listed.name}</span>
            <span className="mono t-12 t-2 wrap">{addressOf(one.listed.target)}</span>
            <Change one={one} failure={failures.find(({ listed }) => listed === one.listed)} />
          </li>
        ))}
      </ul>
      {failures.length > 0 && (
        <Note tone="bad">{t`Some connections were not imported. The others are imported.`}</Note>
      )}
      {run.error !== null && <Note tone="bad">{run.error.message}</Note>}
      <div className="row end">
        <Button onClick={onClose}>{isDone ? t`Close` : t`Cancel`}</Button>
        {!isDone && (
          <Button
            variant="primary"
            data-autofocus
            disabled={added + changed === 0}
            busy={run.isPending}
            onClick={() => run.mutate()}
          >{t`Import`}</Button>
        )}
      </div>
    </div>
  );
}

function Change({ one, failure }: { one: ComparedConnection; failure: ImportFailure | undefined }) {
  if (failure !== undefined) return <span className="t-12 c-overdue wrap">{failure.message}</span>;
  if (one.is === 'new') return <span className="t-12 c-ok">{t`New`}</span>;
  if (one.is !== 'changed') return <span className="t-12 t-3">{t`Skipped: connected already`}</span>;
  const differences = one.differences.map(part => DIFFERENCE[part]).join(', ');
  return <span className="t-12 c-accent">{t`Changes: ${differences}`}</span>;
}
