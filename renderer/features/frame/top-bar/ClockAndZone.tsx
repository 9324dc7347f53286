import { t } from '@lingui/core/macro';
import { Segmented } from '../../../components/controls/Segmented.tsx';
import { now as engineNow, useAtTick, useZone } from '../../../components/time/clock.ts';
import { formatDay, formatInstantInFull, formatTime } from '../../../i18n/format.ts';

const ZONES = [
  { value: 'utc', label: 'UTC' },
  { value: 'local', label: t`Local` },
] as const;

/** The engine's time, and the switch between UTC and local time for the whole window. */
export function ClockAndZone() {
  const [zone, setZone] = useZone();
  const day = useAtTick(now => formatDay(now, zone));
  const time = useAtTick(now => formatTime(now, zone));
  return (
    <div className="clock">
      <time title={t`The engine's clock: ${formatInstantInFull(engineNow(), zone)}`}>
        <span className="day t-2">{day}&ensp;</span>
        {time}
      </time>
      <Segmented label={t`Time zone`} value={zone} segments={ZONES} onChange={setZone} />
    </div>
  );
}
