import { describe, expect, it } from 'vitest';
import { MINUTE, NOON, SECOND } from '../../../../support/engine.ts';
import { openReaper } from './memory-expiry-store.ts';

const EVERY = { mode: 'every', everyMs: 10 * SECOND } as const;
const MINUTELY = { mode: 'cron', cron: '* * * * *', timeZone: 'UTC' } as const;
const NO_LIMITS = { removalsPerSecond: 0, batchSize: 0, batchMs: 10 };
const at = (seconds: number) => NOON + seconds * SECOND;
const due = (documents: number, seconds: number) => Array<number>(documents).fill(at(seconds));

describe('[R1] a tick', () => {
  it('is stored by the first transaction that changes its collection afterwards, once', async () => {
    const { store, advance } = openReaper({ c1: { schedule: EVERY }, c2: { schedule: EVERY }, c3: {} });
    store.write('c1', at(99));
    await advance(25 * SECOND);
    expect(store.ticks).toEqual([]);
    store.write('c1', at(98));
    store.write('c1', at(97));
    store.write('c3', at(97));
    expect(store.ticks).toEqual([{ key: 'c1', tick: { since: NOON, at: at(20), state: 'closed' } }]);
    await advance(10 * SECOND);
    store.write('c1', at(98));
    expect(store.ticks.at(-1)).toEqual({ key: 'c1', tick: { since: NOON, at: at(30), state: 'closed' } });
  });

  it('whose transaction failed is stored by the next one', async () => {
    const { store, advance } = openReaper({ c1: { schedule: EVERY }, c2: {} });
    await advance(25 * SECOND);
    store.rollBack('c1');
    store.write('c2', at(99));
    store.write('c1', at(99));
    store.write('c1', at(99));
    expect(store.ticks.map(({ key, tick }) => [key, tick.at])).toEqual([
      ['c1', at(20)],
      ['c1', at(20)],
    ]);
  });

  it('whose transaction failed is stored by the next one also if the reaper was woken in between', async () => {
    const { store, reaper, advance } = openReaper({ c1: { schedule: EVERY } });
    await advance(25 * SECOND);
    store.rollBack('c1');
    // As at the end of a bulk change.
    reaper.wake(new Set(['c1']));
    store.write('c1', at(99));
    expect(store.ticks.map(({ tick }) => tick.at)).toEqual([at(20), at(20)]);
  });

  it('is open while its documents are removed, capped when a cap ends its pass, and closed afterwards', async () => {
    const { store, advance } = openReaper({ c1: { schedule: EVERY, deadlines: due(12, 5), perBatch: 5 } });
    store.current = { ...store.current, mostPerPass: 5 };
    await advance(35 * SECOND);
    store.write('c1', at(99));
    expect(store.ticks.map(({ tick }) => [tick.at, tick.state])).toEqual([
      [at(10), 'open'],
      [at(10), 'capped'],
      [at(20), 'open'],
      [at(20), 'capped'],
      [at(30), 'closed'],
    ]);
    expect(store.batches.map(batch => [batch.at, batch.cutoff, batch.maxDocuments])).toEqual([
      [at(10), at(10), 5],
      [at(20), at(20), 5],
      [at(30), at(30), 5],
    ]);
  });

  it('that follows a capped one has all its batches', async () => {
    const { store, advance } = openReaper({ c1: { schedule: EVERY, deadlines: due(9, 5), perBatch: 2 } });
    store.current = { ...store.current, mostPerPass: 5 };
    await advance(20 * SECOND);
    expect(store.left('c1')).toBe(0);
  });

  it('that is capped continues as soon as the caps are removed', async () => {
    const { store, reaper, advance } = openReaper({ c1: { schedule: EVERY, deadlines: due(12, 5) } });
    store.current = { ...store.current, mostPerPass: 5 };
    await advance(11 * SECOND);
    store.current = { ...store.current, mostPerPass: 0 };
    reaper.wake(new Set());
    await advance(0);
    expect(store.left('c1')).toBe(0);
    expect(store.batches.at(-1)?.cutoff).toBe(at(10));
  });

  it('[R2] keeps its cutoff while a rate delays its documents; then the latest one is caught up', async () => {
    const { store, advance } = openReaper({
      c1: {
        schedule: EVERY,
        deadlines: [...due(15, 5), at(12), at(28)],
        limits: { ...NO_LIMITS, removalsPerSecond: 1 },
      },
    });
    await advance(40 * SECOND);
    const cutoffs = store.batches.map(({ cutoff }) => cutoff);
    expect(cutoffs.slice(0, 15)).toEqual(due(15, 10));
    expect(new Set(cutoffs.slice(15))).toEqual(new Set([at(20), at(30)]));
    expect(store.left('c1')).toBe(0);
  });

  it('leaves what is written due on arrival after it to the next one', async () => {
    let isWritten = false;
    const { store, advance } = openReaper(
      { c1: { schedule: EVERY, deadlines: due(1, 5) } },
      {
        yieldToCalls: () => {
          if (store.batches.length === 1 && !isWritten) {
            isWritten = true;
            store.write('c1', at(1));
          }
          return Promise.resolve();
        },
      },
    );
    await advance(10 * SECOND);
    expect([isWritten, store.left('c1')]).toEqual([true, 1]);
    store.write('c1', at(2));
    await advance(9_999);
    expect(store.left('c1')).toBe(2);
    await advance(1);
    expect(store.left('c1')).toBe(0);
  });

  it('of a changed schedule is the first after the change', async () => {
    const { store, reaper, advance } = openReaper({ c1: { schedule: EVERY, deadlines: due(1, 5) } });
    await advance(11 * SECOND);
    store.change('c1', { schedule: MINUTELY, tick: { since: at(11), at: at(11), state: 'closed' } });
    store.write('c1', at(1));
    await advance(48 * SECOND);
    expect([store.left('c1'), reaper.status.nextWakeAt]).toEqual([1, at(60)]);
    await advance(SECOND);
    expect(store.left('c1')).toBe(0);
  });

  it('is missed by a source that is paused or held, and caught up when it is resumed', async () => {
    const { store, advance } = openReaper({
      c1: { schedule: EVERY, deadlines: due(1, 5), isPaused: true, pausedAt: 'index' },
      c2: { schedule: EVERY, deadlines: due(1, 5), isHeld: true },
    });
    await advance(25 * SECOND);
    store.write('c1', at(21));
    expect(store.ticks).toEqual([]);
    store.change('c1', { isPaused: false, pausedAt: null });
    store.change('c2', { isHeld: false });
    await advance(0);
    expect(store.batches.map(({ key, cutoff }) => [key, cutoff])).toEqual([
      ['c1', at(20)],
      ['c2', at(20)],
    ]);
    expect(store.left('c1')).toBe(1);
  });

  it('[R10] before which the clock was set back is followed by the next scheduled time', async () => {
    const { store, clock, reaper, advance } = openReaper({ c1: { schedule: EVERY, deadlines: due(1, 5) } });
    await advance(10 * SECOND);
    clock.set(NOON - MINUTE + SECOND);
    store.write('c1', NOON - 2 * MINUTE);
    expect(store.ticks.at(-1)?.tick).toEqual({ since: NOON, at: NOON - MINUTE + SECOND, state: 'closed' });
    expect(reaper.status.nextWakeAt).toBe(NOON - MINUTE + 10 * SECOND);
    await advance(9 * SECOND);
    expect(store.left('c1')).toBe(0);
  });

  it('[R7] of a period, or of a crontab line, is the cause of its pass', async () => {
    const { store, advance } = openReaper({
      c1: { schedule: EVERY, deadlines: due(1, 5) },
      c2: { schedule: MINUTELY, deadlines: due(1, 5) },
    });
    await advance(MINUTE);
    expect([...store.passes.values()].map(({ collection, trigger }) => [collection, trigger])).toEqual([
      ['c1', 'interval'],
      ['c2', 'cron'],
    ]);
  });
});

