import { t } from '@lingui/core/macro';
import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import type { Limits, Schedule } from '../../../../shared/model/ttl-index.ts';
import { formatCount, formatLongDuration } from '../../../i18n/format.ts';
import { formatList } from '../../../i18n/sentence.ts';

/** Returns `90 days after ts`, or `at ts` for a duration of 0. The duration is in seconds. */
export function formatLife(expireAfter: number, from: string): string {
  return expireAfter === 0 ? t`at ${from}` : t`${formatLongDuration(expireAfter)} after ${from}`;
}

export function formatSchedule(schedule: Schedule): string {
  switch (schedule.mode) {
    case 'exact':
      return t`Exact, at each deadline`;
    case 'every':
      return t`Every ${formatLongDuration(schedule.everyMs / 1000)}`;
    case 'cron':
      return t`At ${schedule.cron}, ${schedule.timeZone}`;
    case 'observe':
      return t`Observe: counts only`;
  }
}

/** Returns `at most 500 a second`; null without limits of its own. */
export function formatLimits({ removalsPerSecond, batchMs, batchSize }: Limits): string | null {
  const parts = [
    removalsPerSecond !== undefined &&
      (removalsPerSecond === 0 ? t`no rate limit` : t`at most ${formatCount(removalsPerSecond)} a second`),
    batchMs !== undefined && t`batches of ${batchMs} ms`,
    batchSize !== undefined && batchSize > 0 && t`${formatCount(batchSize)} a batch`,
  ].filter(part => part !== false);
  return parts.length === 0 ? null : formatList(parts);
}

/** Whether the unit is shown: it matters only for numeric dates, which another unit than the default implies. */
export function showsUnit({ source, never }: Pick<TtlIndex, 'source' | 'never'>): boolean {
  return (
    source.kind === 'field' &&
    (source.unit === 'milliseconds' || never.reasons.some(({ reason }) => reason === 'wrong unit suspected'))
  );
}
