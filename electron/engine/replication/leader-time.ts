import type { Clock } from '../platform/clock.ts';

/**
 * The leader's time on a mirror [V5]: the instant of the mirrored state, which only the leader's answers move.
 * Deadlines are judged by it, independently of the mirror's own clock. It goes back only if the leader's time did so at
 * a later revision, for example after a person confirmed a clock that was set back [R10].
 */
export class LeaderTime {
  #now = 0;
  #revision = 0;

  /** Epoch ms of the leader's clock; 0 until the first answer. */
  get now(): number {
    return this.#now;
  }

  /** Sets the time: the leader's clock showed `instant` at `revision`. */
  moveTo(instant: number, revision: number): void {
    if (revision < this.#revision) return;
    this.#now = revision > this.#revision ? instant : Math.max(this.#now, instant);
    this.#revision = revision;
  }

  /** A clock with the leader's time and the timers of this machine. */
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
