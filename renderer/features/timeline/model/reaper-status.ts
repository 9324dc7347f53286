import type { ReaperState } from '../../../../shared/contract/reaper.ts';
import type { ReaperStatus } from './timeline-model.ts';

/**
 * What the line of now says of the reaper, in the word that the top bar and the banners have for it [R6]: of the whole
 * store (null), or also of the one collection that is shown.
 */
export function reaperStatus(reaper: ReaperState | null, collection: string | null): ReaperStatus {
  if (reaper === null) return { state: 'running', since: null };
  if (reaper.state === 'off') return { state: 'off', since: null };
  // A reaper that fails removes nothing, whatever it was told.
  if (reaper.problem !== null) return { state: 'failing', since: reaper.problem.since };
  if (reaper.paused !== null) return { state: 'paused', since: reaper.paused.since };
  const hold = reaper.holds.find(one => one.collection === null || one.collection === collection);
  if (hold !== undefined) return { state: 'held', since: hold.since };
  const paused = reaper.pausedCollections.find(one => one.collection === collection);
  return paused === undefined ? { state: 'running', since: null } : { state: 'paused', since: paused.since };
}
