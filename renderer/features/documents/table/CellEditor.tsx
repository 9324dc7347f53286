import { t } from '@lingui/core/macro';
import { useRef } from 'react';
import { selectOnMount } from '../../../components/controls/focus.ts';
import { Segmented } from '../../../components/controls/Segmented.tsx';
import { useShortcuts } from '../../../components/shortcuts/use-shortcuts.ts';
import classes from './cell-editor.module.css';
import { formatType, readCell } from './cell-value.ts';
import type { CellEditing } from './use-cell-edit.ts';

const MODES = [
  { value: 'text', label: t`Text`, title: t`The value is the text as it stands` },
  { value: 'json', label: 'JSON', title: t`A number, true, false, null, "text", […] or ${'{…}'}` },
] as const;

/** A text field in the place of a cell. Enter saves, Escape cancels. */
export function CellEditor({ editing }: { editing: CellEditing }) {
  const { column, text, mode, problem, isSaving } = editing;
  const part = useRef<HTMLSpanElement>(null);
  const covers = (focused: Element) => part.current?.contains(focused) === true;
  useShortcuts({ escape: editing.cancel }, { reach: 'everywhere', covers });
  const read = readCell(text, mode);
  const type = 'value' in read ? `${formatType(read.value)} · ` : '';
  return (
    <span ref={part} className={classes.editor} data-editor>
      <input
        ref={selectOnMount}
        className={classes.input}
        aria-label={t`${column.title} of ${editing.id}`}
        aria-invalid={problem !== null}
        aria-describedby="cell-hint"
        autoComplete="off"
        spellCheck={false}
        readOnly={isSaving}
        value={text}
        onChange={event => editing.type(event.target.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          editing.save();
        }}
      />
      <span className={classes.hint}>
        <span id="cell-hint" className={problem === null ? 't-3' : 'c-overdue'} aria-live="polite">
          {problem ?? (isSaving ? t`Saving…` : `${type}${t`Enter saves, Esc cancels`}`)}
        </span>
        <Segmented label={t`Read as`} value={mode} segments={MODES} onChange={editing.setMode} />
      </span>
    </span>
  );
}
