import { plural, t } from '@lingui/core/macro';
import type { DiskFull, Hold, ReaperState } from '../../../shared/contract/reaper.ts';
import { formatBytes, formatCountdown, formatDuration } from '../../i18n/format.ts';

export interface ReaperStatus {
  state: 'running' | 'paused' | 'held' | 'failing' | 'off';
  word: string;
  detail: string;
}

/** Describes a reaper that removes nothing: on a read-only connection [P2], or before TTL indexes can exist. */
export function formatOff({ offBecause }: Pick<ReaperState, 'offBecause'>): ReaperStatus {
  return { state: 'off', word: t`Off`, detail: offBecause === undefined ? t`read-only` : t`not set up` };
}

/** Formats a duration in whole seconds: `12 m`. */
function formatElapsed(since: number, now: number): string {
  return formatDuration(Math.max(0, Math.floor((now - since) / 1000) * 1000)).replace('0 ms', '0 s');
}

/** Describes the effects of a full disk, and when they end; `removes`: the reaper has the space it needs [S1]. */
export function formatDiskFull({ freeBytes, neededBytes }: DiskFull, removes: boolean): string {
  const missing = neededBytes - freeBytes;
  const until =
    missing > 0 ? t`until ${formatBytes(missing)} more are free` : t`until something can be written`;
  return removes
    ? `Writes are refused ${until}; reads and removal continue. No data is lost.`
    : `Writes are refused and nothing is removed ${until}; reads continue. No data is lost.`;
}

/** Returns a message with a period at its end: those of SQLite and of the system have none. */
export function withPeriod(message: string): string {
  return /[.!?…]$/.test(message) ? message : `${message}.`;
}

/** Documents that a pause keeps from being removed. */
export function formatWaiting(overdue: number): string {
  if (overdue === 0) return 'No document is past its deadline yet; documents that become due stay stored.';
  return t`${plural(overdue, { one: '# document is', other: '# documents are' })} past the deadline: hidden from reads, still stored.`;
}

export function isPausedHere({ pausedCollections }: ReaperState, collection: string | null): boolean {
  return pausedCollections.some(paused => paused.collection === collection);
}

/** Returns the holds that apply to a page: of the store, and of the collection shown. */
export function holdsHere({ holds }: Pick<ReaperState, 'holds'>, here: string | null): readonly Hold[] {
  return holds.filter(({ collection }) => collection === null || collection === here);
}

/** Number of holds of other collections shown one by one on the overview; on other pages it is one. */
const SHOWN_ON_OVERVIEW = 3;

/** Splits the holds of other collections into those shown one by one and those folded into one banner. */
export function foldHolds(
  elsewhere: readonly Hold[],
  isOverview: boolean,
  unfolded: boolean,
): { each: readonly Hold[]; folded: readonly Hold[] } {
  const room = unfolded ? elsewhere.length : isOverview ? SHOWN_ON_OVERVIEW : 1;
  if (elsewhere.length <= room) return { each: elsewhere, folded: [] };
  // The overview shows the first ones; on other pages a single one could be mistaken for all.
  const kept = isOverview ? SHOWN_ON_OVERVIEW - 1 : 0;
  return { each: elsewhere.slice(0, kept), folded: elsewhere.slice(kept) };
}

/**
 * Returns the state of the reaper as a word and a detail [R6]. `now` is by the engine's clock. On the page of a
 * collection that is paused or held (`here`), that state is returned.
 */
export function formatReaper(reaper: ReaperState, now: number, here: string | null = null): ReaperStatus {
  if (reaper.state === 'off') return formatOff(reaper);
  if (reaper.state === 'failing') {
    const retryAt = reaper.problem?.retryAt;
    const detail = retryAt === undefined ? t`retrying` : t`retry in ${formatCountdown(retryAt - now)}`;
    return { state: 'failing', word: t`Failing`, detail };
  }
  if (reaper.state === 'paused') {
    const detail = reaper.paused ? t`by ${reaper.paused.by}, ${formatElapsed(reaper.paused.since, now)}` : '';
    return { state: 'paused', word: t`Paused`, detail };
  }
  if (reaper.state === 'held' || reaper.holds.some(({ collection }) => collection === null)) {
    return { state: 'held', word: t`Held`, detail: t`until confirmed` };
  }
  if (holdsHere(reaper, here).length > 0)
    return { state: 'held', word: t`Held`, detail: t`in this collection` };
  if (isPausedHere(reaper, here)) return { state: 'paused', word: t`Paused`, detail: t`in this collection` };
  return { state: 'running', word: t`Running`, detail: runningDetail(reaper, now) };
}

function runningDetail({ active, nextWakeAt }: ReaperState, now: number): string {
  if (active) return t`removing now`;
  if (nextWakeAt === null) return t`no deadlines`;
  return nextWakeAt <= now ? t`due now` : t`next in ${formatCountdown(nextWakeAt - now)}`;
}
