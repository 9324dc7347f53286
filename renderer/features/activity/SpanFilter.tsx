import { useState } from 'react';
import { formatInstant } from '../../../shared/model/format.ts';
import { zoneName } from '../../../shared/model/zone.ts';
import { fromInputText, toInputText } from '../../components/at-input.ts';
import { Button } from '../../components/Button.tsx';
import { now, useAtTick, useZone } from '../../components/clock.ts';
import { changeQuery } from '../../components/location.ts';
import { Popover } from '../../components/Popover.tsx';

const MINUTE = 60_000;
const PRESETS: readonly [label: string, ms: number][] = [
  ['Last 15 minutes', 15 * MINUTE],
  ['Last hour', 60 * MINUTE],
  ['Last day', 1_440 * MINUTE],
  ['Last 7 days', 10_080 * MINUTE],
];

interface SpanFilterProps {
  from: number | null;
  to: number | null;
}

/** Only what was done in a span of time. */
export function SpanFilter({ from, to }: SpanFilterProps) {
  const [isOpen, setOpen] = useState(false);
  const isSet = from !== null || to !== null;
  return (
    <Popover
      label="When it was done"
      width={300}
      opened={isOpen}
      onChange={setOpen}
      target={
        <Button
          className="filter-menu"
          aria-expanded={isOpen}
          aria-pressed={isSet}
          onClick={() => setOpen(!isOpen)}
        >
          <span className="ell">
            Done: <SpanText from={from} to={to} />
          </span>
        </Button>
      }
    >
      <SpanForm
        from={from}
        to={to}
        onChange={span => {
          changeQuery({ from: span.from, to: span.to });
          setOpen(false);
        }}
      />
    </Popover>
  );
}

function SpanText({ from, to }: SpanFilterProps) {
  const [zone] = useZone();
  return useAtTick(at => {
    const text = (instant: number) => formatInstant(instant, at, zone);
    if (from === null) return to === null ? 'any time' : `before ${text(to)}`;
    return to === null ? `since ${text(from)}` : `${text(from)} to ${text(to)}`;
  });
}

function SpanForm({ from, to, onChange }: SpanFilterProps & { onChange: (span: SpanFilterProps) => void }) {
  const [zone] = useZone();
  const textOf = (at: number | null) => (at === null ? '' : toInputText(at, zone));
  const [fromText, setFromText] = useState(textOf(from));
  const [toText, setToText] = useState(textOf(to));
  const span = { from: fromInputText(fromText, zone), to: fromInputText(toText, zone) };
  const isBackwards = span.from !== null && span.to !== null && span.to <= span.from;
  return (
    <form
      className="span-form"
      onSubmit={event => {
        event.preventDefault();
        if (!isBackwards) onChange(span);
      }}
    >
      <div className="presets">
        {PRESETS.map(([label, ms]) => (
          <Button key={label} small onClick={() => onChange({ from: Math.round(now() - ms), to: null })}>
            {label}
          </Button>
        ))}
      </div>
      <label className="label">
        <span>From, {zoneName(now(), zone)}</span>
        <input
          className="input"
          type="datetime-local"
          step={1}
          value={fromText}
          onChange={event => setFromText(event.target.value)}
        />
      </label>
      <label className="label">
        <span>To, not included</span>
        <input
          className="input"
          type="datetime-local"
          step={1}
          value={toText}
          aria-invalid={isBackwards}
          aria-describedby="span-problem"
          onChange={event => setToText(event.target.value)}
        />
      </label>
      <p id="span-problem" className="problem" aria-live="polite">
        {isBackwards ? 'The end lies before the start.' : ''}
      </p>
      <div className="row end">
        <Button onClick={() => onChange({ from: null, to: null })}>Any time</Button>
        <Button variant="primary" type="submit" disabled={isBackwards}>
          Show
        </Button>
      </div>
    </form>
  );
}
