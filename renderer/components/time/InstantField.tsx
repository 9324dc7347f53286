import { t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';
import { Suspense, useState } from 'react';
import { zoneName } from '../../../shared/model/zone.ts';
import { formatInstantInFull, formatRelative } from '../../i18n/format.ts';
import { IconButton } from '../controls/Button.tsx';
import { Boundary } from '../failure/Boundary.tsx';
import { lazyPart } from '../failure/lazy-part.tsx';
import { now, useZone } from './clock.ts';
import classes from './instant-field.module.css';
import { dayOf, instantText, parseTypedInstant, withDay } from './typed-instant.ts';

const calendar = lazyPart(() => import('./Calendar.tsx'), t`Calendar`);
const HOUR_MS = 3_600_000;

interface InstantFieldProps {
  /** `From`; the zone is added. */
  label: string;
  isLabelHidden?: boolean;
  text: string;
  /** Epoch ms at which relative text is read. */
  readAt: number;
  onChange: (text: string) => void;
  /** The meaning of an empty text; absent: it is a problem. */
  empty?: string;
  /** A further problem with the instant; null: none. */
  problem?: string | null;
  isLarge?: boolean;
  autoFocus?: boolean;
}

/** A field for a typed instant, with its meaning in words and a calendar. */
export function InstantField(props: InstantFieldProps) {
  const { label, text, readAt, onChange, empty, problem = null } = props;
  const [zone] = useZone();
  const [isOpen, setOpen] = useState(false);
  const isEmpty = text.trim() === '' && empty !== undefined;
  const read = parseTypedInstant(text, readAt, zone);
  const at = 'at' in read ? read.at : null;
  const wrong = isEmpty ? problem : 'problem' in read ? read.problem : problem;
  const name = `${label}, ${zoneName(at ?? readAt, zone)}`;
  return (
    <div>
      <TextInput
        {...(props.isLabelHidden ? { 'aria-label': name } : { label: name })}
        size={props.isLarge ? 'md' : 'sm'}
        value={text}
        placeholder={t`in 3 days, tomorrow 14:00, 2026-12-24`}
        autoComplete="off"
        spellCheck={false}
        error={wrong}
        description={
          wrong === null &&
          (at === null ? (
            empty
          ) : (
            <>
              <b>{formatRelative(at, readAt)}</b> {formatInstantInFull(at, zone)}
            </>
          ))
        }
        data-autofocus={props.autoFocus || undefined}
        rightSectionPointerEvents="all"
        rightSection={
          <IconButton
            icon="calendar"
            label={isOpen ? t`Close the calendar` : t`Open the calendar`}
            small
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          />
        }
        onChange={event => onChange(event.target.value)}
      />
      {isOpen && (
        <Boundary name={t`The calendar`}>
          <Suspense fallback={<div className={classes.calendar} aria-busy="true" />}>
            <div className={classes.calendar}>
              <calendar.Part
                day={dayOf(at ?? readAt, zone)}
                onPick={day => {
                  const next = withDay(at ?? Math.ceil(now() / HOUR_MS) * HOUR_MS, day, zone);
                  if (next !== null) onChange(instantText(next, zone));
                }}
              />
            </div>
          </Suspense>
        </Boundary>
      )}
    </div>
  );
}
