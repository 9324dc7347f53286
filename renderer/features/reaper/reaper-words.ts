import type { ReaperState } from '../../../shared/contract/reaper.ts';
import { formatCountdown, formatDuration } from '../../../shared/model/format.ts';

/** `idle`: it runs, and nothing has a deadline. */
export interface ReaperWords {
  state: 'running' | 'paused' | 'failing';
  word: string;
  detail: string;
}

/** `12 m`, whole seconds: it stands beside a clock that steps in seconds. */
function lasting(since: number, now: number): string {
  return formatDuration(Math.max(0, Math.floor((now - since) / 1000) * 1000)).replace('0 ms', '0 s');
}

/** The reaper's true state in two words [R6]. `now` by the engine's clock. */
export function reaperWords(reaper: ReaperState, now: number): ReaperWords {
  if (reaper.state === 'failing') {
    const retryAt = reaper.problem?.retryAt;
    const detail = retryAt === undefined ? 'tries again' : `tries again in ${formatCountdown(retryAt - now)}`;
    return { state: 'failing', word: 'Failing', detail };
  }
  if (reaper.state === 'paused') {
    const detail = reaper.paused ? `by ${reaper.paused.by}, ${lasting(reaper.paused.since, now)}` : '';
    return { state: 'paused', word: 'Paused', detail };
  }
  return { state: 'running', word: 'Running', detail: runningDetail(reaper, now) };
}

function runningDetail({ active, nextWakeAt }: ReaperState, now: number): string {
  if (active) return 'removing now';
  if (nextWakeAt === null) return 'nothing is due';
  return nextWakeAt <= now ? 'due now' : `next in ${formatCountdown(nextWakeAt - now)}`;
}
