import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatLongDuration, parseDuration } from '../../../shared/model/duration.ts';
import { formatInstantInFull, formatRelative } from '../../../shared/model/format.ts';
import { zoneName } from '../../../shared/model/zone.ts';
import { useZone } from './clock.ts';
import { DurationPicker } from './DurationPicker.tsx';
import { fromInputText, toInputText } from './datetime-input.ts';
import classes from './duration-picker.module.css';

const PRESETS = ['15m', '1h', '1d', '7d', '30d', '90d', '1y'];

interface AfterFieldProps {
  /** As typed. */
  text: string;
  /** The error in it; null: none. */
  problem: string | null;
  readAt: number;
  onChange: (text: string) => void;
}

/** An expiration as a duration from `readAt`. */
export function AfterField({ text, problem, readAt, onChange }: AfterFieldProps) {
  const [zone] = useZone();
  const parsed = parseDuration(text);
  return (
    <div className={classes.expiration ?? ''}>
      <DurationPicker
        label="Duration"
        value={text}
        onChange={onChange}
        presets={PRESETS}
        isLarge
        problem={problem}
        echo={
          'seconds' in parsed && (
            <>
              <b>{formatLongDuration(parsed.seconds)}</b>{' '}
              <span className="t-3">
                from now: {formatInstantInFull(readAt + parsed.seconds * 1000, zone)}
              </span>
            </>
          )
        }
      />
    </div>
  );
}

interface AtFieldProps {
  /** Null while it is incomplete. */
  at: number | null;
  problem: string | null;
  readAt: number;
  onChange: (at: number | null) => void;
}

/** An expiration as an instant, in the zone of the window. */
export function AtField({ at, problem, readAt, onChange }: AtFieldProps) {
  const [zone] = useZone();
  const [text, setText] = useState(at === null ? '' : toInputText(at, zone));
  return (
    <TextInput
      className={classes.expiration ?? ''}
      size="md"
      aria-label={`Moment, ${zoneName(readAt, zone)}`}
      type="datetime-local"
      step={1}
      value={text}
      error={problem}
      description={
        problem === null &&
        at !== null && (
          <>
            <b>{formatRelative(at, readAt)}</b> {formatInstantInFull(at, zone)}
          </>
        )
      }
      data-autofocus
      onChange={event => {
        setText(event.target.value);
        onChange(fromInputText(event.target.value, zone));
      }}
    />
  );
}
