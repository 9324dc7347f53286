import { type ReactNode, useId } from 'react';
import { Button } from '../controls/Button.tsx';

interface DurationPickerProps {
  /** The accessible name; with `id`, the visible label is elsewhere. */
  label: string;
  id?: string;
  value: string;
  onChange: (text: string) => void;
  /** Presets, shown as buttons: `30d`, `2h`. */
  presets: readonly string[];
  /** The error in the text; null: none. */
  problem: string | null;
  /** The meaning of the text, in words. */
  echo: ReactNode;
  isLarge?: boolean;
  /** The echo is shown beside the field, not below it. */
  isInline?: boolean;
}

/** A duration as people type it, with its meaning in words and presets. */
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
          <Button key={preset} small aria-pressed={value === preset} onClick={() => onChange(preset)}>
            {preset.replace(/(\d+)/, '$1 ')}
          </Button>
        ))}
      </div>
    </div>
  );
}
