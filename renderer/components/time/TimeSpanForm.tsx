import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { zoneName } from '../../../shared/model/zone.ts';
import { Button } from '../controls/Button.tsx';
import { now, useZone } from './clock.ts';
import { fromInputText, toInputText } from './datetime-input.ts';
import classes from './duration-picker.module.css';

/** [from, to) in epoch ms; null: open at that end. */
export interface TimeSpan {
  from: number | null;
  to: number | null;
}

interface TimeSpanFormProps extends TimeSpan {
  /** Spans are computed when the button is pressed. */
  presets: readonly (readonly [label: string, span: () => TimeSpan])[];
  onChange: (span: TimeSpan) => void;
}

/** A time span, by presets or by its two ends, in the zone of the window. */
export function TimeSpanForm({ from, to, presets, onChange }: TimeSpanFormProps) {
  const [zone] = useZone();
  const textOf = (at: number | null) => (at === null ? '' : toInputText(at, zone));
  const [fromText, setFromText] = useState(textOf(from));
  const [toText, setToText] = useState(textOf(to));
  const span = { from: fromInputText(fromText, zone), to: fromInputText(toText, zone) };
  const isBackwards = span.from !== null && span.to !== null && span.to <= span.from;
  return (
    <form
      className="col gap-8"
      onSubmit={event => {
        event.preventDefault();
        if (!isBackwards) onChange(span);
      }}
    >
      <div className={classes.presets}>
        {presets.map(([label, spanOf]) => (
          <Button key={label} small onClick={() => onChange(spanOf())}>
            {label}
          </Button>
        ))}
      </div>
      <TextInput
        label={`From, ${zoneName(now(), zone)}`}
        type="datetime-local"
        step={1}
        value={fromText}
        onChange={event => setFromText(event.target.value)}
      />
      <TextInput
        label="To, not included"
        type="datetime-local"
        step={1}
        value={toText}
        error={isBackwards && 'The end is not after the start.'}
        onChange={event => setToText(event.target.value)}
      />
      <div className="row end">
        <Button onClick={() => onChange({ from: null, to: null })}>Any time</Button>
        <Button variant="primary" type="submit" disabled={isBackwards}>
          Show
        </Button>
      </div>
    </form>
  );
}
