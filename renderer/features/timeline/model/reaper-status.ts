import type { ReaperState } from '../../../../shared/contract/reaper.ts';
import type { ReaperStatus } from './timeline-model.ts';

/**
 * Returns the state of the reaper at the line of now, in the words of the top bar and the banners [R6]: that of the
 * whole store (null), or also of the collection shown.
 */
export function reaperStatus(reaper: ReaperState | null, collection: string | null): ReaperStatus {
  if (reaper === null) return { state: 'running', since: null };
  if (reaper.state === 'engine') return { state: 'running', since: null };
  // Before TTL indexes can exist there is nothing to remove, and nothing is stopped.
  if (reaper.state === 'off' && reaper.offBecause !== undefined) return { state: 'running', since: null };
  if (reaper.state === 'off') return { state: 'off', since: null };
  // A failing reaper removes nothing, also while paused.
  if (reaper.problem !== null) return { state: 'failing', since: reaper.problem.since };
  if (reaper.paused !== null) return { state: 'paused', since: reaper.paused.since };
  const hold = reaper.holds.find(one => one.collection === null || one.collection === collection);
  if (hold !== undefined) return { state: 'held', since: hold.since };
  const paused = reaper.pausedCollections.find(one => one.collection === collection);
  return paused === undefined ? { state: 'running', since: null } : { state: 'paused', since: paused.since };
}
