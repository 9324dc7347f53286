import type { DiskFull, Hold, ReaperState } from '../../../shared/contract/reaper.ts';
import { formatBytes, formatCount, formatCountdown, formatDuration } from '../../../shared/model/format.ts';

/** `idle`: it runs, and nothing has a deadline. */
export interface ReaperWords {
  state: 'running' | 'paused' | 'held' | 'failing' | 'off';
  word: string;
  detail: string;
}

/** Where nothing is written nothing is removed either [P2]. */
export const OFF: ReaperWords = { state: 'off', word: 'Off', detail: 'read-only' };

/** `12 m`, whole seconds: it stands beside a clock that steps in seconds. */
function lasting(since: number, now: number): string {
  return formatDuration(Math.max(0, Math.floor((now - since) / 1000) * 1000)).replace('0 ms', '0 s');
}

/** What a full disk means, and what ends it; `removes`: the reaper still has the space that it needs [S1]. */
export function diskFullWords({ freeBytes, neededBytes }: DiskFull, removes: boolean): string {
  const missing = neededBytes - freeBytes;
  const until =
    missing > 0
      ? `until ${formatBytes(missing)} more are free on it`
      : 'until something can be written again';
  return removes
    ? `Writes are refused ${until}; reads and removal go on. Nothing is lost.`
    : `Writes are refused and nothing is removed ${until}; reads go on. Nothing is lost.`;
}

/** A failure's message as a sentence: those of SQLite and of the system end without a period. */
export function asSentence(message: string): string {
  return /[.!?…]$/.test(message) ? message : `${message}.`;
}

/** What a pause holds back. */
export function waitingWords(overdue: number): string {
  if (overdue === 0) return 'Nothing is past its deadline yet; what comes due stays stored.';
  return `${formatCount(overdue)} ${overdue === 1 ? 'document is' : 'documents are'} past the deadline: hidden from reads, still stored.`;
}

export function isPausedHere({ pausedCollections }: ReaperState, collection: string | null): boolean {
  return pausedCollections.some(paused => paused.collection === collection);
}

/** The holds that stop what is seen on a page: the store's, and those of the collection it is of. */
export function holdsHere({ holds }: Pick<ReaperState, 'holds'>, here: string | null): readonly Hold[] {
  return holds.filter(({ collection }) => collection === null || collection === here);
}

/** So many holds of other collections are told each by itself on the overview; on other pages one. */
const TOLD_ON_OVERVIEW = 3;

/** Which holds of collections that the page is not of stand each by itself, with its own word to end it. */
export function foldHolds(
  elsewhere: readonly Hold[],
  isOverview: boolean,
  unfolded: boolean,
): { each: readonly Hold[]; folded: readonly Hold[] } {
  const room = unfolded ? elsewhere.length : isOverview ? TOLD_ON_OVERVIEW : 1;
  if (elsewhere.length <= room) return { each: elsewhere, folded: [] };
  // On the overview the first ones stay in sight; elsewhere one alone would be taken for all of them.
  const kept = isOverview ? TOLD_ON_OVERVIEW - 1 : 0;
  return { each: elsewhere.slice(0, kept), folded: elsewhere.slice(kept) };
}

/**
 * The reaper's true state in two words [R6]. `now` by the engine's clock. On the page of a collection that is paused
 * or held by itself (`here`) it is not said to run: what is seen there stands still.
 */
export function reaperWords(reaper: ReaperState, now: number, here: string | null = null): ReaperWords {
  if (reaper.state === 'off') return OFF;
  if (reaper.state === 'failing') {
    const retryAt = reaper.problem?.retryAt;
    const detail = retryAt === undefined ? 'tries again' : `tries again in ${formatCountdown(retryAt - now)}`;
    return { state: 'failing', word: 'Failing', detail };
  }
  if (reaper.state === 'paused') {
    const detail = reaper.paused ? `by ${reaper.paused.by}, ${lasting(reaper.paused.since, now)}` : '';
    return { state: 'paused', word: 'Paused', detail };
  }
  if (reaper.state === 'held' || reaper.holds.some(({ collection }) => collection === null)) {
    return { state: 'held', word: 'Held', detail: 'until confirmed' };
  }
  if (holdsHere(reaper, here).length > 0) return { state: 'held', word: 'Held', detail: 'here only' };
  if (isPausedHere(reaper, here)) return { state: 'paused', word: 'Paused', detail: 'here only' };
  return { state: 'running', word: 'Running', detail: runningDetail(reaper, now) };
}

function runningDetail({ active, nextWakeAt }: ReaperState, now: number): string {
  if (active) return 'removing now';
  if (nextWakeAt === null) return 'nothing is due';
  return nextWakeAt <= now ? 'due now' : `next in ${formatCountdown(nextWakeAt - now)}`;
}
