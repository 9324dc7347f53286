import { describe, expect, it } from 'vitest';
import { NOON, SECOND } from '../../../../support/engine.ts';
import { counts, openReaper } from './memory-expiry-store.ts';

const DUE = NOON + SECOND;
const due = (documents: number, at = DUE) => Array<number>(documents).fill(at);

describe('[R4] a source that fails', () => {
  it('because its batch changes nothing although documents are due is retried alone, and then recovers', async () => {
    const { reaper, store, advance, logged } = openReaper({
      c1: { deadlines: due(3) },
      c2: { deadlines: due(3) },
    });
    store.outcome = documents => (store.left('c1') === 3 ? counts({}) : counts({ removed: documents }));
    store.change('c2', { isPaused: true });
    await advance(SECOND);
    expect(reaper.status.problem).toMatchObject({
      message: 'c1: ttl has documents due that it cannot remove',
      since: DUE,
      retryAt: DUE + SECOND,
    });
    expect(store.passes.get(1)).toMatchObject({ ending: 'error', error: reaper.status.problem?.message });
    await advance(SECOND - 1);
    expect(store.batches).toHaveLength(1);
    store.outcome = documents => counts({ removed: documents });
    await advance(1);
    expect([store.left('c1'), reaper.status.problem]).toEqual([0, null]);
    expect(logged.at(-1)).toContain('the reaper recovered');
  });

  it('keeps the others, whose passes end as drained, also in its own collection', async () => {
    const { reaper, store, advance } = openReaper({
      'c1/a': { deadlines: due(3) },
      'c1/b': { deadlines: due(3), perBatch: 1 },
      c2: { deadlines: due(3), perBatch: 1 },
    });
    store.failing.set('c1/a', 'disk');
    await advance(SECOND + 10);
    expect([store.left('c1/a'), store.left('c1/b'), store.left('c2')]).toEqual([3, 0, 0]);
    expect(
      [...store.passes.values()].map(({ collection, ending, error }) => [collection, ending, error]),
    ).toEqual([
      ['c1', 'error', 'disk'],
      ['c1', 'drained', null],
      ['c2', 'drained', null],
    ]);
    // The remaining ones are due: nothing later is reported as removed.
    expect(reaper.status.cutoff).toBe(DUE - 1);
  });

  it('leaves the ended passes of the others, and ends its own as failed also after a success', async () => {
    const { store, advance } = openReaper({
      c1: { deadlines: [DUE, DUE + 1, DUE + 3] },
      c2: { deadlines: [DUE + 1] },
      c3: { deadlines: [DUE + 2] },
    });
    store.failing.set('c3', 'disk');
    await advance(SECOND + 2);
    const endings = () => [...store.passes.values()].map(({ collection, ending }) => [collection, ending]);
    expect(endings()).toEqual([
      ['c1', 'drained'],
      ['c2', 'drained'],
      ['c3', 'error'],
    ]);
    store.failing.set('c1', 'disk');
    await advance(1);
    expect(endings()).toEqual([
      ['c1', 'error'],
      ['c2', 'drained'],
      ['c3', 'error'],
    ]);
  });

  it('because its next deadline cannot be read is retried, and reported at once', async () => {
    let changes = 0;
    const { reaper, store, advance, settle } = openReaper(
      { c1: { deadlines: due(1) }, c2: { deadlines: due(1) } },
      { onChange: () => (changes += 1) },
    );
    await settle();
    store.unreadable.set('c1', 'malformed');
    const before = changes;
    store.write('c1');
    expect(reaper.status.problem).toMatchObject({ message: 'malformed', retryAt: NOON + SECOND });
    expect(changes).toBeGreaterThan(before);
    store.unreadable.clear();
    await advance(SECOND);
    expect([store.left('c1'), store.left('c2')]).toEqual([0, 0]);
    expect(reaper.status.problem).toBeNull();
  });

  it('and is paused or held or dropped no longer counts as failing', async () => {
    const { reaper, store, advance, settle } = openReaper({ c1: { deadlines: due(1) } });
    store.failing.set('c1', 'disk');
    await advance(SECOND);
    expect(reaper.status.problem).not.toBeNull();
    store.change('c1', { isHeld: true });
    await settle();
    expect(reaper.status.problem).toBeNull();
  });
});

