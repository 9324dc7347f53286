import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type KeyboardEvent, useId, useMemo } from 'react';
import { CodeEditor } from '../../../components/code/CodeEditor.tsx';
import { Button } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import classes from '../documents.module.css';
import { lineNumbers } from './folded-text.ts';
import type { ReadJson } from './json-text.ts';
import { useFolds } from './use-folds.ts';

interface JsonEditorProps {
  label: string;
  /** Fields of the collection, offered while typing. */
  fields?: readonly string[];
  text: string;
  read: ReadJson;
  onChange: (text: string) => void;
  onSave: () => void;
  /** Error of the last save. */
  refusal?: string | null;
  isReadOnly?: boolean;
  /** The text differs from the stored document. */
  isUnsaved?: boolean;
  autoFocus?: boolean;
}

/** An editor for JSON. A document of many lines is folded, in a plain text field. */
export function JsonEditor(props: JsonEditorProps) {
  const { label, text, read, onChange, onSave, refusal = null, fields = [] } = props;
  const { isReadOnly = false, autoFocus = false } = props;
  const id = useId();
  const { folded, type, mark, at, showMore } = useFolds(text, onChange);
  const lines = useMemo(() => lineNumbers(folded), [folded]);
  const problem = 'problem' in read ? read.problem : refusal;
  const badLine = 'problem' in read ? read.line : null;

  /** The line, or the mark of the fold that contains it. */
  const isBad = (line: number, next: number | undefined) =>
    badLine !== null && badLine >= line && badLine < (next ?? Number.POSITIVE_INFINITY);

  function press(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if ((event.ctrlKey || event.metaKey) && (event.key === 's' || event.key === 'Enter')) {
      event.preventDefault();
      event.stopPropagation();
      onSave();
    }
  }
  return (
    <div className="editor">
      <div className={`${classes.editorH} row`}>
        <label id={`${id}-label`} htmlFor={id} className="t-11 t-3 grow">
          {label}
          {props.isUnsaved && <b className={classes.unsaved}> {t`unsaved`}</b>}
        </label>
        {problem === null ? (
          <span className="t-12 c-ok">
            <Icon name="check" size={12} /> <Trans>Valid JSON</Trans>
          </span>
        ) : (
          <span className="t-12 c-overdue">
            <Icon name="err" size={12} /> {'problem' in read ? t`Invalid` : t`Not saved`}
          </span>
        )}
      </div>
      {folded.folds.size > 0 && (
        <p className={`row t-12 t-2 ${classes.folds}`}>
          <span className="wrap grow">{t`Large document: ⟦ … ⟧ marks folded parts.`}</span>
          <Button
            small
            disabled={mark === null}
            title={mark === null ? t`Place the cursor in ⟦ … ⟧` : undefined}
            onMouseDown={event => event.preventDefault()}
            onClick={showMore}
          >{t`Unfold at cursor`}</Button>
        </p>
      )}
      {folded.folds.size > 0 ? (
        <div className={classes.editorB}>
          <div className="lines" aria-hidden="true">
            {lines.map((line, i) => (
              <span key={line} className={isBad(line, lines[i + 1]) ? 'bad' : ''}>
                {line}
              </span>
            ))}
          </div>
          <textarea
            id={id}
            className={classes.jsonText}
            value={folded.shown}
            rows={lines.length}
            wrap="off"
            spellCheck={false}
            readOnly={isReadOnly}
            aria-invalid={problem !== null}
            aria-describedby={`${id}-state`}
            data-autofocus={autoFocus || undefined}
            onChange={event => type(event.target.value)}
            onSelect={event => at(event.currentTarget.selectionStart)}
            onKeyDown={press}
          />
        </div>
      ) : (
        <CodeEditor
          language="json"
          isDocument
          aria-labelledby={`${id}-label`}
          aria-describedby={`${id}-state`}
          aria-invalid={problem !== null}
          value={text}
          fields={fields}
          mistake={badLine === null ? null : { line: badLine, column: null, message: problem ?? '' }}
          isReadOnly={isReadOnly}
          autoFocus={autoFocus}
          onChange={onChange}
          onSave={onSave}
        />
      )}
      <p id={`${id}-state`} className="problem wrap" aria-live="polite">
        {problem}
      </p>
    </div>
  );
}
