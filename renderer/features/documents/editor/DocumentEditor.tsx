import { useDeferredValue, useMemo, useState } from 'react';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { formatBytes } from '../../../../shared/model/format.ts';
import { useRefusal } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import { Note } from '../../../components/status/Note.tsx';
import { keepDraft, useDrafts } from './drafts.ts';
import { JsonEditor } from './JsonEditor.tsx';
import { documentText, readDocumentText } from './json-text.ts';
import { refusalOf, useSaveDocument } from './use-save-document.ts';

interface DocumentEditorProps {
  collection: string;
  row: DocumentRecord;
  onDelete: () => void;
}

/** The text of one document. What is typed and not saved is kept, wherever one goes meanwhile. */
export function DocumentEditor({ collection, row, onDelete }: DocumentEditorProps) {
  const draft = useDrafts(collection).get(row._id);
  const [saved, setSaved] = useState<DocumentRecord | null>(null);
  const save = useSaveDocument(collection);
  const mayNot = useRefusal('documents.put');
  // What was just saved is newer than what was last read.
  const current = saved !== null && saved.updatedAt > row.updatedAt ? saved : row;
  const text = draft?.text ?? documentText(current.document);
  const isEdited = draft !== undefined;
  const isBehind = isEdited && current.updatedAt !== draft.base.updatedAt;
  // A large one is read when the keys leave time for it.
  const settled = useDeferredValue(text);
  const read = useMemo(() => readDocumentText(settled), [settled]);

  function type(next: string): void {
    const base = draft?.base ?? current;
    const isAsBefore = next === documentText(base.document) && !isBehind;
    keepDraft(collection, row._id, isAsBefore ? null : { base, text: next });
    save.reset();
  }
  function revert(): void {
    keepDraft(collection, row._id, null);
    save.reset();
  }
  function write(): void {
    const typed = settled === text ? read : readDocumentText(text);
    if (!('document' in typed) || !isEdited || save.isPending || mayNot !== null) return;
    save.mutate({ id: row._id, document: typed.document }, { onSuccess: setSaved });
  }
  return (
    <section className="grow">
      {isBehind && (
        <Note tone="warn">
          It was written by someone else since you began.{' '}
          <button type="button" className="link" onClick={revert}>
            Show theirs
          </button>
          , or save to replace it.
        </Note>
      )}
      <JsonEditor
        label={`Document, ${formatBytes(row.bytes)}`}
        text={text}
        read={read}
        isUnsaved={isEdited}
        isReadOnly={mayNot !== null}
        refusal={refusalOf(save.error)}
        onChange={type}
        onSave={write}
      />
      <div className="row editor-f">
        {mayNot === null ? (
          <Button variant="ghost" small icon="trash" className="danger-text" onClick={onDelete}>
            Delete…
          </Button>
        ) : (
          <span className="t-12 t-2 wrap">
            <Icon name="lock" size={12} /> {mayNot}
          </span>
        )}
        <span className="spacer" />
        {(mayNot === null || isEdited) && (
          <Button small disabled={!isEdited} onClick={revert}>
            Revert
          </Button>
        )}
        {mayNot === null && (
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
        )}
      </div>
    </section>
  );
}
