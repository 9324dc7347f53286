import { t } from '@lingui/core/macro';
import { useState } from 'react';
import type { JsonObject } from '../../../../shared/model/json/json.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { client, useChange } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Dialog } from '../../../components/overlays/Dialog.tsx';
import { showToast } from '../../../components/overlays/toast-store.ts';
import { formatIdProblem } from '../../../i18n/name-problem.ts';
import classes from '../documents.module.css';
import { JsonEditor } from './JsonEditor.tsx';
import { type ReadJson, readDocumentText } from './json-text.ts';
import { useFieldNames } from './use-field-names.ts';
import { refusalOf } from './use-save-document.ts';

const BLANK = '{\n  \n}';

interface NewDocumentProps {
  collection: string;
  opened: boolean;
  onClose: () => void;
  onInserted: (id: string) => void;
}

/** Creates one document. The store generates a missing `_id` [C1]. */
export function NewDocument({ collection, opened, onClose, onInserted }: NewDocumentProps) {
  const [text, setText] = useState(BLANK);
  const insert = useChange({
    mutationFn: async (document: JsonObject) => {
      const report = await client.documents.write({ params: { collection }, body: document });
      const rejected = report.rejected[0];
      if (rejected !== undefined) throw new Error(rejected.message);
      return report;
    },
    onSuccess: report => {
      const id = report.ids[0] ?? '';
      const isDue = report.expiredOnArrival > 0;
      showToast({
        kind: isDue ? 'info' : 'good',
        title: isDue ? t`${visibleText(id)} is already due` : t`${visibleText(id)} inserted`,
        detail: isDue
          ? t`A TTL index of ${collection} sets a deadline in the past: it is hidden and expires at once.`
          : collection,
      });
      setText(BLANK);
      onInserted(id);
      onClose();
    },
  });
  const read = readNew(text);
  const write = () => {
    if ('document' in read) insert.mutate(read.document);
  };
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t`New document in ${collection}`}
      width={640}
      footer={
        <>
          <span className="t-12 t-3 grow">{t`A missing _id is generated.`}</span>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button
            variant="primary"
            shortcut="Ctrl ↵"
            busy={insert.isPending}
            disabled={!('document' in read)}
            onClick={write}
          >{t`Insert document`}</Button>
        </>
      }
    >
      <div className={classes.newDocument}>
        <JsonEditor
          label={t`Document`}
          fields={useFieldNames(collection, opened)}
          text={text}
          read={read}
          refusal={refusalOf(insert.error)}
          autoFocus
          onChange={next => {
            setText(next);
            insert.reset();
          }}
          onSave={write}
        />
      </div>
    </Dialog>
  );
}

function readNew(text: string): ReadJson {
  const read = readDocumentText(text);
  if ('problem' in read || read.document._id === undefined) return read;
  const problem = formatIdProblem(read.document._id);
  return problem === null ? read : { problem, line: null };
}
