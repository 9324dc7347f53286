import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useDeferredValue, useMemo, useState } from 'react';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { useRefusal } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import { Segmented } from '../../../components/controls/Segmented.tsx';
import { Note } from '../../../components/status/Note.tsx';
import { formatBytes } from '../../../i18n/format.ts';
import classes from '../documents.module.css';
import { DocumentOutline } from './DocumentOutline.tsx';
import { useDocumentForm } from './document-view.ts';
import { keepDraft, useDrafts } from './drafts.ts';
import { JsonEditor } from './JsonEditor.tsx';
import { formatDocument, readDocumentText } from './json-text.ts';
import { useFieldNames } from './use-field-names.ts';
import { ChangedElsewhere, refusalOf, useSaveDocument } from './use-save-document.ts';

const FORMS = [
  { value: 'json', label: 'JSON' },
  { value: 'table', label: t`Table` },
  { value: 'tree', label: t`Tree` },
] as const;

interface DocumentEditorProps {
  collection: string;
  row: DocumentRecord;
  onDelete: () => void;
}

/** Editor of one document. Unsaved text is kept as a draft. */
export function DocumentEditor({ collection, row, onDelete }: DocumentEditorProps) {
  const draft = useDrafts(collection).get(row._id);
  /** The document as the engine last answered it, and the row that was shown then. */
  const [answered, setAnswered] = useState<{ record: DocumentRecord; over: DocumentRecord } | null>(null);
  /** The stored document that a save found instead of the edited one. */
  const [found, setFound] = useState<DocumentRecord | null>(null);
  const save = useSaveDocument(collection);
  const refusal = useRefusal('documents.put');
  // The answer is newer than the row last read. A row of PostgreSQL has no time of its last write.
  const isNewer = answered !== null && (answered.record.updatedAt > row.updatedAt || answered.over === row);
  const current = isNewer ? answered.record : row;
  const text = draft?.text ?? formatDocument(current.document);
  const [form, setForm] = useDocumentForm();
  const fields = useFieldNames(collection);
  const isEdited = draft !== undefined;
  const isBehind = isEdited && (found !== null || current.updatedAt !== draft.base.updatedAt);
  // Deferred, because parsing a large text at each key press is slow.
  const settled = useDeferredValue(text);
  const read = useMemo(() => readDocumentText(settled), [settled]);

  function type(next: string): void {
    const base = draft?.base ?? current;
    const isAsBefore = next === formatDocument(base.document) && !isBehind;
    keepDraft(collection, row._id, isAsBefore ? null : { base, text: next });
    save.reset();
  }
  function revert(): void {
    keepDraft(collection, row._id, null);
    if (found !== null) setAnswered({ record: found, over: row });
    setFound(null);
    save.reset();
  }
  function write(): void {
    const typed = settled === text ? read : readDocumentText(text);
    if (!('document' in typed) || !isEdited || save.isPending || refusal !== null) return;
    save.mutate(
      { id: row._id, document: typed.document, base: isBehind ? (found ?? current) : draft.base },
      {
        onSuccess: record => {
          setAnswered({ record, over: row });
          setFound(null);
        },
        onError: error => error instanceof ChangedElsewhere && setFound(error.stored),
      },
    );
  }
  return (
    <section className="grow">
      {isBehind && (
        <Note tone="warn">
          <Trans>
            The document was changed elsewhere since you began to edit.{' '}
            <button type="button" className="link" onClick={revert}>
              Show stored version
            </button>
            , or save to replace it.
          </Trans>
        </Note>
      )}
      <div className={classes.documentForm}>
        <Segmented label={t`Show the document as`} value={form} segments={FORMS} onChange={setForm} />
      </div>
      {form !== 'json' && 'document' in read ? (
        <DocumentOutline document={read.document} form={form} />
      ) : (
        <JsonEditor
          label={t`Document, ${formatBytes(row.bytes)}`}
          fields={fields}
          text={text}
          read={read}
          isUnsaved={isEdited}
          isReadOnly={refusal !== null}
          refusal={refusalOf(save.error)}
          onChange={type}
          onSave={write}
        />
      )}
      <div className={`row ${classes.editorF}`}>
        {refusal === null ? (
          <Button
            variant="ghost"
            small
            icon="trash"
            className="danger-text"
            onClick={onDelete}
          >{t`Delete…`}</Button>
        ) : (
          <span className="t-12 t-2 wrap">
            <Icon name="lock" size={12} /> {refusal}
          </span>
        )}
        <span className="spacer" />
        {(refusal === null || isEdited) && (
          <Button small disabled={!isEdited} onClick={revert}>{t`Revert`}</Button>
        )}
        {refusal === null && (
          <Button
            variant="primary"
            small
            shortcut="Ctrl S"
            busy={save.isPending}
            disabled={!isEdited || !('document' in read)}
            onClick={write}
          >{t`Save`}</Button>
        )}
      </div>
    </section>
  );
}
