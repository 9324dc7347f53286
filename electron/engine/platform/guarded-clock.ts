import type { Clock } from './clock.ts';

/** Difference between wall clock and stopwatch beyond which the uptime is read, ms. */
const STRAY_MS = 500;
/**
 * If the uptime advanced this much more than the stopwatch, the machine was suspended, ms. Larger than the coarsest
 * uptime.
 */
const SUSPENDED_MS = 1_500;

export type JumpDirection = 'forward' | 'backward';

/** The wall clock showed `wall` instead of `trusted`, both epoch ms. */
export interface ClockJump {
  direction: JumpDirection;
  wall: number;
  trusted: number;
}

export interface GuardedClockOptions {
  clock: Clock;
  /** Largest jump that is followed, ms; read at each check, since it can be changed [R3]. */
  boundMs(): number;
  /** Called when the wall clock jumps, jumps the other way, or returns by itself; see `jump`. */
  onChange(): void;
  /** Called at once whenever it begins to follow the wall clock or to hold, also from the same state. */
  onState?(state: 'following' | 'holding'): void;
}

/**
 * A clock whose `now` is the trusted time [R10].
 *
 * The clock has two states. *Following*: `now` is the wall clock. Each reading compares the wall clock with the
 * stopwatch, which costs nothing; if they differ, the uptime decides. Suspend moves wall clock and uptime alike and is
 * followed; so is a jump up to the bound. *Holding*: the wall clock jumped further, and `now` continues from the last
 * trusted time with the uptime. After a jump forward, this lasts until `accept`, which confirms the wall clock; after a
 * jump backward, until then or until the wall clock has caught up to within the drift of the two clocks, for which
 * `now` then waits. So `now` goes back only by `accept`, and by a jump up to the bound while following.
 *
 * `onChange` is called in a later turn of the event loop, since `now` is called anywhere.
 */
export class GuardedClock implements Clock {
  readonly #options: GuardedClockOptions;
  readonly #clock: Clock;
  /** The last readings at which wall clock, stopwatch and uptime agreed. */
  #anchor: { wall: number; elapsed: number; uptime: number };
  /** Suspended time that the stopwatch missed since then, ms. */
  #missedMs = 0;
  #jump: ClockJump | null = null;
  #lastTrusted = Number.NEGATIVE_INFINITY;
  /** Instant at which `now` stays until a wall clock that is slightly behind has caught up. */
  #floor = Number.NEGATIVE_INFINITY;

  constructor(options: GuardedClockOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#anchor = this.#hands(this.#clock.now());
  }

  now(): number {
    const wall = this.#clock.now();
    if (this.#jump !== null) return this.#whileHeld(wall, this.#jump);
    if (Math.abs(wall - this.#anchor.wall - this.#passed()) <= STRAY_MS) return Math.max(wall, this.#floor);
    this.#askUptime();
    const trusted = this.#anchor.wall + this.#passed();
    const direction = this.#beyondBound(wall - trusted);
    if (direction === null) {
      this.#follow(wall);
      return wall;
    }
    this.#hold({ direction, wall, trusted });
    return this.#trusted();
  }

  /** The jump for which it holds; null: following. */
  get jump(): ClockJump | null {
    return this.#jump;
  }

  /** How far the wall clock is ahead of the trusted time, ms; 0 while following. Saved for a restart. */
  get offsetMs(): number {
    const trusted = this.now();
    return this.#jump === null ? 0 : this.#clock.now() - trusted;
  }

  /**
   * Continues after a restart: `at` is the last trusted time (epoch ms), and the wall clock was `offsetMs` ahead of
   * it. Within the bound the wall clock is followed; a wall clock further behind is waited for.
   */
  resume(at: number, offsetMs: number): void {
    const wall = this.#clock.now();
    const trusted = Math.max(at, wall - offsetMs);
    const wasBehind = offsetMs < 0 && trusted - wall > STRAY_MS;
    const direction = this.#beyondBound(wall - trusted) ?? (wasBehind ? 'backward' : null);
    this.#follow(direction === null ? wall : trusted);
    if (direction !== null) this.#hold({ direction, wall, trusted });
  }

  /** Confirms the wall clock: `now` follows it from here on. */
  accept(): void {
    this.#jump = null;
    this.#follow(this.#clock.now());
  }

  elapsed(): number {
    return this.#clock.elapsed();
  }
  uptime(): number {
    return this.#clock.uptime();
  }
  setTimer(ms: number, fn: () => void): () => void {
    return this.#clock.setTimer(ms, fn);
  }
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#clock.sleep(ms, signal);
  }

  #whileHeld(wall: number, held: ClockJump): number {
    this.#askUptime();
    const trusted = this.#trusted();
    const direction = this.#beyondBound(wall - trusted);
    if (direction === null && held.direction === 'backward' && trusted - wall <= STRAY_MS) {
      this.#jump = null;
      this.#follow(wall);
      this.#floor = trusted;
      this.#notify();
      return Math.max(wall, trusted);
    }
    if (direction !== null && direction !== held.direction) this.#hold({ direction, wall, trusted });
    return trusted;
  }

  #hold(jump: ClockJump): void {
    this.#jump = jump;
    this.#lastTrusted = jump.trusted;
    this.#options.onState?.('holding');
    this.#notify();
  }

  #follow(wall: number): void {
    this.#anchor = this.#hands(wall);
    this.#missedMs = 0;
    this.#floor = Number.NEGATIVE_INFINITY;
    this.#options.onState?.('following');
  }

  #hands(wall: number): { wall: number; elapsed: number; uptime: number } {
    return { wall, elapsed: this.#clock.elapsed(), uptime: this.#clock.uptime() };
  }

  #beyondBound(jumpMs: number): JumpDirection | null {
    if (Math.abs(jumpMs) <= this.#options.boundMs()) return null;
    return jumpMs > 0 ? 'forward' : 'backward';
  }

  /** Returns an instant that is never earlier than the last one. */
  #trusted(): number {
    this.#lastTrusted = Math.max(this.#lastTrusted, this.#anchor.wall + this.#passed());
    return this.#lastTrusted;
  }

  /** Time since the anchor, at the resolution of the stopwatch. */
  #passed(): number {
    return this.#clock.elapsed() - this.#anchor.elapsed + this.#missedMs;
  }

  #askUptime(): void {
    const byUptime = this.#clock.uptime() - this.#anchor.uptime;
    if (Math.abs(byUptime - this.#passed()) > SUSPENDED_MS)
      this.#missedMs = byUptime - (this.#clock.elapsed() - this.#anchor.elapsed);
  }

  #notify(): void {
    queueMicrotask(() => this.#options.onChange());
  }
}
