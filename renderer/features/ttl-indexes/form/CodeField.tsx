import { type ReactNode, useId } from 'react';
import type { Place } from '../draft/refusals.ts';

interface CodeFieldProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
  /** The problem in it; null: none, or not known yet. */
  problem: string | null;
  /** Position of the problem in the text. */
  place?: Place | null;
  placeholder: string;
  rows: number;
  hint: ReactNode;
}

/** A few lines of CEL or JSON, with a mistake marked under its column. */
export function CodeField(props: CodeFieldProps) {
  const { label, value, onChange, problem, place = null, placeholder, rows, hint } = props;
  const id = useId();
  return (
    <div className="code-field">
      <textarea
        className="input mono"
        aria-label={label}
        aria-invalid={problem !== null}
        aria-describedby={`${id}-problem ${id}-hint`}
        rows={rows}
        value={value}
        placeholder={placeholder}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        onChange={event => onChange(event.target.value)}
      />
      {problem !== null && place?.expression === value && <Mistake text={value} place={place} />}
      <p id={`${id}-problem`} className="problem" aria-live="polite">
        {problem}
      </p>
      <p id={`${id}-hint`} className="hint wrap">
        {hint}
      </p>
    </div>
  );
}

/** Returns the part of a long line around the mistake. */
const SHOWN_BEFORE = 32;
const SHOWN = 52;

function Mistake({ text, place: { line, column } }: { text: string; place: Place }) {
  const whole = text.split('\n')[line - 1] ?? '';
  const start = Math.max(0, column - 1 - SHOWN_BEFORE);
  const before = whole.slice(start, column - 1);
  return (
    <pre className="mono mistake" aria-hidden="true">
      {`${start > 0 ? '…' : ''}${whole.slice(start, start + SHOWN)}\n`}
      {' '.repeat((start > 0 ? 1 : 0) + before.length)}
      <b>^</b>
    </pre>
  );
}
