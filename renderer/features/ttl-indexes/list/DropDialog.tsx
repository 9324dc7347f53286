import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { client, orpc, problemOf, queryClient, useChange } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { goTo, toIndex } from '../../../components/navigation/location.ts';
import { Dialog } from '../../../components/overlays/Dialog.tsx';
import { showToast } from '../../../components/overlays/toast-store.ts';
import { Note } from '../../../components/status/Note.tsx';
import { formatCount } from '../../../i18n/format.ts';
import { EffectBars } from '../preview/EffectBars.tsx';
import classes from '../preview/effect.module.css';

interface DropDialogProps {
  /** Null: closed. */
  index: TtlIndex | null;
  onClose: () => void;
}

/**
 * Drops an index. Its documents no longer expire by it and do not change; the effect on the other indexes is shown
 * first [X3].
 */
export function DropDialog({ index, onClose }: DropDialogProps) {
  return (
    <Dialog
      opened={index !== null}
      onClose={onClose}
      title={t`Drop ${index?.name ?? ''}?`}
      width={620}
      footer={index !== null && <Footer index={index} onClose={onClose} />}
    >
      {index !== null && <Consequences index={index} />}
    </Dialog>
  );
}

function Consequences({ index }: { index: TtlIndex }) {
  const { collection, name } = index;
  const { data: preview, error } = useQuery(
    orpc.ttlIndexes.preview.queryOptions({
      input: { collection, name, drop: true },
      staleTime: 0,
      gcTime: 0,
    }),
  );
  return (
    <>
      <p className="wrap">
        <Trans>
          Expiration by <span className="mono">{name}</span> stops at once. The {formatCount(index.documents)}{' '}
          documents it covers are kept unchanged.
        </Trans>{' '}
        {index.overdue > 0 &&
          t`The ${formatCount(index.overdue)} overdue ones it hides become visible again.`}{' '}
        <Trans>It can be restored from its policy history, which builds it again.</Trans>
      </p>
      <section aria-busy={preview === undefined}>
        <h3 className="t-11 t-3">
          <Trans>Expiration of {collection} without it</Trans>
        </h3>
        {error !== null && <Note tone="warn">{problemOf(error).message}</Note>}
        {preview === undefined ? (
          <div className={`${classes.room} t-12 t-3`}>{error === null && t`counting…`}</div>
        ) : (
          <EffectBars preview={preview} firstLabel={t`Due now`} />
        )}
      </section>
    </>
  );
}

function Footer({ index: { collection, name }, onClose }: { index: TtlIndex; onClose: () => void }) {
  const drop = useChange({
    mutationFn: () => client.ttlIndexes.drop({ collection, index: name }),
    onSuccess: () => {
      for (const { key } of [orpc.ttlIndexes.list, orpc.ttlIndexes.history, orpc.ttlIndexes.dropped])
        void queryClient.invalidateQueries({ queryKey: key({ input: { collection } }) });
      showToast({
        kind: 'good',
        title: t`${name} dropped`,
        detail: t`Its expiration in ${collection} stopped.`,
        actions: [
          { label: t`Restore…`, onSelect: () => goTo(toIndex(collection, name, { revert: 'last' })) },
        ],
      });
      onClose();
    },
    onError: error => {
      const { code, message } = problemOf(error);
      showToast({ kind: 'error', title: t`${name} not dropped`, detail: message, code });
    },
  });
  return (
    <>
      <span className="grow" />
      <Button onClick={onClose} data-autofocus>{t`Cancel`}</Button>
      <Button variant="danger" busy={drop.isPending} onClick={() => drop.mutate()}>{t`Drop index`}</Button>
    </>
  );
}
