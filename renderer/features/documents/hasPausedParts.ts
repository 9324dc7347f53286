import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import type { ReaperState } from '../../../shared/contract/reaper.ts';

/** Whether documents of the collection may wait for a pause: of the store, of it, or of one of its indexes. */
export function hasPausedParts(
  collection: string,
  summary: CollectionSummary | undefined,
  reaper: ReaperState | null,
): boolean {
  if (summary !== undefined && summary.paused !== null) return true;
  if (reaper === null) return false;
  return reaper.paused !== null || reaper.pausedIndexes.some(paused => paused.collection === collection);
}
