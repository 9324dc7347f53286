import { uptime } from 'node:os';

/**
 * The only source of time in the engine and the hosts. Code that waits or reads the time receives a `Clock`, so that
 * a test can run a year in a millisecond.
 */
export interface Clock {
  /** Wall clock, epoch ms. */
  now(): number;
  /** Monotonic stopwatch, ms. */
  elapsed(): number;
  /**
   * Time since the machine started, ms, including suspend, which `elapsed` omits on most systems. It cannot be set,
   * so it distinguishes a jump of the wall clock from suspend [R10]. Coarse: 10 ms on Linux (`/proc/uptime`), 16 ms
   * on Windows, 1 s on macOS. Each call costs a system call or reads a small file: call it rarely.
   */
  uptime(): number;
  /**
   * Calls `fn` once, after `ms` at the earliest; limited to the longest timer [R10]. Returns a function that cancels
   * it.
   */
  setTimer(ms: number, fn: () => void): () => void;
  /** Resolves after `ms`, or at once when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * Node's timers have 31 bits of milliseconds and fire at once beyond that: a longer wait is cut, and the caller sets a
 * new timer [R10].
 * @internal
 */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Resolves after `ms` of `clock`, or at once when the signal aborts.
 * @internal
 */
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
