import { useId } from 'react';
import { durationInWords, parseDuration } from '../../../shared/model/duration.ts';

interface DurationInputProps {
  label: string;
  /** As typed: `90d`, `1h 30m`. */
  value: string;
  onChange: (text: string) => void;
  /** Offered as buttons: `30d`, `2h`. */
  presets?: readonly string[];
  /** Until something was typed an empty field is no error. */
  touched?: boolean;
  autoFocus?: boolean;
}

/** A duration as people say it, echoed in words; never raw seconds alone. Read it with `parseDuration`. */
export function DurationInput({
  label,
  value,
  onChange,
  presets = [],
  touched = true,
  autoFocus = false,
}: DurationInputProps) {
  const id = useId();
  const parsed = parseDuration(value);
  const bad = 'problem' in parsed && touched;
  return (
    <div className="label">
      <label htmlFor={id}>{label}</label>
      <div className="row">
        <input
          id={id}
          className="input duration"
          value={value}
          placeholder="30d, 1h 30m"
          autoComplete="off"
          spellCheck={false}
          aria-invalid={bad}
          aria-describedby={`${id}-echo`}
          data-autofocus={autoFocus || undefined}
          onChange={event => onChange(event.target.value)}
        />
        {presets.map(preset => (
          <button
            key={preset}
            type="button"
            className="btn s"
            aria-pressed={value === preset}
            onClick={() => onChange(preset)}
          >
            {preset}
          </button>
        ))}
      </div>
      <span id={`${id}-echo`} className={bad ? 'problem' : 'hint'} aria-live="polite">
        {'problem' in parsed ? (touched ? parsed.problem : ' ') : durationInWords(parsed.seconds)}
      </span>
    </div>
  );
}
