import type { Schedule } from '../../../../shared/model/ttl-index.ts';
import { lastCronTime, nextCronTime } from './cron-ticks.ts';

/**
 * The times that a schedule names [R1]: for `every` the multiples of its period since 1970, for `cron` the times of its
 * line, for `exact` each instant, for `observe` none. Which of them was the last look of a source is in `LastLooks`.
 */

/** Most documents of one pass of a collection, and of all at once; 0: no cap. */
interface PassCaps {
  readonly mostPerPass: number;
  readonly mostPerPassInTotal: number;
}

interface Scheduled {
  readonly schedule: Schedule;
}

/** The last look of a source with a schedule, as the store keeps it. */
export interface Look {
  /** Since when the source has its schedule, epoch ms: the first look is the first time named after this. */
  readonly since: number;
  /** The cutoff of the last look [R2]; `since` before the first one. Epoch ms. */
  readonly at: number;
  /** `open`: something that was due at `at` may be left. `capped`: the same, but a cap has ended the pass [R3]. */
  readonly state: 'open' | 'capped' | 'closed';
}

/** Returns whether the pass of a look goes on; what a cap ended does only where no cap holds any more [R3]. */
export function goesOn({ state }: Look, { mostPerPass, mostPerPassInTotal }: PassCaps): boolean {
  return state === 'open' || (state === 'capped' && mostPerPass === 0 && mostPerPassInTotal === 0);
}

/** An exact source that was stopped by a cap has no next look of its own: it goes on so much later. */
const EXACT_REST_MS = 1_000;

/** The last time named at or before `now`; negative infinity: there is none. Epoch ms. */
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

/** The first time named at or after `at`; infinity: there is none. Epoch ms. */
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

/** Returns whether the source acts at the times of a schedule, and not at each deadline or never. */
export function hasSchedule({ schedule }: Scheduled): boolean {
  return schedule.mode === 'every' || schedule.mode === 'cron';
}

/** When a deadline is acted on, epoch ms: at once by a look that goes on, else by the first look after it. Infinity: never. */
export function actionAt(source: Scheduled, look: Look, caps: PassCaps, deadline: number): number {
  if (!hasSchedule(source)) return nextScheduled(source, deadline);
  if (goesOn(look, caps) && deadline <= look.at) return look.at;
  return nextScheduled(source, Math.max(deadline, look.at + 1));
}

/** From the last named time to the next, in ms; null: it acts at each deadline, or never. */
export function lookInterval(source: Scheduled, now: number): number | null {
  if (!hasSchedule(source)) return null;
  const interval = nextScheduled(source, now + 1) - lastScheduled(source, now);
  return Number.isFinite(interval) ? interval : null;
}

/** The look after `now`, whatever is due [R3]. */
export function nextLook(source: Scheduled, now: number): number {
  return source.schedule.mode === 'exact' ? now + EXACT_REST_MS : nextScheduled(source, now + 1);
}

export function isDueAt(deadline: number | null, now: number): boolean {
  return deadline !== null && deadline <= now;
}
