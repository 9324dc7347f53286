import { useId, useState } from 'react';
import { durationInWords, parseDuration } from '../../../shared/model/duration.ts';
import { formatInstantInFull, formatRelative } from '../../../shared/model/format.ts';
import { zoneName } from '../../../shared/model/zone.ts';
import { useZone } from '../../components/clock.ts';
import { DurationPicker } from '../../components/DurationPicker.tsx';
import { fromInputText, toInputText } from './atInput.ts';
import { readDraft } from './expirationDraft.ts';

const PRESETS = ['15m', '1h', '1d', '7d', '30d', '90d', '1y'];

interface AfterFieldProps {
  text: string;
  readAt: number;
  onChange: (text: string) => void;
}

export function AfterField({ text, readAt, onChange }: AfterFieldProps) {
  const [zone] = useZone();
  const parsed = parseDuration(text);
  const read = readDraft({ kind: 'after', after: text, at: null }, readAt);
  return (
    <div className="setx-field">
      <DurationPicker
        label="Duration"
        value={text}
        onChange={onChange}
        presets={PRESETS}
        isLarge
        problem={'problem' in read ? read.problem : null}
        echo={
          'seconds' in parsed && (
            <>
              <b>{durationInWords(parsed.seconds)}</b>{' '}
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
  at: number | null;
  readAt: number;
  onChange: (at: number | null) => void;
}

export function AtField({ at, readAt, onChange }: AtFieldProps) {
  const id = useId();
  const [zone] = useZone();
  const [text, setText] = useState(at === null ? '' : toInputText(at, zone));
  const read = readDraft({ kind: 'at', after: '', at }, readAt);
  const isBad = 'problem' in read;
  return (
    <div className="setx-field">
      <label className="sr" htmlFor={id}>
        Moment, {zoneName(readAt, zone)}
      </label>
      <input
        id={id}
        className="input large"
        type="datetime-local"
        step={1}
        value={text}
        aria-invalid={isBad}
        aria-describedby={`${id}-echo`}
        data-autofocus
        onChange={event => {
          setText(event.target.value);
          onChange(fromInputText(event.target.value, zone));
        }}
      />
      <p id={`${id}-echo`} className={`t-12 echo ${isBad ? 'problem' : ''}`} aria-live="polite">
        {isBad || at === null ? (
          'problem' in read && read.problem
        ) : (
          <>
            <b>{formatRelative(at, readAt)}</b> <span className="t-3">{formatInstantInFull(at, zone)}</span>
          </>
        )}
      </p>
    </div>
  );
}
