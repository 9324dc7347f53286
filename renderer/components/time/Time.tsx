import {
  formatAgo,
  formatCountdown,
  formatDuration,
  formatInstant,
  formatInstantInFull,
  formatRelative,
  formatTime,
} from '../../../shared/model/format.ts';
import { useAtTick, useZone } from './clock.ts';

/** An instant in ISO 8601, or nothing where the calendar of the web does not reach. */
export function machineReadable(at: number): string | undefined {
  return Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : undefined;
}

interface TimeProps {
  /** Epoch milliseconds. */
  at: number;
  className?: string;
}

function Stamp({ at, className, text }: TimeProps & { text: string }) {
  const [zone] = useZone();
  return (
    <time className={className} dateTime={machineReadable(at)} title={formatInstantInFull(at, zone)}>
      {text}
    </time>
  );
}

/** `in 3 h 12 m`, `12 m ago`; the full instant on hover. */
export function RelativeTime(props: TimeProps) {
  return <Stamp {...props} text={useAtTick(now => formatRelative(props.at, now))} />;
}

/** `in 3 h 12 m`, then `now`: for what has not happened yet as far as is known. */
export function Upcoming(props: TimeProps) {
  return (
    <Stamp {...props} text={useAtTick(now => (props.at > now ? formatRelative(props.at, now) : 'now'))} />
  );
}

/** `in 3 s`, and once it has passed `12 m 6 s late`: for what should have gone and may still be there. */
export function Due(props: TimeProps) {
  const late = useAtTick(now => props.at <= now);
  const text = useAtTick(now =>
    props.at > now
      ? formatRelative(props.at, now)
      : `${formatDuration(Math.floor((now - props.at) / 1000) * 1000).replace('0 ms', '0 s')} late`,
  );
  return <Stamp {...props} className={`${props.className ?? ''} ${late ? 'c-overdue' : ''}`} text={text} />;
}

/** `3 h 12 m` left, counting down to `now`. */
export function Countdown(props: TimeProps) {
  return (
    <Stamp {...props} text={useAtTick(now => (props.at > now ? formatCountdown(props.at - now) : 'now'))} />
  );
}

/** `12 m 6 s ago`, also where the engine's clock says it is yet to come. */
export function Ago(props: TimeProps) {
  return <Stamp {...props} text={useAtTick(now => formatAgo(now - props.at))} />;
}

/** `12 m 6 s`: how long something has lasted. */
export function Elapsed(props: TimeProps) {
  return (
    <Stamp {...props} text={useAtTick(now => formatDuration(Math.floor((now - props.at) / 1000) * 1000))} />
  );
}

/** `14:32:38`, `27 Nov 02:00`: as short as is unambiguous today. */
export function Instant(props: TimeProps) {
  const [zone] = useZone();
  return <Stamp {...props} text={useAtTick(now => formatInstant(props.at, now, zone))} />;
}

/** `14:32:38` whatever the day: for lists whose day is plain. */
export function TimeOfDay(props: TimeProps) {
  const [zone] = useZone();
  return <Stamp {...props} text={formatTime(props.at, zone)} />;
}

/** Relative, then absolute: `in 3 h 12 m · 18:00:00`. */
export function RelativeAndInstant({ at }: { at: number }) {
  return (
    <>
      <RelativeTime at={at} /> <span className="t-3">·</span> <Instant at={at} className="t-3" />
    </>
  );
}
