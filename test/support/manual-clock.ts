import { type Clock, LONGEST_TIMER_MS, sleepOn } from '../../electron/engine/platform/clock.ts';

/** A clock that only a test moves. Wall clock, stopwatch and uptime are separate, as on a machine. */
export interface ManualClock extends Clock {
  /** Advances wall clock, stopwatch and uptime. */
  advance(ms: number): void;
  /** Sets only the wall clock, as a person or NTP does; timers are unaffected. */
  set(wall: number): void;
  /** Suspends the machine: wall clock and uptime advance, the stopwatch and the timers do not. */
  suspend(ms: number): void;
}

/** Returns a clock that stands still until it is moved. Timers fire in order of their time. */
export function createManualClock(startAt: number): ManualClock {
  let at = startAt;
  let elapsed = 0;
  let suspended = 0;
  let nextId = 0;
  const timers = new Map<number, { at: number; fn: () => void }>();
  const clock: Pick<Clock, 'setTimer'> = {
    setTimer(ms, fn) {
      const id = nextId++;
      timers.set(id, { at: elapsed + Math.min(Math.max(0, ms), LONGEST_TIMER_MS), fn });
      return () => timers.delete(id);
    },
  };
  function fireUpTo(until: number) {
    for (;;) {
      const due = [...timers].filter(([, timer]) => timer.at <= until).sort((a, b) => a[1].at - b[1].at)[0];
      if (due === undefined) return;
      const [id, timer] = due;
      timers.delete(id);
      at += Math.max(0, timer.at - elapsed);
      elapsed = Math.max(elapsed, timer.at);
      timer.fn();
    }
  }
  return {
    now: () => at,
    elapsed: () => elapsed,
    uptime: () => elapsed + suspended,
    setTimer: clock.setTimer,
    sleep: (ms, signal) => sleepOn(clock, ms, signal),
    advance(ms) {
      const until = elapsed + ms;
      fireUpTo(until);
      // A timer may have set the wall clock.
      at += until - elapsed;
      elapsed = until;
    },
    set(wall) {
      at = wall;
    },
    suspend(ms) {
      at += ms;
      suspended += ms;
    },
  };
}
