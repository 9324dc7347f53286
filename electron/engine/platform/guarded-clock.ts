import type { Clock } from './clock.ts';

/** How far the wall clock may stray from the stopwatch before the uptime is asked. */
const STRAY_MS = 500;
/** The stopwatch stood still while the uptime went on for longer than this: the machine was suspended. Above the coarsest uptime. */
const SUSPENDED_MS = 1_500;

export type JumpDirection = 'forward' | 'backward';

/** The wall clock said `wall` where it should have said `trusted`, both epoch ms. */
export interface ClockJump {
  direction: JumpDirection;
  wall: number;
  trusted: number;
}

export interface GuardedClockOptions {
  clock: Clock;
  /** A larger jump is not followed, ms; asked at each look, since it can be changed [R3]. */
  boundMs(): number;
  /** The wall clock jumped, or jumped the other way, or has come back by itself: `jump` says which. */
  onChange(): void;
}

/**
 * A clock whose `now` is the time that can be trusted [R10].
 *
 * It is in one of two states. *Following*: `now` is the wall clock. At each look the wall clock is compared with the
 * stopwatch, which costs nothing; where they stray apart the uptime decides. A suspend moves wall clock and uptime alike
 * and is followed; so is a jump up to the bound. *Holding*: the wall clock jumped further, and `now` goes on from
 * the last trusted time as the uptime does. Forward, that lasts until `accept`, which says that the wall clock is right;
 * backward, until then or until the wall clock has caught up: to within the stray of two clocks that go alike, which `now`
 * then waits for. So only `accept`, and a jump up to the bound while it follows, let `now` go back.
 *
 * `onChange` is told in a turn of its own, since `now` is asked in the middle of anything.
 */
export class GuardedClock implements Clock {
  readonly #options: GuardedClockOptions;
  readonly #clock: Clock;
  /** Where wall clock, stopwatch and uptime last agreed. */
  #anchor: { wall: number; elapsed: number; uptime: number };
  /** What the stopwatch missed since then. */
  #missedMs = 0;
  #jump: ClockJump | null = null;
  #lastTrusted = Number.NEGATIVE_INFINITY;
  /** `now` waits here for a wall clock that has nearly caught up. */
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

  /** The jump that it holds for; null: the wall clock is followed. */
  get jump(): ClockJump | null {
    return this.#jump;
  }

  /** How far the wall clock is ahead of the trusted time, ms; 0 while it is followed. What a restart needs to know. */
  get offsetMs(): number {
    const trusted = this.now();
    return this.#jump === null ? 0 : this.#clock.now() - trusted;
  }

  /**
   * Goes on after a restart: `at` is the last time that was trusted (epoch ms), and the wall clock was `offsetMs` ahead
   * of it. It never goes back beyond the bound; near enough, the wall clock is followed. One that was behind is waited for.
   */
  resume(at: number, offsetMs: number): void {
    const wall = this.#clock.now();
    const trusted = Math.max(at, wall - offsetMs);
    const wasBehind = offsetMs < 0 && trusted - wall > STRAY_MS;
    const direction = this.#beyondBound(wall - trusted) ?? (wasBehind ? 'backward' : null);
    this.#follow(direction === null ? wall : trusted);
    if (direction !== null) this.#hold({ direction, wall, trusted });
  }

  /** The wall clock is right: from now on it is followed again. */
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
      this.#tell();
      return Math.max(wall, trusted);
    }
    if (direction !== null && direction !== held.direction) this.#hold({ direction, wall, trusted });
    return trusted;
  }

  #hold(jump: ClockJump): void {
    this.#jump = jump;
    this.#lastTrusted = jump.trusted;
    this.#tell();
  }

  #follow(wall: number): void {
    this.#anchor = this.#hands(wall);
    this.#missedMs = 0;
    this.#floor = Number.NEGATIVE_INFINITY;
  }

  #hands(wall: number): { wall: number; elapsed: number; uptime: number } {
    return { wall, elapsed: this.#clock.elapsed(), uptime: this.#clock.uptime() };
  }

  #beyondBound(jumpMs: number): JumpDirection | null {
    if (Math.abs(jumpMs) <= this.#options.boundMs()) return null;
    return jumpMs > 0 ? 'forward' : 'backward';
  }

  /** Never earlier than what was said before. */
  #trusted(): number {
    this.#lastTrusted = Math.max(this.#lastTrusted, this.#anchor.wall + this.#passed());
    return this.#lastTrusted;
  }

  /** As finely as the stopwatch says. */
  #passed(): number {
    return this.#clock.elapsed() - this.#anchor.elapsed + this.#missedMs;
  }

  #askUptime(): void {
    const byUptime = this.#clock.uptime() - this.#anchor.uptime;
    if (Math.abs(byUptime - this.#passed()) > SUSPENDED_MS)
      this.#missedMs = byUptime - (this.#clock.elapsed() - this.#anchor.elapsed);
  }

  #tell(): void {
    queueMicrotask(() => this.#options.onChange());
  }
}