describe('[R7] a store that fails', () => {
  it('is retried after 1 s, 2 s, 4 s, and continues', async () => {
    let changes = 0;
    const { reaper, store, clock, logged, advance } = openReaper(
      { c1: { deadlines: due(1) } },
      { onChange: () => (changes += 1) },
    );
    await advance(0);
    store.broken = 'I/O error';
    const before = changes;
    clock.advance(SECOND);
    await reaper.whenIdle();
    expect(changes).toBeGreaterThan(before);
    const waits = [1, 2, 4];
    for (const [i, wait] of waits.entries()) {
      const since = DUE;
      const retryAt = clock.now() + wait * SECOND;
      expect(reaper.status).toMatchObject({
        isActive: false,
        problem: { message: 'I/O error', since, retryAt },
      });
      if (i === waits.length - 1) store.broken = null;
      clock.advance(wait * SECOND);
      await reaper.whenIdle();
    }
    expect([store.left('c1'), reaper.status.problem]).toEqual([0, null]);
    expect(logged.filter(line => line.includes('failed and will retry'))).toHaveLength(3);
  });

  it('while it sleeps is retried too', async () => {
    let changes = 0;
    const { reaper, store, advance, clock } = openReaper(
      { c1: { deadlines: due(1, NOON + 10 * SECOND) } },
      { onChange: () => (changes += 1) },
    );
    await advance(0);
    store.broken = 'I/O error';
    changes = 0;
    reaper.wake(new Set(['c1']));
    expect(changes).toBe(1);
    expect(reaper.status.problem).toMatchObject({ message: 'I/O error', retryAt: NOON + SECOND });
    // A commit meanwhile does not shorten the delay.
    reaper.wake(new Set(['c1']));
    store.broken = null;
    clock.advance(SECOND);
    await reaper.whenIdle();
    expect(reaper.status).toMatchObject({ problem: null, nextWakeAt: NOON + 10 * SECOND });
  });
});

