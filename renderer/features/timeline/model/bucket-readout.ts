import { t } from '@lingui/core/macro';
import { type Zone, zoneName } from '../../../../shared/model/zone.ts';
import {
  formatAgo,
  formatCount,
  formatCountdown,
  formatDay,
  formatDuration,
  formatHourMinute,
  formatInstantInFull,
  formatTime,
} from '../../../i18n/format.ts';
import type { Slot } from './buckets.ts';
import { type BucketSpan, sum, type TimelineAnswer, visibleOverdue } from './timeline-model.ts';

/** The text of a bucket, in the readout and for screen readers. */
export interface Reading {
  readonly relative: string;
  readonly span: string;
  /** The day, and the state of these documents. */
  readonly note: string;
  readonly counts: readonly { readonly position: number; readonly label: string; readonly count: number }[];
  readonly total: number;
  /** The parts of the total, if they differ in state. */
  readonly split: string | null;
  readonly cliff: string | null;
}

const MINUTE = 60_000;
const DAY = 86_400_000;

export function readBucket(slot: Slot, answer: TimelineAnswer, now: number, zone: Zone): Reading {
  const expired = sum(slot.expired);
  const due = sum(slot.due);
  const past = slot.toAt <= now;
  // A bucket that begins at now is the bucket of now, as for the keys and the table.
  const future = slot.fromAt > now;
  const fate = future
    ? t`will expire`
    : past
      ? due > 0 && expired === 0
        ? t`overdue`
        : t`expired`
      : t`due around now`;
  const split = past
    ? due > 0 && expired > 0
      ? t`${formatCount(due)} of these still stored, overdue`
      : null
    : !future && (expired > 0 || sum(slot.overdue) > 0)
      ? formatSplit(expired, sum(slot.overdue), due)
      : null;
  const cliff = slot.cliff;
  return {
    relative: past
      ? formatAgo(now - slot.toAt)
      : future
        ? t`in ${formatCountdown(slot.fromAt - now)}`
        : t`now`,
    span: `${formatSpan(slot, zone)} ${zoneName(slot.fromAt, zone)}`,
    note: `${formatDay(slot.fromAt, zone)}, ${fate}`,
    counts: answer.series
      .map(({ label }, position) => ({
        position,
        label,
        count: (slot.expired[position] ?? 0) + (slot.due[position] ?? 0),
      }))
      .filter(({ count }) => count > 0)
      .toSorted((a, b) => b.count - a.count),
    total: slot.total,
    split,
    cliff:
      cliff === null
        ? null
        : [t`${formatCount(cliff.count)} of these at ${formatTime(cliff.at, zone)}`, cliff.cause]
            .filter(part => part !== undefined)
            .join(', '),
  };
}

export function readOverdue(
  answer: TimelineAnswer,
  visible: readonly boolean[],
  now: number,
  zone: Zone,
): Reading {
  const oldest = answer.oldestOverdueAt;
  return {
    relative: oldest === null ? t`overdue` : t`oldest ${formatDuration(Math.max(0, now - oldest))}`,
    span: '',
    note: oldest === null ? t`overdue, still stored` : t`due since ${formatInstantInFull(oldest, zone)}`,
    counts: answer.series
      .map(({ label, overdue }, position) => ({ position, label, count: visible[position] ? overdue : 0 }))
      .filter(({ count }) => count > 0)
      .toSorted((a, b) => b.count - a.count),
    total: visibleOverdue(answer, visible),
    split: null,
    cliff: null,
  };
}

function formatSplit(expired: number, overdue: number, due: number): string {
  const parts = [t`${formatCount(expired)} expired`];
  if (overdue > 0) parts.push(t`${formatCount(overdue)} overdue`);
  if (due > overdue) parts.push(t`${formatCount(due - overdue)} will expire`);
  return parts.join(', ');
}

/** Returns from and to, as precisely as the length of the bucket. @internal */
export function formatSpan({ fromAt, toAt }: BucketSpan, zone: Zone): string {
  const length = toAt - fromAt;
  if (length < 1_000) return `${fine(fromAt, zone)} – ${fine(toAt, zone)}`;
  if (length < MINUTE) return `${formatTime(fromAt, zone)} – ${formatTime(toAt, zone)}`;
  if (length < DAY) return `${formatHourMinute(fromAt, zone)} – ${formatHourMinute(toAt, zone)}`;
  const [first, last] = [formatDay(fromAt, zone), formatDay(toAt - 1, zone)];
  return first === last ? first : `${first} – ${last}`;
}

const fine = (at: number, zone: Zone) =>
  `${formatTime(at, zone)}.${String(((at % 1_000) + 1_000) % 1_000).padStart(3, '0')}`;

/** Returns one sentence for screen readers, most important facts first. */
export function spoken(reading: Reading): string {
  const counts = reading.counts.map(({ label, count }) => `${label} ${formatCount(count)}`).join(', ');
  const parts = [
    `${reading.relative}, ${reading.span}: ${formatCount(reading.total)} ${reading.note.split(', ')[1] ?? ''}`,
  ];
  if (counts !== '') parts.push(counts);
  if (reading.split !== null) parts.push(reading.split);
  if (reading.cliff !== null) parts.push(t`cliff, ${reading.cliff}`);
  return `${parts.map(part => part.trim()).join('. ')}.`;
}
