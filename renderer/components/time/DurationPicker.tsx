import { type ReactNode, useId } from 'react';

interface DurationPickerProps {
  /** Read aloud; give `labelId` instead where a visible label stands elsewhere. */
  label: string;
  id?: string;
  value: string;
  onChange: (text: string) => void;
  /** Offered as buttons: `30d`, `2h`. */
  presets: readonly string[];
  /** What is wrong with the text; null while it is fine. */
  problem: string | null;
  /** What the text means, in words. */
  echo: ReactNode;
  isLarge?: boolean;
  /** The echo stands beside the box, not below it. */
  isInline?: boolean;
}

/** A duration as people type it, echoed by whoever uses it in the words of their form, with presets below. */
export function DurationPicker(props: DurationPickerProps) {
  const { label, value, onChange, presets, problem, echo, isLarge = false, isInline = false } = props;
  const ownId = useId();
  const id = props.id ?? ownId;
  return (
    <div className={`duration-picker ${isInline ? 'inline' : ''}`}>
      <input
        id={id}
        className={`input ${isLarge ? 'large' : ''}`}
        aria-label={props.id === undefined ? label : undefined}
        value={value}
        placeholder="90d, 1h 30m"
        autoComplete="off"
        spellCheck={false}
        aria-invalid={problem !== null}
        aria-describedby={`${id}-echo`}
        data-autofocus={isLarge || undefined}
        onChange={event => onChange(event.target.value)}
      />
      <p id={`${id}-echo`} className={`echo t-12 ${problem === null ? '' : 'problem'}`} aria-live="polite">
        {problem ?? echo}
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset brings a border and a legend of its own */}
      <div className="presets" role="group" aria-label={`${label}, presets`}>
        {presets.map(preset => (
          <button
            key={preset}
            type="button"
            className="btn s"
            aria-pressed={value === preset}
            onClick={() => onChange(preset)}
          >
            {preset.replace(/(\d+)/, '$1 ')}
          </button>
        ))}
      </div>
    </div>
  );
}
