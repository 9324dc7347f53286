import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import type { Limits, Schedule } from '../../../../shared/model/ttl-index.ts';
import { formatCount, formatLongDuration } from '../../../i18n/format.ts';

/** `90 days after`, or `at` for a duration of 0; the field follows. Duration in seconds. */
export function formatLife(expireAfter: number): string {
  return expireAfter === 0 ? 'at' : `${formatLongDuration(expireAfter)} after`;
}

export function formatSchedule(schedule: Schedule): string {
  switch (schedule.mode) {
    case 'exact':
      return 'Exact, at each deadline';
    case 'every':
      return `Every ${formatLongDuration(schedule.everyMs / 1000)}`;
    case 'cron':
      return `At ${schedule.cron}, ${schedule.timeZone}`;
    case 'observe':
      return 'Observe: counts only';
  }
}

/** `at most 500 a second`; null without limits of its own. */
export function formatLimits({ removalsPerSecond, batchMs, batchSize }: Limits): string | null {
  const parts = [
    removalsPerSecond !== undefined &&
      (removalsPerSecond === 0 ? 'no rate limit' : `at most ${formatCount(removalsPerSecond)} a second`),
    batchMs !== undefined && `batches of ${batchMs} ms`,
    batchSize !== undefined && batchSize > 0 && `${formatCount(batchSize)} a batch`,
  ].filter(part => part !== false);
  return parts.length === 0 ? null : parts.join(', ');
}

/** The unit matters only for numeric dates; a unit other than the default implies them. */
export function showsUnit({ source, never }: Pick<TtlIndex, 'source' | 'never'>): boolean {
  return (
    source.kind === 'field' &&
    (source.unit === 'milliseconds' || never.reasons.some(({ reason }) => reason === 'wrong unit suspected'))
  );
}
