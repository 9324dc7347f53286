import type { ReaperState } from '../../../../shared/contract/reaper.ts';
import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { stoppedOf } from '../../../components/status/removal-stopped.ts';

/** What is said of an index that is built or changed: what happened, and what happens next. */
export interface Landed {
  title: string;
  detail: string;
}

export function landedInWords(
  index: Pick<TtlIndex, 'name' | 'collection' | 'schedule'>,
  isNew: boolean,
  reaper: ReaperState | null,
): Landed {
  const { name, collection, schedule } = index;
  const done = isNew ? 'is built' : 'is changed';
  if (schedule.mode === 'observe') {
    return {
      title: `${name} ${done}, and observes`,
      detail: `It counts what it would do in ${collection} and removes nothing. When the counts are right, change its schedule to Exact.`,
    };
  }
  const stopped = stoppedBy(collection, reaper);
  return {
    title: `${name} ${done}`,
    detail:
      stopped === null
        ? `${collection} follows it from now on.`
        : `Nothing leaves ${collection} by it before ${stopped}.`,
  };
}

/** What has to happen first; null where nothing stands in the way. */
function stoppedBy(collection: string, reaper: ReaperState | null): string | null {
  const stopped = stoppedOf(collection, reaper);
  if (stopped === null) return null;
  if (stopped.is === 'held') return 'what is held is confirmed';
  return stopped.what === 'store' ? 'the store is resumed' : 'it is resumed';
}
