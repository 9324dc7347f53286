import { useState } from 'react';
import { Button } from '../../../components/controls/Button.tsx';
import { changeQuery } from '../../../components/navigation/location.ts';
import { Popover } from '../../../components/overlays/Popover.tsx';
import { now, useAtTick, useZone } from '../../../components/time/clock.ts';
import { type TimeSpan, TimeSpanForm } from '../../../components/time/TimeSpanForm.tsx';
import { formatInstant } from '../../../i18n/format.ts';
import classes from '../activity.module.css';

const MINUTE = 60_000;
const PRESETS: readonly [label: string, ms: number][] = [
  ['Last 15 minutes', 15 * MINUTE],
  ['Last hour', 60 * MINUTE],
  ['Last day', 1_440 * MINUTE],
  ['Last 7 days', 10_080 * MINUTE],
];

/** Filters by removal time. */
export function SpanFilter({ from, to }: TimeSpan) {
  const [isOpen, setOpen] = useState(false);
  const isSet = from !== null || to !== null;
  return (
    <Popover
      label="Removal time"
      width={300}
      opened={isOpen}
      onChange={setOpen}
      target={
        <Button
          className={classes.filterMenu}
          aria-expanded={isOpen}
          aria-pressed={isSet}
          onClick={() => setOpen(!isOpen)}
        >
          <span className="ell">
            Removed: <SpanText from={from} to={to} />
          </span>
        </Button>
      }
    >
      <TimeSpanForm
        from={from}
        to={to}
        presets={PRESETS.map(([label, ms]) => [label, () => ({ from: Math.round(now() - ms), to: null })])}
        onChange={span => {
          changeQuery({ from: span.from, to: span.to });
          setOpen(false);
        }}
      />
    </Popover>
  );
}

function SpanText({ from, to }: TimeSpan) {
  const [zone] = useZone();
  return useAtTick(at => {
    const text = (instant: number) => formatInstant(instant, at, zone);
    if (from === null) return to === null ? 'any time' : `before ${text(to)}`;
    return to === null ? `since ${text(from)}` : `${text(from)} to ${text(to)}`;
  });
}
