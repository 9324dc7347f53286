import { formatCount } from '../../../../shared/model/format.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { oneAct, useChange } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Dialog } from '../../../components/overlays/Dialog.tsx';
import { showToast } from '../../../components/overlays/toast-store.ts';
import { Note } from '../../../components/status/Note.tsx';
import { refusalOf } from '../editor/use-save-document.ts';
import { CHUNK, chunksOf, refusedOf } from '../staging/apply-edits.ts';

interface DeleteDialogProps {
  collection: string;
  /** What to delete; null while nothing is asked. */
  ids: readonly string[] | null;
  onClose: () => void;
  onDeleted: (ids: readonly string[]) => void;
}

/** Deleting by hand is for good: it is asked for once, with the count in the button. */
export function DeleteDialog({ collection, ids, onClose, onDeleted }: DeleteDialogProps) {
  const remove = useChange({
    mutationFn: async (all: readonly string[]) => {
      const { documents } = oneAct();
      const failed = new Map<string, string>();
      for (const chunk of chunksOf(all, CHUNK)) {
        const job = await documents.deleteMany({ collection, ids: chunk });
        for (const { _id, message } of refusedOf(job)) failed.set(_id, message);
      }
      return failed;
    },
    onSuccess: (failed, all) => {
      const deleted = all.filter(id => !failed.has(id));
      showToast({
        kind: failed.size === 0 ? 'good' : 'error',
        title: `${documentsInWords(deleted.length)} deleted`,
        detail:
          failed.size === 0
            ? collection
            : `${formatCount(failed.size)} not: ${[...failed.values()][0] ?? ''}`,
      });
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
      title={`Delete ${count === 1 ? visibleText(ids?.[0] ?? '') : documentsInWords(count)}?`}
      width={460}
      footer={
        <>
          <span className="grow" />
          <Button onClick={onClose} data-autofocus>
            Keep
          </Button>
          <Button variant="danger" busy={remove.isPending} onClick={() => ids !== null && remove.mutate(ids)}>
            Delete {formatCount(count)}
          </Button>
        </>
      }
    >
      <p className="wrap">
        {count === 1 ? 'It leaves' : 'They leave'} {collection} at once and for good. This is no expiry: the
        timeline does not count it, and no copy is kept.
      </p>
      {refusal !== null && <Note tone="bad">{refusal}</Note>}
    </Dialog>
  );
}

function documentsInWords(count: number): string {
  return `${formatCount(count)} document${count === 1 ? '' : 's'}`;
}
