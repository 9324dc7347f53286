import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { engineNow, oneAction, reportRemoval, useChange, useMissing } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Dialog } from '../../../components/overlays/Dialog.tsx';
import { showToast } from '../../../components/overlays/toast-store.ts';
import { Note } from '../../../components/status/Note.tsx';
import { formatCount } from '../../../i18n/format.ts';
import { refusalOf } from '../editor/use-save-document.ts';
import { CHUNK, chunksOf, refusedOf } from '../staging/apply-edits.ts';

interface DeleteDialogProps {
  collection: string;
  /** `_id`s to delete; null: the dialog is closed. */
  ids: readonly string[] | null;
  onClose: () => void;
  onDeleted: (ids: readonly string[]) => void;
}

/** Confirms a deletion, and reports it with a way to restore the documents [X4]. */
export function DeleteDialog({ collection, ids, onClose, onDeleted }: DeleteDialogProps) {
  const keepsCopies = useMissing('restore') === null;
  const remove = useChange({
    mutationFn: async (all: readonly string[]) => {
      const { documents } = oneAction();
      const failed = new Map<string, string>();
      const from = engineNow();
      for (const chunk of chunksOf(all, CHUNK)) {
        const job = await documents.deleteMany({ collection, ids: chunk });
        for (const { _id, message } of refusedOf(job)) failed.set(_id, message);
      }
      return { failed, from };
    },
    onSuccess: ({ failed, from }, all) => {
      const deleted = all.filter(id => !failed.has(id));
      if (failed.size > 0) {
        showToast({
          kind: 'error',
          title: plural(failed.size, { one: '# document not deleted', other: '# documents not deleted' }),
          detail: [...failed.values()][0] ?? '',
        });
      }
      if (deleted.length > 0) reportRemoval({ collection, cause: 'deleted', from, isCertain: true });
      onDeleted(deleted);
      onClose();
    },
  });
  const count = ids?.length ?? 0;
  const refusal = refusalOf(remove.error);
  return (
    <Dialog
      opened={ids !== null}
      onClose={onClose}
      locked={remove.isPending}
      title={
        count === 1
          ? t`Delete ${visibleText(ids?.[0] ?? '')}?`
          : plural(count, { one: 'Delete # document?', other: 'Delete # documents?' })
      }
      width={460}
      footer={
        <>
          <span className="grow" />
          <Button onClick={onClose} data-autofocus>{t`Keep`}</Button>
          <Button variant="danger" busy={remove.isPending} onClick={() => ids !== null && remove.mutate(ids)}>
            <Trans>Delete {formatCount(count)}</Trans>
          </Button>
        </>
      }
    >
      <p className="wrap">
        {keepsCopies ? (
          <Trans>
            Deletes from {collection}. A copy can be restored for the store’s retention; the timeline does not
            count deletions.
          </Trans>
        ) : (
          <Trans>Deletes from {collection}. What is deleted cannot be restored.</Trans>
        )}
      </p>
      {refusal !== null && <Note tone="bad">{refusal}</Note>}
    </Dialog>
  );
}
