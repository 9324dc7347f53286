import { formatCount, formatInstantInFull, formatRelative } from '../../../shared/model/format.ts';

/** Returns `Sat 21 Nov 2026 14:32:38 UTC (in 3 h 12 m)`, in the machine's time zone. */
export function formatLocalInstant(at: number | null, now: number): string {
  return at === null ? '-' : `${formatInstantInFull(at, 'local')} (${formatRelative(at, now)})`;
}

/** Returns `in 3 h 12 m`; a dash for no instant. */
export function formatRelativeOrDash(at: number | null, now: number): string {
  return at === null ? '-' : formatRelative(at, now);
}

export function formatDocuments(count: number): string {
  return `${formatCount(count)} document${count === 1 ? '' : 's'}`;
}
