import { uptime } from 'node:os';

/**
 * The one source of time in the engine and the hosts. Everything that waits or asks the hour is handed a
 * `Clock`, so a test can run a year in a millisecond. Wall time is epoch milliseconds.
 */
export interface Clock {
  /** Wall clock, epoch milliseconds. */
  now(): number;
  /** Monotonic milliseconds, for measuring how long something took. Never goes backwards. */
  elapsed(): number;
  /**
   * Milliseconds since the machine started, the time it was suspended included, which `elapsed` leaves out on most
   * systems. Nobody can set it, so it tells a jump of the wall clock from a sleep [R10]. Coarse: 10 ms on Linux
   * (`/proc/uptime`), 16 ms on Windows, 1 s on macOS; and it costs a system call or a small file, so ask it seldom.
   */
  uptime(): number;
  /** Calls `fn` once, `ms` from now at the earliest; clamped to what a timer can hold [R10]. Returns its cancel. */
  setTimer(ms: number, fn: () => void): () => void;
  /** Resolves after `ms`, or at once when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Node's timers hold 31 bits of milliseconds and fire at once beyond that, so a longer wait is cut and re-checked [R10]. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

function sleepOn(clock: Pick<Clock, 'setTimer'>, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal?.aborted) return resolve();
    const done = () => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.setTimer(ms, done);
    signal?.addEventListener('abort', done, { once: true });
  });
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  uptime: () => uptime() * 1000,
  setTimer(ms, fn) {
    const timer = setTimeout(fn, Math.min(Math.max(0, ms), LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
  sleep: (ms, signal) => sleepOn(systemClock, ms, signal),
};

/** A clock that only its owner moves. Its hands are separate, as a machine's are. */
export interface ManualClock extends Clock {
  /** Time goes on, by every hand. */
  advance(ms: number): void;
  /** Moves only the wall clock, as a person or NTP does; timers do not notice. */
  set(wall: number): void;
  /** The machine sleeps: wall clock and uptime go on, the stopwatch and the timers do not. */
  suspend(ms: number): void;
}

/** A clock that stands still until it is moved. Timers fire in order of their time, as the hands pass them. */
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
      const end = at + ms;
      fireUpTo(until);
      elapsed = until;
      at = end;
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
