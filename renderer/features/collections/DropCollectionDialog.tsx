import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import { client, Declined, orpc, problemOf, useLive } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/overlays/Dialog.tsx';
import { showToast, type Toast } from '../../components/overlays/toast-store.ts';
import { Note } from '../../components/status/Note.tsx';
import { formatLongDuration } from '../../i18n/format.ts';
import { undoDrop } from './undo-drop.ts';

interface DropCollectionDialogProps {
  opened: boolean;
  onClose: () => void;
  summary: CollectionSummary;
  onDropped: () => void;
}

/** The name must be typed, because all documents are dropped at once. */
export function DropCollectionDialog(props: DropCollectionDialogProps) {
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title={t`Drop this collection`} width={480}>
      <Form {...props} />
    </Dialog>
  );
}

const documentsAndIndexes = ({ documents, ttlIndexes }: CollectionSummary) =>
  t`${plural(documents, { one: '# document', other: '# documents' })} and ${plural(ttlIndexes, { one: '# TTL index', other: '# TTL indexes' })}`;

function Form({ onClose, summary, onDropped }: DropCollectionDialogProps) {
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const lost = useLive(({ connection }) => connection.is === 'lost');
  const { name } = summary;
  const settings = useQuery(orpc.settings.get.queryOptions());
  const retention = settings.data?.retention;

  async function drop(): Promise<void> {
    setBusy(true);
    let result: Toast;
    try {
      const { documents } = await client.collections.drop({ collection: name });
      result = {
        kind: 'good',
        title: t`Collection dropped`,
        detail: t`${name}, with ${plural(documents, { one: '# document', other: '# documents' })}.`,
        ...(retention !== 0 && { actions: [{ label: t`Restore`, onSelect: () => void undoDrop(name) }] }),
      };
      onDropped();
    } catch (error) {
      if (error instanceof Declined) {
        setBusy(false);
        return;
      }
      const { code, message } = problemOf(error);
      result = { kind: 'error', title: t`Collection not dropped`, detail: `${name}: ${message}`, code };
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
        {retention === 0 ? (
          <Trans>
            This drops <b className="t-semi">{documentsAndIndexes(summary)}</b> permanently: this store keeps
            no restorable copies.
          </Trans>
        ) : (
          <Trans>
            This drops <b className="t-semi">{documentsAndIndexes(summary)}</b>.
          </Trans>
        )}
        {retention === undefined && ` ${t`It can be restored for a time, under Activity, Expired.`}`}
        {retention !== undefined &&
          retention !== 0 &&
          ` ${t`It can be restored for ${formatLongDuration(retention)}, under Activity, Expired.`}`}
      </Note>
      <TextInput
        label={
          <>
            <Trans>
              To confirm, type its name: <b className="t-semi">{name}</b>
            </Trans>
          </>
        }
        data-autofocus
        value={typed}
        onChange={event => setTyped(event.target.value)}
      />
      <div className="row end">
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button
          type="submit"
          variant="danger"
          disabled={typed !== name || lost}
          busy={busy}
        >{t`Drop collection`}</Button>
      </div>
    </form>
  );
}
