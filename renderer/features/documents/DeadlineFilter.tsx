import { useState } from 'react';
import { formatInstant } from '../../../shared/model/format.ts';
import { zoneName } from '../../../shared/model/zone.ts';
import { fromInputText, toInputText } from '../../components/at-input.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { now, useAtTick, useZone } from '../../components/clock.ts';
import { Popover } from '../../components/Popover.tsx';
import type { DocumentsQuery } from './query.ts';

const MINUTE = 60_000;
const PRESETS: readonly [label: string, ms: number][] = [
  ['Next minute', MINUTE],
  ['Next hour', 60 * MINUTE],
  ['Next day', 1_440 * MINUTE],
  ['Next 30 days', 43_200 * MINUTE],
];

interface DeadlineFilterProps {
  query: DocumentsQuery;
  onChange: (change: Partial<DocumentsQuery>) => void;
}

/** Only documents whose deadline lies in a window of time. */
export function DeadlineFilter({ query, onChange }: DeadlineFilterProps) {
  const [isOpen, setOpen] = useState(false);
  const isSet = query.dueFrom !== null || query.dueTo !== null;
  const clear = () => onChange({ dueFrom: null, dueTo: null });
  return (
    <span className="row deadline-filter">
      <Popover
        label="Deadline window"
        width={300}
        opened={isOpen}
        onChange={setOpen}
        target={
          <Button aria-expanded={isOpen} aria-pressed={isSet} onClick={() => setOpen(!isOpen)}>
            Deadline: {isSet ? <WindowText query={query} /> : 'any time'}
          </Button>
        }
      >
        <WindowForm
          query={query}
          onChange={change => {
            onChange(change);
            setOpen(false);
          }}
        />
      </Popover>
      {isSet && <IconButton icon="x" label="Any deadline" onClick={clear} />}
    </span>
  );
}

function WindowText({ query: { dueFrom, dueTo } }: { query: DocumentsQuery }) {
  const [zone] = useZone();
  return useAtTick(at => {
    const text = (instant: number) => formatInstant(instant, at, zone);
    if (dueFrom === null) return dueTo === null ? 'any time' : `before ${text(dueTo)}`;
    return dueTo === null ? `from ${text(dueFrom)}` : `${text(dueFrom)} to ${text(dueTo)}`;
  });
}

function WindowForm({ query, onChange }: DeadlineFilterProps) {
  const [zone] = useZone();
  const textOf = (at: number | null) => (at === null ? '' : toInputText(at, zone));
  const [from, setFrom] = useState(textOf(query.dueFrom));
  const [to, setTo] = useState(textOf(query.dueTo));
  const dueFrom = fromInputText(from, zone);
  const dueTo = fromInputText(to, zone);
  const isBackwards = dueFrom !== null && dueTo !== null && dueTo <= dueFrom;
  return (
    <form
      className="col gap-8"
      onSubmit={event => {
        event.preventDefault();
        if (!isBackwards) onChange({ dueFrom, dueTo });
      }}
    >
      <div className="presets">
        {PRESETS.map(([label, ms]) => (
          <Button key={label} small onClick={() => onChange({ dueFrom: now(), dueTo: now() + ms })}>
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
          value={from}
          onChange={event => setFrom(event.target.value)}
        />
      </label>
      <label className="label">
        <span>To, not included</span>
        <input
          className="input"
          type="datetime-local"
          step={1}
          value={to}
          aria-invalid={isBackwards}
          aria-describedby="deadline-window-problem"
          onChange={event => setTo(event.target.value)}
        />
      </label>
      <p id="deadline-window-problem" className="problem" aria-live="polite">
        {isBackwards ? 'The end lies before the start.' : ''}
      </p>
      <div className="row end">
        <Button onClick={() => onChange({ dueFrom: null, dueTo: null })}>Any time</Button>
        <Button variant="primary" type="submit" disabled={isBackwards}>
          Show
        </Button>
      </div>
    </form>
  );
}
