import { t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { Button } from '../controls/Button.tsx';
import classes from './duration-picker.module.css';

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
  /** The meaning is shown beside the field, not below it. */
  isInline?: boolean;
}

/** A field for a typed duration, with its meaning in words and presets. */
export function DurationPicker(props: DurationPickerProps) {
  const { label, value, onChange, presets, problem, echo, isLarge = false, isInline = false } = props;
  return (
    <div data-inline={isInline || undefined} className={classes.picker}>
      <TextInput
        {...(props.id === undefined ? { 'aria-label': label } : { id: props.id })}
        className={classes.field ?? ''}
        size={isLarge ? 'md' : 'sm'}
        value={value}
        placeholder="90d, 1h 30m"
        error={problem}
        description={problem === null && echo}
        data-autofocus={isLarge || undefined}
        onChange={event => onChange(event.target.value)}
      />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset brings a border and a legend of its own */}
      <div className={classes.presets} role="group" aria-label={t`${label}, presets`}>
        {presets.map(preset => (
          <Button key={preset} small aria-pressed={value === preset} onClick={() => onChange(preset)}>
            {preset.replace(/(\d+)/, '$1 ')}
          </Button>
        ))}
      </div>
    </div>
  );
}
