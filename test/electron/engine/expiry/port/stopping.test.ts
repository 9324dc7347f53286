import { describe, expect, it } from 'vitest';
import { NOON, SECOND } from '../../../../support/engine.ts';
import { openReaper, type ReaperTest } from './memory-expiry-store.ts';

const DUE = NOON + SECOND;

describe('[R7] the reaper stops', () => {
  it('while it waits for a store that failed, and does not try it again', async () => {
    const { reaper, store, timers, advance, clock } = openReaper({ c1: { deadlines: [DUE] } });
    await advance(0);
    store.broken = 'I/O error';
    clock.advance(SECOND);
    await reaper.whenIdle();
    expect(reaper.status.problem?.message).toBe('I/O error');
    store.broken = null;
    await reaper.stop();
    clock.advance(60 * SECOND);
    expect([timers(), store.left('c1')]).toEqual([0, 1]);
  });

  it('also if its last round fails meanwhile', async () => {
    let stopped: Promise<void> | null = null;
    const test: ReaperTest = openReaper(
      { c1: { deadlines: [DUE] }, c2: { deadlines: [DUE] } },
      {
        yieldToCalls: () => {
          stopped = test.reaper.stop();
          return Promise.reject(new Error('the process ends'));
        },
      },
    );
    await test.advance(0);
    test.clock.advance(SECOND);
    await test.reaper.whenIdle();
    await stopped;
    expect([test.timers(), test.store.batches.length]).toEqual([0, 1]);
    expect(test.logged.join()).toContain('the process ends');
  });
});
