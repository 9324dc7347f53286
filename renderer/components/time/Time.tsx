import { t } from '@lingui/core/macro';
import {
  formatAgo,
  formatCountdown,
  formatDuration,
  formatInstant,
  formatRelative,
  formatTime,
} from '../../i18n/format.ts';
import { useAtTick, useZone } from './clock.ts';
import { fullInstant } from './full-instant.ts';

/** Returns an instant in ISO 8601; undefined outside the range of JavaScript dates. */
export function machineReadable(at: number): string | undefined {
  return Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : undefined;
}

interface TimeProps {
  /** Epoch ms. */
  at: number;
  className?: string;
}

function Stamp({ at, className, text }: TimeProps & { text: string }) {
  const [zone] = useZone();
  return (
    <time className={className} dateTime={machineReadable(at)} {...fullInstant(at, zone)}>
      {text}
    </time>
  );
}

/** `in 3 h 12 m`, `12 m ago`; the full instant on hover and as its description. */
export function RelativeTime(props: TimeProps) {
  return <Stamp {...props} text={useAtTick(now => formatRelative(props.at, now))} />;
}

/** `in 3 h 12 m`, then `now`: for an event that is not known to have happened. */
export function Upcoming(props: TimeProps) {
  return (
    <Stamp {...props} text={useAtTick(now => (props.at > now ? formatRelative(props.at, now) : t`now`))} />
  );
}

/** `in 3 s`, then `12 m 6 s late`: for a deadline that may be overdue. */
export function Due(props: TimeProps) {
  const late = useAtTick(now => props.at <= now);
  const text = useAtTick(now =>
    props.at > now
      ? formatRelative(props.at, now)
      : t`${formatDuration(Math.floor((now - props.at) / 1000) * 1000).replace('0 ms', '0 s')} late`,
  );
  return <Stamp {...props} className={`${props.className ?? ''} ${late ? 'c-overdue' : ''}`} text={text} />;
}

/** `3 h 12 m`, counting down to `now`. */
export function Countdown(props: TimeProps) {
  return (
    <Stamp {...props} text={useAtTick(now => (props.at > now ? formatCountdown(props.at - now) : t`now`))} />
  );
}

/** `12 m 6 s ago`, also if the engine's clock is behind the event. */
export function Ago(props: TimeProps) {
  return <Stamp {...props} text={useAtTick(now => formatAgo(now - props.at))} />;
}

/** `12 m 6 s`: time since `at`. */
export function Elapsed(props: TimeProps) {
  return (
    <Stamp {...props} text={useAtTick(now => formatDuration(Math.floor((now - props.at) / 1000) * 1000))} />
  );
}

/** `14:32:38` today, `27 Nov 02:00` on other days. */
export function Instant(props: TimeProps) {
  const [zone] = useZone();
  return <Stamp {...props} text={useAtTick(now => formatInstant(props.at, now, zone))} />;
}

/** `14:32:38` on any day, for lists that show the day elsewhere. */
export function TimeOfDay(props: TimeProps) {
  const [zone] = useZone();
  return <Stamp {...props} text={formatTime(props.at, zone)} />;
}

/** `in 3 h 12 m · 18:00:00`. */
export function RelativeAndInstant({ at }: { at: number }) {
  return (
    <>
      <RelativeTime at={at} /> <span className="t-3">·</span> <Instant at={at} className="t-3" />
    </>
  );
}
