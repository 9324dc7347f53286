import { type KeyboardEvent, useId, useMemo } from 'react';
import { Icon } from '../../components/Icon.tsx';
import type { ReadJson } from './jsonText.ts';

interface JsonEditorProps {
  label: string;
  text: string;
  read: ReadJson;
  onChange: (text: string) => void;
  onSave: () => void;
  /** The engine's answer to the last try. */
  refusal?: string | null;
  isReadOnly?: boolean;
  /** It differs from what is stored. */
  isUnsaved?: boolean;
  autoFocus?: boolean;
}

/** A document as text, with line numbers, and what is wrong with it said as it is typed. */
export function JsonEditor(props: JsonEditorProps) {
  const { label, text, read, onChange, onSave, refusal = null } = props;
  const id = useId();
  const lines = useMemo(() => Array.from({ length: text.split('\n').length }, (_, i) => i + 1), [text]);
  const problem = 'problem' in read ? read.problem : refusal;
  const badLine = 'problem' in read ? read.line : null;

  function press(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if ((event.ctrlKey || event.metaKey) && (event.key === 's' || event.key === 'Enter')) {
      event.preventDefault();
      event.stopPropagation();
      onSave();
    }
  }
  return (
    <div className="editor">
      <div className="editor-h row">
        <label htmlFor={id} className="t-11 t-3 grow">
          {label}
          {props.isUnsaved && <b className="unsaved"> unsaved</b>}
        </label>
        {problem === null ? (
          <span className="t-12 c-ok">
            <Icon name="check" size={12} /> Valid JSON
          </span>
        ) : (
          <span className="t-12 c-overdue">
            <Icon name="err" size={12} /> {'problem' in read ? 'Not valid' : 'Not written'}
          </span>
        )}
      </div>
      <div className="editor-b">
        <div className="lines" aria-hidden="true">
          {lines.map(line => (
            <span key={line} className={line === badLine ? 'bad' : ''}>
              {line}
            </span>
          ))}
        </div>
        <textarea
          id={id}
          className="json-text"
          value={text}
          rows={lines.length}
          wrap="off"
          spellCheck={false}
          readOnly={props.isReadOnly ?? false}
          aria-invalid={problem !== null}
          aria-describedby={`${id}-state`}
          data-autofocus={props.autoFocus || undefined}
          onChange={event => onChange(event.target.value)}
          onKeyDown={press}
        />
      </div>
      <p id={`${id}-state`} className="problem wrap" aria-live="polite">
        {problem}
      </p>
    </div>
  );
}
