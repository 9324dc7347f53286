import type { ReaperState } from '../../../../shared/contract/reaper.ts';
import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { stoppedOf } from '../../../components/status/removal-stopped.ts';

/** The message after an index was built or changed: the result, and what happens next. */
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
  const done = isNew ? 'is built' : 'is changed';
  if (schedule.mode === 'observe') {
    return {
      title: `${name} ${done}, and observes`,
      detail: `It counts due documents of ${collection} and removes none. When the counts are right, change its schedule to Exact.`,
    };
  }
  const stopped = stoppedBy(collection, reaper);
  return {
    title: `${name} ${done}`,
    detail:
      stopped === null
        ? `In effect for ${collection} from now on.`
        : `Removes nothing from ${collection} before ${stopped}.`,
  };
}

/** Returns the condition for removal to begin; null: none. */
function stoppedBy(collection: string, reaper: ReaperState | null): string | null {
  const stopped = stoppedOf(collection, reaper);
  if (stopped === null) return null;
  if (stopped.is === 'held') return 'the hold is confirmed';
  return stopped.what === 'store' ? 'the store is resumed' : 'it is resumed';
}
