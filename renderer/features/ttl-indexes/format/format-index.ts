import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { durationInWords } from '../../../../shared/model/duration.ts';
import { formatCount } from '../../../../shared/model/format.ts';
import type { Limits, Schedule } from '../../../../shared/model/ttl-index.ts';

/** `90 days after`, or `at` where the time itself is the deadline; what it counts from follows. Seconds. */
export function lifeInWords(expireAfter: number): string {
  return expireAfter === 0 ? 'at' : `${durationInWords(expireAfter)} after`;
}

export function scheduleInWords(schedule: Schedule): string {
  switch (schedule.mode) {
    case 'exact':
      return 'Exact, at each deadline';
    case 'every':
      return `Every ${durationInWords(schedule.everyMs / 1000)}`;
    case 'cron':
      return `At ${schedule.cron}, ${schedule.timeZone}`;
    case 'observe':
      return 'Observe: counts, and does nothing';
  }
}

/** `at most 500 a second`; null where nothing of its own limits it. */
export function limitsInWords({ removalsPerSecond, batchMs, batchSize }: Limits): string | null {
  const parts = [
    removalsPerSecond !== undefined &&
      (removalsPerSecond === 0 ? 'no rate limit' : `at most ${formatCount(removalsPerSecond)} a second`),
    batchMs !== undefined && `batches of ${batchMs} ms`,
    batchSize !== undefined && batchSize > 0 && `${formatCount(batchSize)} a batch`,
  ].filter(part => part !== false);
  return parts.length === 0 ? null : parts.join(', ');
}

/** How numbers are read matters only where there are any; an index does not tell, but its unit may. */
export function tellsUnit({ source, never }: Pick<TtlIndex, 'source' | 'never'>): boolean {
  return (
    source.kind === 'field' &&
    (source.unit === 'milliseconds' || never.reasons.some(({ reason }) => reason === 'wrong unit suspected'))
  );
}
