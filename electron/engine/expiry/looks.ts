import type { ReapSource } from './port.ts';

/**
 * When the reaper looks at a source. An `exact` one at each deadline; an `every` one on the multiples of its period
 * since 1970, so that its looks need no memory and survive a restart [R1].
 */

/** The last look: nothing due later is acted on [R2]. Epoch ms. */
export function cutoffOf({ schedule }: Pick<ReapSource, 'schedule'>, now: number): number {
  return schedule.mode === 'exact' ? now : Math.floor(now / schedule.everyMs) * schedule.everyMs;
}

/** The look that finds a deadline due. */
export function lookFor({ schedule }: Pick<ReapSource, 'schedule'>, deadline: number): number {
  return schedule.mode === 'exact' ? deadline : Math.ceil(deadline / schedule.everyMs) * schedule.everyMs;
}

export function isDueAt(deadline: number | null, now: number): boolean {
  return deadline !== null && deadline <= now;
}
