import type { Schedule } from '../../../../shared/model/ttl-index.ts';
import { lastCronTime, nextCronTime } from './cron-ticks.ts';

/**
 * Times of a schedule [R1]: for `every` the multiples of its period since 1970, for `cron` the times of its line, for
 * `exact` each instant, for `observe` none. `LastTicks` holds the last tick of each source.
 */

/** Most documents of one pass of a collection, and of all passes at once; 0 for no cap. */
interface PassCaps {
  readonly mostPerPass: number;
  readonly mostPerPassInTotal: number;
}

interface Scheduled {
  readonly schedule: Schedule;
}

/** Last tick of a source with a schedule, as stored. */
export interface Tick {
  /** When the source got its schedule, epoch ms. The first tick is the first scheduled time after this. */
  readonly since: number;
  /** Cutoff of the last tick, epoch ms [R2]; equal to `since` before the first one. */
  readonly at: number;
  /** `open`: documents that were due at `at` may be left. `capped`: the same, but a cap has ended the pass [R3]. */
  readonly state: 'open' | 'capped' | 'closed';
}

/** Returns whether the pass of a tick continues; a capped one only if no cap applies any more [R3]. */
export function continues({ state }: Tick, { mostPerPass, mostPerPassInTotal }: PassCaps): boolean {
  return state === 'open' || (state === 'capped' && mostPerPass === 0 && mostPerPassInTotal === 0);
}

/** An exact source has no next tick, so after a cap it continues this much later, ms. */
const EXACT_RESUME_MS = 1_000;

/** Returns the last scheduled time at or before `now`, epoch ms; negative infinity if there is none. */
export function lastScheduled({ schedule }: Scheduled, now: number): number {
  switch (schedule.mode) {
    case 'exact':
      return now;
    case 'every':
      return Math.floor(now / schedule.everyMs) * schedule.everyMs;
    case 'cron':
      return lastCronTime(schedule, now);
    case 'observe':
      return Number.NEGATIVE_INFINITY;
  }
}

/**
 * Returns whether the clock was set back past a scheduled time before the last tick: without a new start the source would not
 * act until the clock reaches that tick again. A step back within one period is none.
 */
export function isAhead(source: Scheduled, tick: Tick, now: number): boolean {
  return tick.at > now && nextScheduled(source, now + 1) < tick.at;
}

/** Returns the first scheduled time at or after `at`, epoch ms; infinity if there is none. */
export function nextScheduled({ schedule }: Scheduled, at: number): number {
  switch (schedule.mode) {
    case 'exact':
      return at;
    case 'every':
      return Math.ceil(at / schedule.everyMs) * schedule.everyMs;
    case 'cron':
      return nextCronTime(schedule, at);
    case 'observe':
      return Number.POSITIVE_INFINITY;
  }
}

/** Returns whether the source acts at scheduled times, instead of at each deadline or never. */
export function hasSchedule({ schedule }: Scheduled): boolean {
  return schedule.mode === 'every' || schedule.mode === 'cron';
}

/**
 * Returns when a deadline is acted on, epoch ms: at once by a tick that continues, else by the first tick after it.
 * Infinity if never.
 */
export function actionAt(source: Scheduled, tick: Tick, caps: PassCaps, deadline: number): number {
  if (!hasSchedule(source)) return nextScheduled(source, deadline);
  if (continues(tick, caps) && deadline <= tick.at) return tick.at;
  return nextScheduled(source, Math.max(deadline, tick.at + 1));
}

/** Returns the time between the last tick and the next, ms; null if the source acts at each deadline or never. */
export function tickInterval(source: Scheduled, now: number): number | null {
  if (!hasSchedule(source)) return null;
  const interval = nextScheduled(source, now + 1) - lastScheduled(source, now);
  return Number.isFinite(interval) ? interval : null;
}

/** Returns the next tick after `now`, whether or not documents are due [R3]. */
export function nextTick(source: Scheduled, now: number): number {
  return source.schedule.mode === 'exact' ? now + EXACT_RESUME_MS : nextScheduled(source, now + 1);
}

export function isDueAt(deadline: number | null, now: number): boolean {
  return deadline !== null && deadline <= now;
}
