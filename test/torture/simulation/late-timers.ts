import { type Clock, sleepOn } from '../../../electron/engine/platform/clock.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import type { Random } from '../../support/random.ts';

const MOST_LATE_MS = 400;

/** A clock whose timers fire later than asked for, one in five: a timer promises only that it is not early. */
export function withLateTimers(clock: ManualClock, random: Random): Clock {
  const late: Pick<Clock, 'setTimer'> = {
    setTimer: (ms, fn) => clock.setTimer(ms + (random.chance(0.2) ? random.between(1, MOST_LATE_MS) : 0), fn),
  };
  return {
    now: clock.now,
    elapsed: clock.elapsed,
    uptime: clock.uptime,
    setTimer: late.setTimer,
    sleep: (ms, signal) => sleepOn(late, ms, signal),
  };
}
