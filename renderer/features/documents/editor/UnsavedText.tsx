import { t } from '@lingui/core/macro';
import { Button } from '../../../components/controls/Button.tsx';
import { CopyButton } from '../../../components/controls/CopyButton.tsx';
import classes from '../documents.module.css';
import { keepDraft, useDrafts } from './drafts.ts';
import { JsonEditor } from './JsonEditor.tsx';
import { readDocumentText } from './json-text.ts';

/** Unsaved text of a document that was removed: it can be copied or discarded. */
export function UnsavedText({ collection, id }: { collection: string; id: string }) {
  const draft = useDrafts(collection).get(id);
  if (draft === undefined) return null;
  return (
    <section className="grow">
      <p className="wrap">{t`Your text was not saved. It is kept for 7 days.`}</p>
      <JsonEditor
        label={t`Unsaved text`}
        text={draft.text}
        read={readDocumentText(draft.text)}
        isUnsaved
        isReadOnly
        onChange={() => {}}
        onSave={() => {}}
      />
      <div className={`row ${classes.editorF}`}>
        <CopyButton text={draft.text} />
        <span className="spacer" />
        <Button small onClick={() => keepDraft(collection, id, null)}>{t`Discard text`}</Button>
      </div>
    </section>
  );
}