describe('the reaper', () => {
  it('[R10] has one timer, however often it is woken, and none once it has stopped', async () => {
    const { reaper, store, timers, settle } = openReaper({ c1: { deadlines: due(1) } });
    await settle();
    for (let i = 0; i < 100; i++) store.write('c1', NOON + (200 - i) * SECOND);
    expect(timers()).toBe(1);
    await reaper.runNow({});
    await settle();
    expect(timers()).toBe(1);
    await reaper.stop();
    expect([timers(), store.listeners]).toEqual([0, 0]);
    store.write('c1', NOON);
    expect([timers(), store.ticks]).toEqual([0, []]);
  });

  it('[R10] wakes every 30 s without a deadline', async () => {
    const { reaper, store, clock, settle } = openReaper({ c1: {} });
    await settle();
    // Written past the reaper, as when a timer fires late.
    store.reaper = null;
    store.write('c1', NOON + 5 * SECOND);
    reaper.wake(new Set());
    const before = store.sweeps.length;
    clock.advance(29_999);
    await reaper.whenIdle();
    expect(store.sweeps.length).toBe(before);
    clock.advance(1);
    await reaper.whenIdle();
    expect(store.sweeps.length).toBe(before + 1);
  });

  it('tells when its next wake-up changes, and only then', async () => {
    let changes = 0;
    const { store, settle } = openReaper({ c1: {} }, { onChange: () => (changes += 1) });
    await settle();
    changes = 0;
    store.write('c1', NOON + 9 * SECOND);
    expect(changes).toBe(1);
    store.write('c1', NOON + 10 * SECOND);
    expect(changes).toBe(1);
    store.write('c1', NOON + 8 * SECOND);
    expect(changes).toBe(2);
  });

  it('goes on removing and sweeping after an error of the one that it tells of changes', async () => {
    let isFailing = false;
    const { reaper, store, clock, logged, advance } = openReaper(
      { c1: { deadlines: due(1) } },
      {
        onChange: () => {
          if (isFailing) throw new Error('the window is gone');
        },
      },
    );
    await advance(0);
    isFailing = true;
    clock.advance(SECOND);
    await reaper.runNow({});
    isFailing = false;
    expect(logged.join()).toContain('the window is gone');
    const before = store.sweeps.length;
    store.write('c1', ...due(250, DUE + SECOND));
    await advance(SECOND);
    expect([store.left('c1'), store.unswept()]).toEqual([0, 0]);
    expect(store.sweeps.length - before).toBeGreaterThan(1);
  });

  it('sleeps until its next deadline also if telling of that failed', async () => {
    let isFailing = false;
    const { store, timers, advance } = openReaper(
      { c1: {} },
      {
        onChange: () => {
          if (isFailing) throw new Error('the window is gone');
        },
      },
    );
    await advance(0);
    isFailing = true;
    store.write('c1', DUE);
    expect(timers()).toBe(1);
    isFailing = false;
    await advance(SECOND);
    expect(store.left('c1')).toBe(0);
  });

  it('acts on what is written while it is active', async () => {
    const { reaper, store, clock, settle } = openReaper({ c1: { deadlines: due(1) }, c2: {} });
    await settle();
    store.afterBatch = ({ key }) => {
      if (key === 'c1') store.write('c2', NOON);
    };
    clock.advance(SECOND);
    await reaper.whenIdle();
    expect(store.left('c2')).toBe(0);
  });

  it('acts on nothing while the store does not accept changes', async () => {
    let resume: () => void = () => {};
    let suspended: Promise<void> | null = null;
    const { reaper, store, clock, settle } = openReaper(
      { c1: { deadlines: due(1) } },
      { suspended: () => suspended },
    );
    await settle();
    suspended = new Promise(resolve => {
      resume = resolve;
    });
    clock.advance(SECOND);
    for (let i = 0; i < 10; i++) await Promise.resolve();
    expect([reaper.status.isActive, store.batches.length]).toEqual([true, 0]);
    suspended = null;
    resume();
    await reaper.whenIdle();
    expect(store.left('c1')).toBe(0);
  });

  it('begins no batch after it was stopped', async () => {
    const { reaper, store, clock, logged, settle } = openReaper({
      c1: { deadlines: due(3), perBatch: 1 },
      c2: { deadlines: due(3), perBatch: 1 },
    });
    await settle();
    let stopped: Promise<void> | null = null;
    store.afterBatch = () => {
      stopped ??= reaper.stop();
    };
    clock.advance(SECOND);
    await reaper.whenIdle();
    await stopped;
    expect(store.batches).toHaveLength(1);
    const swept = store.sweeps.length;
    clock.advance(60 * SECOND);
    expect([store.batches.length, store.sweeps.length, logged]).toEqual([1, swept, []]);
  });

  it('is stopped when the running batch of a manual pass has ended', async () => {
    let goOn = () => {};
    let isBlocked = false;
    const { reaper, store, settle } = openReaper(
      { c1: { deadlines: due(4, NOON + 10 * SECOND), perBatch: 1 } },
      {
        async yieldToCalls() {
          if (!isBlocked) return;
          await new Promise<void>(resolve => {
            goOn = resolve;
          });
        },
      },
    );
    await settle();
    store.change('c1', { isPaused: true, pausedAt: 'store' });
    store.write('c1', NOON - 1, NOON - 1);
    isBlocked = true;
    const pass = reaper.runNow({});
    await new Promise(resolve => setImmediate(resolve));
    let isStopped = false;
    const stopped = reaper.stop().then(() => {
      isStopped = true;
    });
    await new Promise(resolve => setImmediate(resolve));
    expect([store.batches.length, isStopped]).toEqual([1, false]);
    isBlocked = false;
    goOn();
    await stopped;
    await pass;
    expect(store.batches).toHaveLength(1);
  });

  it('reads the next deadline of a source once until its collection changes', async () => {
    const { reaper, store, settle } = openReaper({
      'c1/a': { deadlines: due(1) },
      'c1/b': { deadlines: due(1) },
      c2: { deadlines: due(1) },
    });
    await settle();
    store.reads.length = 0;
    for (let i = 0; i < 10; i++) reaper.wake(new Set());
    expect(store.reads).toEqual([]);
    reaper.wake(new Set(['c1']));
    reaper.wake(new Set());
    expect(store.reads).toEqual(['c1/a', 'c1/b']);
  });
});
