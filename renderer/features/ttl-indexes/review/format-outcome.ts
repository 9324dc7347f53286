import { t } from '@lingui/core/macro';
import type { ReaperState } from '../../../../shared/contract/reaper.ts';
import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { stoppedOf } from '../../../components/status/removal-stopped.ts';

/** Returns the message after an index was built or changed: the result, and the next event. */
export interface Landed {
  title: string;
  detail: string;
}

export function formatOutcome(
  index: Pick<TtlIndex, 'name' | 'collection' | 'schedule'>,
  isNew: boolean,
  reaper: ReaperState | null,
): Landed {
  const { name, collection, schedule } = index;
  if (schedule.mode === 'observe') {
    return {
      title: isNew ? t`${name} is built, and observes` : t`${name} is changed, and observes`,
      detail: t`It counts due documents of ${collection} and removes none. When the counts are right, change its schedule to Exact.`,
    };
  }
  return {
    title: isNew ? t`${name} is built` : t`${name} is changed`,
    detail: formatBeginning(collection, reaper),
  };
}

/** Describes when removal begins. */
function formatBeginning(collection: string, reaper: ReaperState | null): string {
  const stopped = stoppedOf(collection, reaper);
  if (stopped === null) return t`In effect for ${collection} from now on.`;
  if (stopped.is === 'held') return t`Removes nothing from ${collection} before the hold is confirmed.`;
  return stopped.what === 'store'
    ? t`Removes nothing from ${collection} before the store is resumed.`
    : t`Removes nothing from ${collection} before it is resumed.`;
}
