import { t } from '@lingui/core/macro';
import { useState } from 'react';
import type { Zone } from '../../../shared/model/zone.ts';
import { Button } from '../controls/Button.tsx';
import { useAtTick, useZone } from './clock.ts';
import classes from './duration-picker.module.css';
import { InstantField } from './InstantField.tsx';
import { instantText, parseTypedInstant } from './typed-instant.ts';

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
  const textOf = (at: number | null) => (at === null ? '' : instantText(at, zone));
  const [fromText, setFromText] = useState(textOf(from));
  const [toText, setToText] = useState(textOf(to));
  const readAt = useAtTick(at => Math.floor(at / 1000) * 1000);
  const span = { from: readEnd(fromText, readAt, zone), to: readEnd(toText, readAt, zone) };
  const isBackwards = span.from != null && span.to != null && span.to <= span.from;
  const isReadable = span.from !== undefined && span.to !== undefined && !isBackwards;
  return (
    <form
      className="col gap-8"
      onSubmit={event => {
        event.preventDefault();
        const { from, to } = span;
        if (from !== undefined && to !== undefined && !isBackwards) onChange({ from, to });
      }}
    >
      <div className={classes.presets}>
        {presets.map(([label, spanOf]) => (
          <Button key={label} small onClick={() => onChange(spanOf())}>
            {label}
          </Button>
        ))}
      </div>
      <InstantField
        label={t`From`}
        text={fromText}
        readAt={readAt}
        empty={t`Open: from the first.`}
        onChange={setFromText}
      />
      <InstantField
        label={t`To, not included`}
        text={toText}
        readAt={readAt}
        empty={t`Open: to the last.`}
        problem={isBackwards ? t`The end is not after the start.` : null}
        onChange={setToText}
      />
      <div className="row end">
        <Button onClick={() => onChange({ from: null, to: null })}>{t`Any time`}</Button>
        <Button variant="primary" type="submit" disabled={!isReadable}>{t`Show`}</Button>
      </div>
    </form>
  );
}

/** Null: empty, open at this end; undefined: not a date. */
function readEnd(text: string, readAt: number, zone: Zone): number | null | undefined {
  if (text.trim() === '') return null;
  const read = parseTypedInstant(text, readAt, zone);
  return 'at' in read ? read.at : undefined;
}