describe('[R4] a sweep', () => {
  it('takes half the store’s time, or what is left until the next deadline', async () => {
    const { store, clock, advance } = openReaper({ c1: { deadlines: due(250, 1) } });
    await advance(SECOND);
    expect(store.sweeps.slice(-3)).toEqual([4, 4, 4]);
    store.write('c1', ...due(250, 2), at(2) + 3);
    await advance(SECOND);
    expect(store.sweeps.slice(-3)).toEqual([3, 3, 3]);
    expect(clock.now()).toBe(at(2));
  });

  it('waits while a deadline is nearer than 2 ms, unless many documents are to be swept', async () => {
    const { store, advance } = openReaper({ c1: { deadlines: [...due(10, 1), at(1) + 1, at(1) + 3] } });
    store.most = 1_000;
    store.outcome = documents => ({ removed: documents, changed: 0, quarantined: 0, stale: 0 });
    await advance(0);
    const before = store.sweeps.length;
    await advance(SECOND);
    expect([store.sweeps.length - before, store.removed]).toEqual([0, 10]);
    await advance(1);
    expect([store.sweeps.length - before, store.sweeps.at(-1)]).toEqual([1, 2]);
    store.write('c1', ...due(26, 1), at(1) + 2);
    await advance(0);
    expect([store.sweeps.length - before, store.sweeps.at(-1)]).toEqual([2, 2]);
  });

  it('is interrupted by documents that become due', async () => {
    const { store, clock, advance } = openReaper(
      { c1: { deadlines: due(500, 1) } },
      {
        yieldToCalls: () => {
          if (store.sweeps.length === 3 && store.left('c1') === 0 && store.batches.length === 1)
            store.write('c1', clock.now());
          return Promise.resolve();
        },
      },
    );
    await advance(SECOND);
    expect(store.batches).toHaveLength(2);
    expect(store.left('c1')).toBe(0);
  });
});
