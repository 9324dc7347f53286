import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { parseDuration } from '../../../shared/model/duration.ts';
import { formatInstantInFull, formatLongDuration } from '../../i18n/format.ts';
import { now, useZone } from './clock.ts';
import { DurationPicker } from './DurationPicker.tsx';
import classes from './duration-picker.module.css';
import { InstantField } from './InstantField.tsx';
import { instantText, parseTypedInstant } from './typed-instant.ts';

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
        label={t`Duration`}
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
                <Trans>from now: {formatInstantInFull(readAt + parsed.seconds * 1000, zone)}</Trans>
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
  const [text, setText] = useState(at === null ? '' : instantText(at, zone));
  return (
    <div className={classes.expiration}>
      <InstantField
        label={t`Moment`}
        isLabelHidden
        isLarge
        autoFocus
        text={text}
        readAt={readAt}
        problem={problem}
        onChange={next => {
          setText(next);
          const read = parseTypedInstant(next, now(), zone);
          onChange('at' in read ? read.at : null);
        }}
      />
    </div>
  );
}
