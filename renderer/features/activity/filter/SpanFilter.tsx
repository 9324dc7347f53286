import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
  [t`Last 15 minutes`, 15 * MINUTE],
  [t`Last hour`, 60 * MINUTE],
  [t`Last day`, 1_440 * MINUTE],
  [t`Last 7 days`, 10_080 * MINUTE],
];

/** Filters by removal time. */
export function SpanFilter({ from, to }: TimeSpan) {
  const [isOpen, setOpen] = useState(false);
  const isSet = from !== null || to !== null;
  return (
    <Popover
      label={t`Removal time`}
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
            <Trans>
              Removed: <SpanText from={from} to={to} />
            </Trans>
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
    const start = from === null ? null : formatInstant(from, at, zone);
    const end = to === null ? null : formatInstant(to, at, zone);
    if (start === null) return end === null ? t`any time` : t`before ${end}`;
    return end === null ? t`since ${start}` : t`${start} to ${end}`;
  });
}
