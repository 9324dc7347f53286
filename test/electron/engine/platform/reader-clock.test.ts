import { describe, expect, it } from 'vitest';
import { GuardedClock } from '../../../../electron/engine/platform/guarded-clock.ts';
import { ReaderClock } from '../../../../electron/engine/platform/reader-clock.ts';
import { SharedClockState } from '../../../../electron/engine/protocol/shared-flags.ts';
import { DAY, HOUR, MINUTE, NOON, SECOND } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

/** The clock of the engine's thread, and that of the reader thread of the same machine. */
function clocks() {
  const machine = createManualClock(NOON);
  const state = new SharedClockState();
  const engine = new GuardedClock({
    clock: machine,
    boundMs: () => HOUR,
    onChange: () => {},
    onState: entered => state.enter(entered),
  });
  const reader = new ReaderClock(machine, new SharedClockState(state.shared), () => HOUR);
  return { machine, engine, reader };
}

describe('[R10] the clock of the reader thread', () => {
  it('has the trusted time while the wall clock is followed', () => {
    const { machine, engine, reader } = clocks();
    machine.advance(3 * DAY);
    expect(reader.now()).toBe(engine.now());
    machine.set(machine.now() - MINUTE);
    expect(reader.now()).toBe(NOON + 3 * DAY - MINUTE);
  });

  it('knows no time from a jump on, noticed by either thread first, until some time after it was confirmed', () => {
    for (const isReaderFirst of [true, false]) {
      const { machine, engine, reader } = clocks();
      machine.set(NOON + 3 * DAY);
      if (!isReaderFirst) expect(engine.now()).toBe(NOON);
      expect(reader.now()).toBeNull();
      expect(reader.now()).toBeNull();
      expect(engine.now()).toBe(NOON);
      machine.advance(MINUTE);
      expect(reader.now()).toBeNull();
      engine.accept();
      expect(reader.now()).toBeNull();
      machine.advance(2 * SECOND);
      expect(reader.now()).toBe(engine.now());
      expect(reader.now()).toBe(NOON + 3 * DAY + MINUTE + 2 * SECOND);
    }
  });

  it('never shows an earlier instant than the engine after a jump back', () => {
    const { machine, engine, reader } = clocks();
    machine.set(NOON - 2 * HOUR);
    expect(engine.now()).toBe(NOON);
    expect(reader.now()).toBeNull();
    // Almost caught up: the engine's time stands still until the wall clock has passed it.
    machine.set(NOON - 400);
    expect(engine.now()).toBe(NOON);
    expect(reader.now()).toBeNull();
    machine.advance(2 * SECOND);
    expect(reader.now()).toBe(engine.now());
  });
});
