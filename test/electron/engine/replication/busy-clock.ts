import type { Clock } from '../../../../electron/engine/platform/clock.ts';
import type { Random } from '../../../support/random.ts';

/**
 * Returns a clock on whose stopwatch work takes time: each reading is up to `slowness` ms after the one before. So steps
 * with a budget end early, as on a busy machine. When `clock` moves on, it catches up with this stopwatch: they never
 * differ by more than the work between two moves.
 */
export function busyClock(clock: Clock, random: Random, slowness: number): Clock {
  let last = 0;
  return {
    ...clock,
    elapsed: () => {
      last = Math.max(last, clock.elapsed()) + random.between(0, slowness);
      return last;
    },
  };
}
