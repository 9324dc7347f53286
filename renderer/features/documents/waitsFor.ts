import type { DocumentRecord } from '../../../shared/contract/documents.ts';
import type { ReaperState } from '../../../shared/contract/reaper.ts';
import type { TtlIndex } from '../../../shared/contract/ttl-indexes.ts';

/** What a document past its deadline waits for [X1], in a few words; null while it is not due. */
export function waitsFor(
  row: DocumentRecord,
  collection: string,
  reaper: ReaperState | null,
  index: TtlIndex | undefined,
): string | null {
  if (row.state === 'quarantined') return 'quarantined: its action did not get it out of the way';
  if (row.state === 'overdue') {
    const isHeld = reaper?.holds.some(hold => hold.collection === null || hold.collection === collection);
    if (isHeld === true) return 'waits: held until confirmed';
    const mode = index?.schedule.mode;
    return mode === 'every' || mode === 'cron' ? 'waits for its schedule' : 'waits for the reaper';
  }
  if (row.state !== 'paused') return null;
  if (reaper === null || reaper.paused !== null) return 'waits: store paused';
  const isHere = reaper.pausedCollections.some(paused => paused.collection === collection);
  return isHere ? 'waits: collection paused' : 'waits: index paused';
}
