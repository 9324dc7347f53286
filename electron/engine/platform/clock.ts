import { uptime } from 'node:os';

/**
 * The one source of time in the engine and the hosts. Everything that waits or asks the hour is handed a `Clock`, so a
 * test can run a year in a millisecond. Wall time is epoch milliseconds.
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

/** Resolves after `ms` of `clock`, or at once when the signal aborts. */
export function sleepOn(clock: Pick<Clock, 'setTimer'>, ms: number, signal?: AbortSignal): Promise<void> {
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
