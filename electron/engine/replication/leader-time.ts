import type { Clock } from '../platform/clock.ts';

/**
 * The leader's time as a mirror knows it [V5]: it stands at the instant that what is mirrored is true of, and is moved by
 * the leader's word alone. What is due is judged by it, so a mirror's own clock may say what it will. It goes back only
 * where the leader's did: with a later revision, as when somebody there accepted a clock that was set back [R10].
 */
export class LeaderTime {
  #now = 0;
  #revision = 0;

  /** Epoch ms of the leader's clock; 0: it has said nothing yet. */
  get now(): number {
    return this.#now;
  }

  /** The leader said `instant` when it was at `revision`. */
  moveTo(instant: number, revision: number): void {
    if (revision < this.#revision) return;
    this.#now = revision > this.#revision ? instant : Math.max(this.#now, instant);
    this.#revision = revision;
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
