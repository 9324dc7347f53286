import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../electron/engine/platform/clock.ts';
import { GuardedClock } from '../../../../electron/engine/platform/guarded-clock.ts';
import { DAY, HOUR, MINUTE, NOON, SECOND } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

function guard(boundMs = HOUR) {
  const machine = createManualClock(NOON);
  let notifications = 0;
  const clock = new GuardedClock({
    clock: machine,
    boundMs: () => boundMs,
    onChange: () => {
      notifications += 1;
    },
  });
  return { machine, clock, notifications: () => notifications };
}

describe('[R10] a clock that can be trusted', () => {
  it('follows the wall clock, and jumps of it up to the bound, both ways', () => {
    const { machine, clock } = guard();
    machine.advance(5 * DAY);
    expect(clock.now()).toBe(NOON + 5 * DAY);
    machine.set(machine.now() + HOUR);
    expect(clock.now()).toBe(NOON + 5 * DAY + HOUR);
    machine.set(machine.now() - HOUR);
    expect(clock.now()).toBe(NOON + 5 * DAY);
    expect(clock.jump).toBeNull();
  });

  it('continues from the last trusted time after a jump ahead, until the wall clock is confirmed', async () => {
    const { machine, clock, notifications } = guard();
    machine.advance(MINUTE);
    machine.set(NOON + 3 * DAY);
    expect(clock.now()).toBe(NOON + MINUTE);
    expect(clock.jump).toEqual({ direction: 'forward', wall: NOON + 3 * DAY, trusted: NOON + MINUTE });
    machine.advance(10 * SECOND);
    expect(clock.now()).toBe(NOON + MINUTE + 10 * SECOND);
    machine.suspend(DAY);
    expect(clock.now()).toBe(NOON + MINUTE + 10 * SECOND + DAY);
    expect(notifications()).toBe(0);
    await Promise.resolve();
    expect(notifications()).toBe(1);
    clock.accept();
    expect(clock.jump).toBeNull();
    expect(clock.now()).toBe(machine.now());
    machine.advance(SECOND);
    expect(clock.now()).toBe(machine.now());
  });

  it('continues after a jump back, until the wall clock has caught up by itself', () => {
    const { machine, clock } = guard();
    machine.set(NOON - 2 * HOUR);
    expect(clock.now()).toBe(NOON);
    machine.advance(MINUTE);
    expect(clock.now()).toBe(NOON + MINUTE);
    machine.set(NOON + MINUTE);
    expect(clock.now()).toBe(NOON + MINUTE);
    expect(clock.jump).toBeNull();
    machine.advance(MINUTE);
    expect(clock.now()).toBe(NOON + 2 * MINUTE);
  });

  it('does not go back when a hold after a jump back ends', () => {
    const { machine, clock } = guard();
    machine.set(NOON - 2 * HOUR);
    expect(clock.now()).toBe(NOON);
    // The difference is within the bound, but the wall clock has not caught up.
    machine.set(NOON - 30 * MINUTE);
    expect(clock.now()).toBe(NOON);
    expect(clock.jump?.direction).toBe('backward');
    machine.advance(MINUTE);
    expect(clock.now()).toBe(NOON + MINUTE);
    // A difference within the tolerance of two clocks: time waits for the wall clock.
    machine.set(NOON + MINUTE - 300);
    expect(clock.now()).toBe(NOON + MINUTE);
    expect(clock.jump).toBeNull();
    machine.advance(200);
    expect(clock.now()).toBe(NOON + MINUTE);
    machine.advance(200);
    expect(clock.now()).toBe(NOON + MINUTE + 100);
  });

  it('does not go back within the bound after a restart in such a hold', () => {
    const { machine, clock } = guard();
    machine.set(NOON - 2 * HOUR);
    const [at, offsetMs] = [clock.now(), clock.offsetMs];
    machine.set(NOON - 30 * MINUTE);
    const restarted = new GuardedClock({ clock: machine, boundMs: () => HOUR, onChange: () => {} });
    restarted.resume(at, offsetMs + 90 * MINUTE);
    expect(restarted.now()).toBe(NOON);
    expect(restarted.jump?.direction).toBe('backward');
    restarted.accept();
    expect(restarted.now()).toBe(NOON - 30 * MINUTE);
  });

  it('goes back only by a jump that it follows, after any history', () => {
    const step = fc.oneof(
      fc.record({ hand: fc.constant('advance' as const), ms: fc.integer({ min: 0, max: 5 * HOUR }) }),
      fc.record({ hand: fc.constant('suspend' as const), ms: fc.integer({ min: 0, max: 5 * HOUR }) }),
      fc.record({ hand: fc.constant('set' as const), ms: fc.integer({ min: -3 * HOUR, max: 3 * HOUR }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), steps => {
        const { machine, clock } = guard();
        let before = clock.now();
        for (const { hand, ms } of steps) {
          const wasHeld = clock.jump !== null;
          if (hand === 'set') machine.set(machine.now() + ms);
          else machine[hand](ms);
          const now = clock.now();
          if (wasHeld || hand !== 'set') expect(now).toBeGreaterThanOrEqual(before);
          before = now;
        }
      }),
      { numRuns: 500 },
    );
  });

  it('that jumped back and then ahead waits for a confirmation', () => {
    const { machine, clock } = guard();
    machine.set(NOON - DAY);
    clock.now();
    machine.set(NOON + 5 * DAY);
    expect(clock.now()).toBe(NOON);
    expect(clock.jump?.direction).toBe('forward');
    machine.set(NOON);
    expect(clock.now()).toBe(NOON);
    expect(clock.jump?.direction).toBe('forward');
  });

  it('accepts a suspend of any duration', () => {
    const { machine, clock } = guard();
    machine.suspend(30 * DAY);
    expect(clock.now()).toBe(NOON + 30 * DAY);
    expect(clock.jump).toBeNull();
    machine.suspend(DAY);
    machine.set(machine.now() + 2 * HOUR);
    expect(clock.now()).toBe(NOON + 31 * DAY);
    expect(clock.jump?.direction).toBe('forward');
  });

  it('reads the uptime, which is expensive, only when wall clock and stopwatch disagree', () => {
    const machine = createManualClock(NOON);
    let asked = 0;
    const uptime = () => {
      asked += 1;
      return machine.uptime();
    };
    const counting = { ...machine, uptime };
    const clock = new GuardedClock({ clock: counting, boundMs: () => HOUR, onChange: () => {} });
    asked = 0;
    for (let i = 0; i < 1_000; i++) {
      machine.advance(SECOND);
      clock.now();
    }
    expect(asked).toBe(0);
    machine.suspend(MINUTE);
    clock.now();
    expect(asked).toBeGreaterThan(0);
  });

  it('works with an uptime in whole seconds', () => {
    const machine = createManualClock(NOON);
    const coarse = { ...machine, uptime: () => Math.floor(machine.uptime() / SECOND) * SECOND };
    const clock = new GuardedClock({ clock: coarse, boundMs: () => 2 * SECOND, onChange: () => {} });
    for (let i = 0; i < 100; i++) {
      machine.advance(999);
      machine.suspend(1_700);
      expect(clock.now()).toBe(machine.now());
    }
    expect(clock.jump).toBeNull();
  });

  it('never goes back, or ahead of the uptime, by more than the bound, after any events', () => {
    const step = fc.oneof(
      fc.record({ hand: fc.constant('advance' as const), ms: fc.integer({ min: 0, max: 10 * DAY }) }),
      fc.record({ hand: fc.constant('suspend' as const), ms: fc.integer({ min: 0, max: 10 * DAY }) }),
      fc.record({ hand: fc.constant('set' as const), ms: fc.integer({ min: -10 * DAY, max: 10 * DAY }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), steps => {
        const { machine, clock } = guard();
        let before = clock.now();
        let uptime = machine.uptime();
        for (const { hand, ms } of steps) {
          if (hand === 'set') machine.set(machine.now() + ms);
          else machine[hand](ms);
          const now = clock.now();
          const passed = machine.uptime() - uptime;
          expect(now).toBeGreaterThanOrEqual(before - HOUR);
          expect(now).toBeLessThanOrEqual(before + passed + HOUR);
          before = now;
          uptime = machine.uptime();
        }
      }),
    );
  });
});

describe('[R10] the system clock', () => {
  it('detects an uptime that runs like the stopwatch', async () => {
    const before = { uptime: systemClock.uptime(), elapsed: systemClock.elapsed() };
    await systemClock.sleep(1_500);
    const uptime = systemClock.uptime() - before.uptime;
    const elapsed = systemClock.elapsed() - before.elapsed;
    expect(before.uptime).toBeGreaterThan(0);
    // The coarsest uptime has a resolution of one second.
    expect(Math.abs(uptime - elapsed)).toBeLessThanOrEqual(1_100);
    expect(uptime).toBeGreaterThan(0);
  });
});

describe('[R10] the manual clock', () => {
  it('fires no timer while the machine is suspended', () => {
    const clock = createManualClock(NOON);
    let fired = 0;
    clock.setTimer(MINUTE, () => {
      fired += 1;
    });
    clock.suspend(HOUR);
    expect([fired, clock.now() - NOON, clock.uptime(), clock.elapsed()]).toEqual([0, HOUR, HOUR, 0]);
    clock.set(NOON);
    expect([clock.uptime(), clock.elapsed()]).toEqual([HOUR, 0]);
    clock.advance(MINUTE);
    expect([fired, clock.now() - NOON, clock.uptime(), clock.elapsed()]).toEqual([
      1,
      MINUTE,
      HOUR + MINUTE,
      MINUTE,
    ]);
  });
});
