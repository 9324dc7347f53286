import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { orpc, problemOf, useLiveQuery, useMissing } from '../../../api.ts';
import { IconButton } from '../../../components/controls/Button.tsx';
import { toActivity } from '../../../components/navigation/location.ts';
import { Note } from '../../../components/status/Note.tsx';
import classes from '../documents.module.css';
import { DeadlineExplanation } from '../expiration/DeadlineExplanation.tsx';
import type { ExpirationEdit } from '../expiration/expiration-edit.ts';
import { NewDeadline } from '../expiration/StagedDeadline.tsx';
import type { StagedEdit } from '../staging/staged-edits.ts';
import { DetailsActions } from './DetailsActions.tsx';
import { DocumentEditor } from './DocumentEditor.tsx';
import { UnsavedText } from './UnsavedText.tsx';

interface DetailsProps {
  collection: string;
  id: string;
  edit: StagedEdit | undefined;
  /** Returns the section below that of the deadline. */
  renderDetails: (id: string) => ReactNode;
  onStage: (row: DocumentRecord, edit: ExpirationEdit) => void;
  onUnstage: () => void;
  onStep: (by: 1 | -1) => void;
  onDelete: (row: DocumentRecord) => void;
  onClose: () => void;
}

/** One document: the explanation of its deadline, and its editor. */
export function DocumentDetails(props: DetailsProps) {
  const { collection, id, edit } = props;
  const hasIndexes = useMissing('ttlIndexes') === null;
  const found = useLiveQuery(
    orpc.documents.get.queryOptions({ input: { collection, id, includeExpired: true } }),
    { collection },
  );
  // While another document is read, the query still holds the previous one.
  const row = found.data?._id === id ? found.data : undefined;
  const isRemoved = found.error !== null && problemOf(found.error).code === 'DOCUMENT_NOT_FOUND';
  return (
    <aside className="drawer" aria-label={t`Document ${visibleText(id)}`}>
      <div className="row drawer-h">
        <b className="mono t-semi grow ell" title={visibleText(id)}>
          {visibleText(id)}
        </b>
        <IconButton icon="up" label={t`Previous`} shortcut="K" onClick={() => props.onStep(-1)} />
        <IconButton icon="down" label={t`Next`} shortcut="J" onClick={() => props.onStep(1)} />
        <IconButton icon="x" label={t`Close`} shortcut="Esc" onClick={props.onClose} />
      </div>
      <div className="drawer-b">
        {found.error !== null && (
          <section>
            <Note tone="warn">
              {isRemoved ? t`${visibleText(id)} expired or was deleted.` : problemOf(found.error).message}{' '}
              {isRemoved && (
                <a
                  href={toActivity('expired', { collection, filter: id })}
                >{t`Expired documents can be restored from Activity.`}</a>
              )}
            </Note>
          </section>
        )}
        {found.error !== null && <UnsavedText key={id} collection={collection} id={id} />}
        {row !== undefined && found.error === null && (
          <>
            <section>
              <DeadlineExplanation collection={collection} row={row} />
              <DetailsActions row={row} edit={edit?.edit} onStage={next => props.onStage(row, next)} />
              {edit !== undefined && (
                <Note tone="info" icon="edit" className={classes.stagedNote}>
                  <Trans>
                    Staged: <NewDeadline edit={edit.edit} />.
                  </Trans>{' '}
                  {edit.edit.kind !== 'clear' && hasIndexes && t`This outranks every TTL index.`}{' '}
                  <button type="button" className="link" onClick={props.onUnstage}>{t`Undo`}</button>
                </Note>
              )}
            </section>
            {props.renderDetails(id)}
            <DocumentEditor key={id} collection={collection} row={row} onDelete={() => props.onDelete(row)} />
          </>
        )}
      </div>
    </aside>
  );
}
