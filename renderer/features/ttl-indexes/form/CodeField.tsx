import { type ReactNode, useId } from 'react';
import { CodeEditor } from '../../../components/code/CodeEditor.tsx';
import type { Place } from '../draft/refusals.ts';
import classes from './index-form.module.css';

interface CodeFieldProps {
  language: 'cel' | 'json';
  /** Fields of the collection, offered while typing. */
  fields?: readonly string[];
  label: string;
  value: string;
  onChange: (text: string) => void;
  /** The problem in the text; null: none, or not known yet. */
  problem: string | null;
  /** Position of the problem in the text. */
  place?: Place | null;
  placeholder: string;
  hint: ReactNode;
}

/** A few lines of CEL or JSON, with the mistake marked at its position. */
export function CodeField(props: CodeFieldProps) {
  const { language, label, value, onChange, problem, place = null, placeholder, fields = [], hint } = props;
  const id = useId();
  return (
    <div className={classes.codeField}>
      <CodeEditor
        language={language}
        aria-label={label}
        aria-invalid={problem !== null}
        aria-describedby={`${id}-problem ${id}-hint`}
        value={value}
        placeholder={placeholder}
        fields={fields}
        mistake={problem !== null && place?.expression === value ? { ...place, message: problem } : null}
        onChange={onChange}
      />
      <p id={`${id}-problem`} className="problem" aria-live="polite">
        {problem}
      </p>
      <p id={`${id}-hint`} className="hint wrap">
        {hint}
      </p>
    </div>
  );
}
