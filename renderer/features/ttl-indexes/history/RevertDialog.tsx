import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { PolicyChange, TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { problemOf } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Dialog } from '../../../components/overlays/Dialog.tsx';
import { Note } from '../../../components/status/Note.tsx';
import { useStoreSettings } from '../draft/use-store-settings.ts';
import { effectTitle } from '../format/format-action.ts';
import { EffectBars } from '../preview/EffectBars.tsx';
import classes from '../preview/effect.module.css';
import { usePreview } from '../preview/use-preview.ts';
import { ConfirmEffect } from '../review/ConfirmEffect.tsx';
import { confirmationOf } from '../review/confirmation.ts';
import { CountMoved } from '../review/ReviewStep.tsx';
import { changedPreview } from '../review/use-save-index.ts';
import { Differences } from './Differences.tsx';
import { differences, revertOffer } from './format-change.ts';
import { useRevert } from './use-revert.ts';

interface RevertDialogProps {
  collection: string;
  /** Null: closed. */
  change: PolicyChange | null;
  /** The present definition; null: the index was dropped. */
  current: TtlIndex | null;
  onClose: () => void;
}

/** Shows the definition that a revert restores, and the documents it makes due, before the revert [X3, X5]. */
export function RevertDialog({ collection, change, current, onClose }: RevertDialogProps) {
  const title =
    change === null ? '' : current === null ? t`Restore ${change.index}?` : t`Revert ${change.index}?`;
  return (
    <Dialog opened={change !== null} onClose={onClose} title={title} width={620}>
      {change !== null && (
        <Asked key={change.id} collection={collection} change={change} current={current} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Asked({ collection, change, current, onClose }: RevertDialogProps & { change: PolicyChange }) {
  // The content is kept while the dialog closes.
  const [offer] = useState(() => revertOffer(change, current));
  const target = 'target' in offer ? offer.target : null;
  const [typedName, setTypedName] = useState('');
  const settings = useStoreSettings();
  const { preview, isCurrent, error, recount } = usePreview({
    collection,
    name: current?.name ?? null,
    source: target?.source ?? null,
  });
  const revert = useRevert({ collection, change, wasDropped: current === null, onDone: onClose });
  if (target === null) {
    return (
      <div className="form">
        <Note>
          <Trans>
            This change cannot be reverted: {change.index} is the same as before it, or had another source.
          </Trans>
        </Note>
        <div className="row end">
          <Button onClick={onClose}>{t`Close`}</Button>
        </div>
      </div>
    );
  }
  const confirmation = preview === null ? 'none' : confirmationOf(target, preview, current, settings);
  const lacksName = confirmation === 'name' && typedName !== collection;
  const isMoved = revert.error !== null && changedPreview(revert.error) !== null;
  const canSend = preview !== null && isCurrent && !lacksName;
  return (
    <form
      className="form"
      onSubmit={event => {
        event.preventDefault();
        if (!canSend || revert.isPending) return;
        revert.mutate(preview, {
          onError: () => {
            setTypedName('');
            recount();
          },
        });
      }}
    >
      {isMoved && preview !== null && (
        <CountMoved from={revert.variables?.dueAtOnce ?? 0} to={preview.dueAtOnce} />
      )}
      {revert.error !== null && !isMoved && <Note tone="bad">{problemOf(revert.error).message}</Note>}
      <Differences differences={differences(current, target)} />
      <section aria-busy={preview === null}>
        <h3 className="t-11 t-3">{effectTitle(collection, target.schedule)}</h3>
        {error !== null && <Note tone="warn">{problemOf(error).message}</Note>}
        {preview === null ? (
          <div className={`${classes.room} t-12 t-3`}>{error === null && t`counting…`}</div>
        ) : (
          <EffectBars preview={preview} />
        )}
      </section>
      {preview !== null && confirmation !== 'none' && (
        <ConfirmEffect
          collection={collection}
          definition={target}
          preview={preview}
          needsName={confirmation === 'name'}
          typedName={typedName}
          onTypeName={setTypedName}
        />
      )}
      <div className="row end">
        <Button onClick={onClose} data-autofocus>{t`Cancel`}</Button>
        <Button type="submit" variant="primary" disabled={!canSend} busy={revert.isPending}>
          {current === null ? t`Restore` : t`Revert`}
        </Button>
      </div>
    </form>
  );
}
