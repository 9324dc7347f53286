import type { Hold, ReaperState } from '../../../../shared/contract/reaper.ts';
import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { stoppedOf } from '../../../components/status/removal-stopped.ts';

export type Health =
  | { is: 'building' }
  | { is: 'unconfirmed' }
  /** `what` names the pause: of the index itself, of its collection, or of the store. */
  | { is: 'paused'; what: 'index' | 'collection' | 'store'; by: string; since: number }
  | { is: 'held'; what: 'collection' | 'store' }
  | { is: 'observing' }
  | { is: 'wrong unit'; values: number }
  | { is: 'overdue' }
  | { is: 'idle' }
  | { is: 'well' };

/** Returns the most important state of an index. `late`: its overdue documents are late. */
export function healthOf(index: TtlIndex, reaper: ReaperState | null, late: boolean): Health {
  if (index.state === 'building' || index.state === 'unconfirmed') return { is: index.state };
  if (index.paused !== null) return { is: 'paused', what: 'index', ...index.paused };
  const around = stoppedOf(index.collection, reaper);
  if (around !== null) return around;
  if (index.state === 'observing') return { is: 'observing' };
  const suspected = index.never.reasons.find(({ reason }) => reason === 'wrong unit suspected')?.count ?? 0;
  if (suspected > index.documents) return { is: 'wrong unit', values: suspected };
  if (late && index.overdue > 0) return { is: 'overdue' };
  return index.documents === 0 ? { is: 'idle' } : { is: 'well' };
}

/** Returns the hold whose confirmation the index waits for [R8]; undefined: none. */
export function holdOf({ collection, name }: TtlIndex, reaper: ReaperState | null): Hold | undefined {
  return reaper?.holds.find(hold => hold.collection === collection && hold.index === name);
}
