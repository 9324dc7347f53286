import { t } from '@lingui/core/macro';
import { useMemo, useState } from 'react';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { EXPLICIT } from '../../../../shared/model/ttl-index.ts';
import { useMissing, useRefusal } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import classes from '../documents.module.css';
import type { ExpirationEdit } from '../expiration/expiration-edit.ts';
import { SetExpiration } from '../staging/SetExpiration.tsx';

interface DetailsActionsProps {
  row: DocumentRecord;
  /** The edit already staged for the document. */
  edit: ExpirationEdit | undefined;
  onStage: (edit: ExpirationEdit) => void;
}

/** Stages an expiration for one document. */
export function DetailsActions({ row, edit, onStage }: DetailsActionsProps) {
  const [isSetting, setSetting] = useState(false);
  const selected = useMemo(() => new Map([[row._id, row]]), [row]);
  const mayWrite = useRefusal('documents.put') === null;
  const pins = useMissing('pin') === null;
  const willBePinned = edit === undefined ? row.state === (pins ? 'pinned' : 'never') : edit.kind === 'never';
  if (!mayWrite) return null;
  return (
    <div className={`row ${classes.detailsActions}`}>
      <SetExpiration selected={selected} isOpen={isSetting} onOpen={setSetting} onStage={onStage} />
      {!willBePinned && (
        <Button variant="ghost" small icon="pinned" onClick={() => onStage({ kind: 'never' })}>
          {pins ? t`Pin` : t`Remove the TTL`}
        </Button>
      )}
      {pins && row.deadlineFrom === EXPLICIT && edit?.kind !== 'clear' && (
        <Button
          variant="ghost"
          small
          icon="undo"
          onClick={() => onStage({ kind: 'clear' })}
        >{t`Clear expiration`}</Button>
      )}
    </div>
  );
}
