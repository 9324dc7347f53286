import { t } from '@lingui/core/macro';
import { useCallback, useState } from 'react';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import type { JsonValue } from '../../../../shared/model/json/json.ts';
import { client, problemOf, useChange } from '../../../api.ts';
import { draftsOf } from '../editor/drafts.ts';
import { reportArrival } from '../editor/use-save-document.ts';
import { type CellMode, cellModeOf, cellText, isSameValue, readCell, withField } from './cell-value.ts';
import { type Column, fieldValue } from './columns.ts';

interface CellEdit {
  id: string;
  column: Column;
  path: readonly string[];
  before: JsonValue | undefined;
  text: string;
  mode: CellMode;
}

/** The cell being edited. Its text is kept here, because a row that is scrolled out of sight is not rendered. */
export interface CellEditing extends CellEdit {
  /** Null: the text can be saved. */
  problem: string | null;
  isSaving: boolean;
  type: (text: string) => void;
  setMode: (mode: CellMode) => void;
  save: () => void;
  cancel: () => void;
}

export interface CellEditor {
  editing: CellEditing | null;
  /** Returns false if the document cannot be edited here: it has unsaved text, or is too large for a row. */
  begin: (row: DocumentRecord, column: Column) => boolean;
}

/** Edits one field in its cell. Saves the document as it is stored now, with the new value, like the editor does. */
export function useCellEdit(collection: string, onEnd: () => void): CellEditor {
  const [edit, setEdit] = useState<CellEdit | null>(null);
  const write = useChange({
    mutationFn: async ({ id, path, before, value }: CellEdit & { value: JsonValue }) => {
      const stored = await client.documents.get({ collection, id, includeExpired: true });
      if (!isSameValue(fieldValue(stored.document, path), before))
        throw new Error(t`The field was changed elsewhere since. Esc shows its present value.`);
      const document = withField(stored.document, path, value);
      return client.documents.put({ params: { collection, id }, body: document });
    },
    onSuccess: saved => {
      reportArrival(saved);
      end();
    },
  });
  const { reset } = write;
  const end = useCallback(() => {
    setEdit(null);
    reset();
    onEnd();
  }, [reset, onEnd]);
  const begin = useCallback(
    (row: DocumentRecord, column: Column) => {
      if (column.path === null || row.clipped || draftsOf(collection).has(row._id)) return false;
      const before = fieldValue(row.document, column.path);
      const mode = cellModeOf(before, column);
      reset();
      setEdit({ id: row._id, column, path: column.path, before, mode, text: cellText(before, mode) });
      return true;
    },
    [collection, reset],
  );
  if (edit === null) return { editing: null, begin };

  const read = readCell(edit.text, edit.mode);
  const change = (part: Partial<CellEdit>) => {
    setEdit({ ...edit, ...part });
    reset();
  };
  return {
    begin,
    editing: {
      ...edit,
      problem:
        'problem' in read ? read.problem : write.error === null ? null : problemOf(write.error).message,
      isSaving: write.isPending,
      type: text => change({ text }),
      setMode: mode => {
        const isValue = 'value' in read && (mode === 'json' || typeof read.value === 'string');
        change({ mode, text: isValue ? cellText(read.value, mode) : edit.text });
      },
      save: () => {
        if (write.isPending || 'problem' in read) return;
        if (isSameValue(read.value, edit.before)) end();
        else write.mutate({ ...edit, value: read.value });
      },
      cancel: end,
    },
  };
}
