import { useEffect, useState } from 'react';
import type { DocumentRecord } from '../../../shared/contract/documents.ts';
import { formatBytes } from '../../../shared/model/format.ts';
import { client, problemOf, useLiveQuery } from '../../api.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Note } from '../../components/Note.tsx';
import { DeadlineExplained } from './DeadlineExplained.tsx';
import { JsonEditor } from './JsonEditor.tsx';
import { documentText, readDocumentText } from './jsonText.ts';
import { NewDeadline } from './StagedDeadline.tsx';
import type { StagedEdit } from './staging.ts';
import { refusalOf, useSaveDocument } from './useSaveDocument.ts';

interface DetailsProps {
  collection: string;
  id: string;
  edit: StagedEdit | undefined;
  onUnstage: () => void;
  onStep: (by: 1 | -1) => void;
  onDelete: (row: DocumentRecord) => void;
  onClose: () => void;
}

/** One document: why it has its deadline, and its text to edit. */
export function Details(props: DetailsProps) {
  const { collection, id, edit } = props;
  const found = useLiveQuery({
    key: ['document', collection, id],
    ask: () => client.documents.get({ collection, id, includeExpired: true }),
    collection,
  });
  // The answer before stays while the next is asked for: it is of another document.
  const row = found.data?._id === id ? found.data : undefined;
  return (
    <aside className="drawer" aria-label={`Document ${id}`}>
      <div className="row drawer-h">
        <b className="mono t-semi grow ell" title={id}>
          {id}
        </b>
        <IconButton icon="up" label="Previous" shortcut="K" onClick={() => props.onStep(-1)} />
        <IconButton icon="down" label="Next" shortcut="J" onClick={() => props.onStep(1)} />
        <IconButton icon="x" label="Close" shortcut="Esc" onClick={props.onClose} />
      </div>
      <div className="drawer-b">
        {found.error !== null && (
          <section>
            <Note tone="warn">
              {problemOf(found.error).code === 'DOCUMENT_NOT_FOUND'
                ? `${id} is gone: it expired or was deleted.`
                : problemOf(found.error).message}
            </Note>
          </section>
        )}
        {row !== undefined && found.error === null && (
          <>
            <section>
              <DeadlineExplained collection={collection} row={row} />
              {edit !== undefined && (
                <div className="note info staged-note">
                  <Icon name="edit" size={14} />
                  <span className="grow">
                    Staged: <NewDeadline edit={edit.edit} />.{' '}
                    {edit.edit.kind === 'clear' ? '' : 'It will outrank every TTL index. '}
                    <button type="button" className="link" onClick={props.onUnstage}>
                      Undo
                    </button>
                  </span>
                </div>
              )}
            </section>
            <DocumentEditor key={id} collection={collection} row={row} onDelete={() => props.onDelete(row)} />
          </>
        )}
      </div>
    </aside>
  );
}

function DocumentEditor({
  collection,
  row,
  onDelete,
}: {
  collection: string;
  row: DocumentRecord;
  onDelete: () => void;
}) {
  const [base, setBase] = useState(row);
  const [text, setText] = useState(documentText(row.document));
  const save = useSaveDocument(collection);
  const isEdited = text !== documentText(base.document);
  const isBehind = row.updatedAt !== base.updatedAt;
  const read = readDocumentText(text);

  function take(fresh: DocumentRecord): void {
    setBase(fresh);
    setText(documentText(fresh.document));
    save.reset();
  }
  // Somebody else wrote it: what nobody is editing follows, what is being edited is not overwritten.
  useEffect(() => {
    if (isBehind && !isEdited) {
      setBase(row);
      setText(documentText(row.document));
    }
  }, [isBehind, isEdited, row]);

  function write(): void {
    if ('document' in read && isEdited)
      save.mutate({ id: row._id, document: read.document }, { onSuccess: take });
  }
  return (
    <section className="grow">
      {isBehind && isEdited && (
        <Note tone="warn">
          It was written by someone else since you began.{' '}
          <button type="button" className="link" onClick={() => take(row)}>
            Show theirs
          </button>
          , or save to replace it.
        </Note>
      )}
      <JsonEditor
        label={`Document, ${formatBytes(row.bytes)}`}
        text={text}
        read={read}
        refusal={refusalOf(save.error)}
        onChange={next => {
          setText(next);
          save.reset();
        }}
        onSave={write}
      />
      <div className="row editor-f">
        <Button variant="ghost" small icon="trash" className="danger-text" onClick={onDelete}>
          Delete…
        </Button>
        <span className="spacer" />
        <Button small disabled={!isEdited} onClick={() => take(row)}>
          Revert
        </Button>
        <Button
          variant="primary"
          small
          shortcut="Ctrl S"
          busy={save.isPending}
          disabled={!isEdited || !('document' in read)}
          onClick={write}
        >
          Save
        </Button>
      </div>
    </section>
  );
}
