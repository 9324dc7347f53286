import { describe, expect, it } from 'vitest';
import {
  ChangeLogCompaction,
  type ChangeLogCompactionOptions,
} from '../../../../electron/engine/maintenance/change-log-compaction.ts';
import { createLogger } from '../../../../electron/engine/platform/logger.ts';
import { MINUTE, NOON, SECOND } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

type Backend = ChangeLogCompactionOptions['backend'];

/** A compaction whose store has `left` steps of it, which it counts. */
function started() {
  const clock = createManualClock(NOON);
  const timers = new Set<number>();
  let nextTimer = 0;
  const setTimer: typeof clock.setTimer = (ms, fn) => {
    const timer = nextTimer++;
    timers.add(timer);
    const cancel = clock.setTimer(ms, () => {
      timers.delete(timer);
      fn();
    });
    return () => {
      timers.delete(timer);
      cancel();
    };
  };
  const state = { left: 0, steps: 0, yields: 0, error: null as Error | null };
  const listeners = new Set<Parameters<Backend['onCommit']>[0]>();
  const logged: string[] = [];
  const backend: Backend = {
    compactLog() {
      state.steps += 1;
      if (state.error !== null) throw state.error;
      state.left -= 1;
      return state.left > 0;
    },
    onCommit(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  let blocked = Promise.resolve();
  const compaction = new ChangeLogCompaction({
    backend,
    clock: { ...clock, setTimer },
    log: createLogger('warn', clock.now, line => void logged.push(line)),
    async yieldToCalls() {
      state.yields += 1;
      await blocked;
    },
  });
  compaction.start();
  const advance = async (ms: number) => {
    clock.advance(ms);
    await new Promise(resolve => setImmediate(resolve));
  };
  const write = () => {
    for (const listener of listeners)
      listener({ revision: 1, at: NOON, changes: [], collections: new Set<string>() });
  };
  const block = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    blocked = promise;
    return resolve;
  };
  return { compaction, state, timers, logged, listeners, advance, write, block };
}

describe('[V3] the compaction of the change log', () => {
  it('begins ten seconds after a write, however many follow it', async () => {
    const { state, advance, write } = started();
    write();
    await advance(6 * SECOND);
    write();
    await advance(4 * SECOND - 1);
    expect(state.steps).toBe(0);
    await advance(1);
    expect(state.steps).toBe(1);
    await advance(20 * SECOND);
    expect(state.steps).toBe(1);
    write();
    await advance(10 * SECOND);
    expect(state.steps).toBe(2);
  });

  it('begins every five minutes without a write', async () => {
    const { state, advance } = started();
    await advance(5 * MINUTE - 1);
    expect(state.steps).toBe(0);
    await advance(1);
    expect(state.steps).toBe(1);
    await advance(5 * MINUTE - 1);
    expect(state.steps).toBe(1);
    await advance(1);
    expect(state.steps).toBe(2);
  });

  it('begins five minutes after the last one, also if a write began that', async () => {
    const { state, advance, write } = started();
    await advance(4 * MINUTE);
    write();
    await advance(MINUTE);
    expect(state.steps).toBe(1);
    await advance(4 * MINUTE + 10 * SECOND);
    expect(state.steps).toBe(2);
  });

  it('goes on until nothing is left, and lets calls in between; a write meanwhile begins it again', async () => {
    const { state, advance, write, block } = started();
    state.left = 3;
    const release = block();
    await advance(5 * MINUTE);
    expect([state.steps, state.yields]).toEqual([1, 1]);
    write();
    await advance(20 * SECOND);
    expect(state.steps).toBe(1);
    release();
    await advance(0);
    expect([state.steps, state.yields]).toEqual([3, 2]);
    await advance(10 * SECOND - 1);
    expect(state.steps).toBe(3);
    await advance(1);
    expect(state.steps).toBe(4);
    await advance(5 * MINUTE - 1);
    expect(state.steps).toBe(4);
    await advance(1);
    expect(state.steps).toBe(5);
  });

  it('is tried again after an error, which is logged', async () => {
    const { state, logged, advance, write } = started();
    state.error = new Error('no luck');
    write();
    await advance(10 * SECOND);
    expect(logged).toEqual([
      expect.stringContaining('error the change log could not be compacted; retrying error=no luck'),
    ]);
    state.error = null;
    write();
    await advance(10 * SECOND);
    expect(state.steps).toBe(2);
    expect(logged).toHaveLength(1);
  });

  it('ends after the running step when it is stopped', async () => {
    const { compaction, state, timers, listeners, advance, block } = started();
    state.left = 3;
    const release = block();
    await advance(5 * MINUTE);
    let isStopped = false;
    const stopped = compaction.stop().then(() => {
      isStopped = true;
    });
    await advance(0);
    expect([isStopped, listeners.size]).toEqual([false, 0]);
    release();
    await stopped;
    expect(timers).toEqual(new Set());
    await advance(10 * MINUTE);
    expect(state.steps).toBe(1);
  });

  it('does not begin once it is stopped', async () => {
    const { compaction, state, timers, advance } = started();
    expect(timers.size).toBe(1);
    await compaction.stop();
    expect(timers.size).toBe(0);
    await advance(10 * MINUTE);
    expect(state.steps).toBe(0);
  });
});
