import type { ReaperState } from '../../../shared/contract/reaper.ts';
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

/** How numbers are read matters only where there are any; an index does not tell, but its unit may. */
export function tellsUnit({ source, never }: Pick<TtlIndex, 'source' | 'never'>): boolean {
  return (
    source.unit === 'milliseconds' || never.reasons.some(({ reason }) => reason === 'wrong unit suspected')
  );
}

export type Health =
  | { is: 'building' }
  /** `what` was paused: the index itself, or all that its collection or the store removes. */
  | { is: 'paused'; what: 'index' | 'collection' | 'store'; by: string; since: number }
  | { is: 'wrong unit'; values: number }
  | { is: 'overdue' }
  | { is: 'idle' }
  | { is: 'well' };

/** What is most worth knowing about an index. */
export function healthOf(index: TtlIndex, reaper: ReaperState | null): Health {
  if (index.state === 'building') return { is: 'building' };
  if (index.paused !== null) return { is: 'paused', what: 'index', ...index.paused };
  const around = pausedAround(index.collection, reaper);
  if (around !== null) return around;
  const suspected = index.never.reasons.find(({ reason }) => reason === 'wrong unit suspected')?.count ?? 0;
  if (suspected > index.documents) return { is: 'wrong unit', values: suspected };
  if (index.overdue > 0) return { is: 'overdue' };
  return index.documents === 0 ? { is: 'idle' } : { is: 'well' };
}

function pausedAround(collection: string, reaper: ReaperState | null): Health | null {
  if (reaper === null) return null;
  if (reaper.paused !== null) return { is: 'paused', what: 'store', ...reaper.paused };
  const paused = reaper.pausedCollections.find(found => found.collection === collection);
  return paused === undefined
    ? null
    : { is: 'paused', what: 'collection', by: paused.by, since: paused.since };
}
