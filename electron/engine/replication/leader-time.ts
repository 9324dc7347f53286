import type { Clock } from '../platform/clock.ts';

/**
 * The leader's time as a mirror knows it [V5]: it stands at the instant that what is mirrored is true of, is moved by
 * the leader's word alone, and never back. What is due is judged by it, so a mirror's own clock may say what it will.
 */
export class LeaderTime {
  #now = 0;

  /** Epoch ms of the leader's clock; 0: it has said nothing yet. */
  get now(): number {
    return this.#now;
  }

  moveTo(instant: number): void {
    this.#now = Math.max(this.#now, instant);
  }

  /** A clock that tells the leader's time and waits by this machine's. */
  over(clock: Clock): Clock {
    return {
      now: () => this.#now,
      elapsed: () => clock.elapsed(),
      uptime: () => clock.uptime(),
      setTimer: (ms, fn) => clock.setTimer(ms, fn),
      sleep: (ms, signal) => clock.sleep(ms, signal),
    };
  }
}
