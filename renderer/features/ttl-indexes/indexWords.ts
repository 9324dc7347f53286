import type { TtlIndex } from '../../../shared/contract/ttl-indexes.ts';
import { durationInWords } from '../../../shared/model/duration.ts';
import type { FieldSource, Schedule } from '../../../shared/model/ttl-index.ts';

/** `90 days after`, or `at` where the date itself is the deadline; the field's name follows. */
export function lifeInWords({ expireAfter }: Pick<FieldSource, 'expireAfter'>): string {
  return expireAfter === 0 ? 'at' : `${durationInWords(expireAfter)} after`;
}

export function scheduleInWords(schedule: Schedule): string {
  return schedule.mode === 'exact'
    ? 'Exact, at each deadline'
    : `Every ${durationInWords(schedule.everyMs / 1000)}`;
}

export type Health =
  | { is: 'building' }
  | { is: 'paused'; by: string; since: number }
  | { is: 'wrong unit'; values: number }
  | { is: 'overdue' }
  | { is: 'idle' }
  | { is: 'well' };

/** What is most worth knowing about an index. */
export function healthOf(index: TtlIndex): Health {
  if (index.state === 'building') return { is: 'building' };
  if (index.paused !== null) return { is: 'paused', ...index.paused };
  const suspected = index.never.reasons.find(({ reason }) => reason === 'wrong unit suspected')?.count ?? 0;
  if (suspected > index.documents) return { is: 'wrong unit', values: suspected };
  if (index.overdue > 0) return { is: 'overdue' };
  return index.documents === 0 ? { is: 'idle' } : { is: 'well' };
}
