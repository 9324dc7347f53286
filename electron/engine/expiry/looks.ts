import type { Schedule } from '../../../shared/model/ttl-index.ts';
import { lastCronTime, nextCronTime } from './cron-looks.ts';

/**
 * When the reaper looks at a source [R1]. An `exact` one at each deadline; an `every` one on the multiples of its period
 * since 1970 and a `cron` one at the times of its line, so that their looks need no memory and survive a restart;
 * an `observe` one never.
 */

interface Scheduled {
  readonly schedule: Schedule;
}

/** An exact source that was stopped by a cap has no next look of its own: it goes on so much later. */
const EXACT_REST_MS = 1_000;

/** The last look: nothing due later is acted on [R2]. Epoch ms; negative infinity: it never looked. */
export function cutoffOf({ schedule }: Scheduled, now: number): number {
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

/** The look that finds a deadline due; infinity: none will. */
export function lookFor({ schedule }: Scheduled, deadline: number): number {
  switch (schedule.mode) {
    case 'exact':
      return deadline;
    case 'every':
      return Math.ceil(deadline / schedule.everyMs) * schedule.everyMs;
    case 'cron':
      return nextCronTime(schedule, deadline);
    case 'observe':
      return Number.POSITIVE_INFINITY;
  }
}

/** From the last look to the next, in ms; null: it looks at each deadline, or never. */
export function lookInterval({ schedule }: Scheduled, now: number): number | null {
  if (schedule.mode === 'exact' || schedule.mode === 'observe') return null;
  const interval = lookFor({ schedule }, now + 1) - cutoffOf({ schedule }, now);
  return Number.isFinite(interval) ? interval : null;
}

/** The look after `now`, whatever is due [R3]. */
export function nextLook({ schedule }: Scheduled, now: number): number {
  return schedule.mode === 'exact' ? now + EXACT_REST_MS : lookFor({ schedule }, now + 1);
}

export function isDueAt(deadline: number | null, now: number): boolean {
  return deadline !== null && deadline <= now;
}
