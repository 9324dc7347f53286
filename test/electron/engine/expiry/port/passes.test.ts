import { describe, expect, it } from 'vitest';
import { MINUTE, NOON, SECOND } from '../../../../support/engine.ts';
import { counts, openReaper } from './memory-expiry-store.ts';

const DUE = NOON + SECOND;
const UNLIMITED = Number.MAX_SAFE_INTEGER;
const due = (documents: number, at = DUE) => Array<number>(documents).fill(at);
const NO_LIMITS = { removalsPerSecond: 0, batchSize: 0, batchMs: 10 };

describe('[R4] the batches of a round', () => {
  it('begin with the earliest deadline; those of equal deadlines with the older source', async () => {
    const { store, settle } = openReaper({
      c1: { deadlines: [NOON - 1] },
      c2: { deadlines: [NOON - 5] },
      c3: { deadlines: [NOON - 5] },
      c4: { deadlines: [NOON - 9] },
    });
    await settle();
    expect(store.batches.map(({ key }) => key)).toEqual(['c4', 'c2', 'c3', 'c1']);
  });

  it('[A6] log index entries that disagreed with their documents, and only these', async () => {
    const { store, advance, logged } = openReaper({ c1: { deadlines: [DUE, DUE + SECOND] } });
    await advance(SECOND);
    expect(logged).toEqual([]);
    store.outcome = () => counts({ stale: 2 });
    await advance(SECOND);
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain('collection=c1 index=ttl entries=2');
  });

  it('are one of each source with due documents, with the cutoff of the round', async () => {
    const { store, advance } = openReaper({
      'c1/a': { deadlines: due(2), perBatch: 1 },
      'c1/b': { deadlines: due(3, DUE - 1), perBatch: 2 },
      c2: { deadlines: due(1, DUE + 1) },
    });
    store.change('c1/b', { isPaused: true });
    await advance(SECOND - 1);
    store.change('c1/b', { isPaused: false });
    await advance(0);
    await advance(SECOND);
    expect(store.batches.map(({ key, cutoff }) => [key, cutoff - DUE])).toEqual([
      ['c1/b', -1],
      ['c1/b', -1],
      ['c1/a', 0],
      ['c1/a', 0],
      ['c2', 1],
    ]);
  });

  it('[R7] end the pass as drained with the last source of the collection, whatever others have left', async () => {
    const { store, advance } = openReaper({
      'c1/a': { deadlines: due(3), perBatch: 1 },
      'c1/b': { deadlines: due(2), perBatch: 1 },
      c2: { deadlines: due(4), perBatch: 1 },
    });
    await advance(SECOND);
    expect(store.batches.map(({ key, isLast }) => `${key} ${isLast}`)).toEqual([
      ...['c1/a false', 'c1/b false', 'c2 true'],
      ...['c1/a false', 'c1/b false', 'c2 true'],
      ...['c1/a true', 'c2 true'],
      'c2 true',
    ]);
    expect([...store.passes.values()].map(({ collection, ending }) => [collection, ending])).toEqual([
      ['c1', 'drained'],
      ['c2', 'drained'],
    ]);
  });

  it('[R5] may hold the writer half of their source’s time, and less while calls wait', async () => {
    let waiting = 0;
    const { store, advance } = openReaper(
      { c1: { deadlines: [DUE, DUE + SECOND], limits: { ...NO_LIMITS, batchMs: 20 } } },
      { callsWaiting: () => waiting },
    );
    await advance(SECOND);
    waiting = 1;
    await advance(SECOND);
    expect(store.batches.map(({ budgetMs }) => budgetMs)).toEqual([10, 1.5]);
    store.current = { ...store.current, batchMsWhileCallsWait: 50 };
    store.write('c1', NOON);
    await advance(0);
    expect(store.batches.at(-1)?.budgetMs).toBe(10);
  });

  it('wait for background work, except after a batch that drained its source', async () => {
    let settled = 0;
    const { advance } = openReaper(
      { c1: { deadlines: due(3), perBatch: 1 } },
      {
        settled: () => {
          settled += 1;
          return Promise.resolve();
        },
      },
    );
    await advance(SECOND);
    expect(settled).toBe(2);
  });
});

describe('[R7] a pass', () => {
  it('has a row per collection and minute, and the cause of its first batch', async () => {
    const { store, reaper, advance } = openReaper({
      c1: { deadlines: [DUE, DUE + MINUTE - 1, DUE + MINUTE] },
    });
    await advance(2 * MINUTE);
    const passes = () =>
      [...store.passes.values()].map(({ id, trigger, batches, ending }) => [id, trigger, batches, ending]);
    expect(passes()).toEqual([
      [1, 'deadline', 2, 'drained'],
      [2, 'deadline', 1, 'drained'],
    ]);
    store.change('c1', { isPaused: true, pausedAt: 'index' });
    store.write('c1', NOON);
    await reaper.runNow({ index: 'ttl' });
    expect(passes().at(-1)).toEqual([2, 'manual', 2, 'drained']);
  });

  it('of documents that were due before the reaper started is caused by the start', async () => {
    const { store, settle } = openReaper({ c1: { deadlines: [NOON - 1] } });
    await settle();
    expect([...store.passes.values()].map(({ trigger }) => trigger)).toEqual(['start']);
  });

  it('[M1] is counted once by its ending', async () => {
    const { meters, advance } = openReaper({
      c1: { deadlines: [DUE, DUE + 5 * MINUTE] },
      c2: { deadlines: [DUE] },
    });
    await advance(10 * MINUTE);
    expect(meters.passes.over(null, NOON + 10 * MINUTE)).toEqual({ drained: 3 });
    expect(meters.passes.over('c1', NOON + 10 * MINUTE)).toEqual({ drained: 2 });
  });

  it('that a rate delays ends as `limit`, then as paused or held if all its sources are', async () => {
    const { store, advance } = openReaper({
      c1: { deadlines: due(10), limits: { ...NO_LIMITS, removalsPerSecond: 1 } },
      c2: { deadlines: due(10), limits: { ...NO_LIMITS, removalsPerSecond: 1 } },
      c3: { deadlines: due(10), limits: { ...NO_LIMITS, removalsPerSecond: 1 } },
      'c4/a': { deadlines: due(10), limits: { ...NO_LIMITS, removalsPerSecond: 1 } },
      'c4/b': { deadlines: due(10), limits: { ...NO_LIMITS, removalsPerSecond: 1 } },
    });
    await advance(SECOND + 100);
    const endings = () => [...store.passes.values()].map(({ ending }) => ending);
    expect(endings()).toEqual(['limit', 'limit', 'limit', 'limit']);
    store.change('c1', { isPaused: true, pausedAt: 'index' });
    store.change('c2', { isHeld: true });
    store.clear('c3');
    store.change('c4/a', { isPaused: true, pausedAt: 'index' });
    await advance(0);
    expect(endings()).toEqual(['paused', 'held', 'limit', 'limit']);
    store.change('c4/b', { isHeld: true });
    await advance(0);
    expect(endings()).toEqual(['paused', 'held', 'limit', 'held']);
  });

  it('[R6] has no cutoff at which documents are left', async () => {
    const { store, reaper, advance } = openReaper({
      c1: { schedule: { mode: 'every', everyMs: 10 * SECOND }, deadlines: [DUE] },
      c2: { deadlines: [DUE] },
      c3: { deadlines: [NOON - 5], isPaused: true, pausedAt: 'index' },
      c4: { deadlines: [NOON - 5], isHeld: true },
    });
    await advance(3 * SECOND);
    expect(reaper.status.cutoff).toBe(DUE - 1);
    await advance(7 * SECOND);
    expect(reaper.status.cutoff).toBe(NOON + 10 * SECOND);
    expect(store.left('c1')).toBe(0);
  });
});

describe('[R3] limits', () => {
  it('count what was removed, changed and quarantined', async () => {
    const { store, reaper, advance } = openReaper({ c1: { deadlines: due(100), perBatch: 6 } });
    store.current = { ...store.current, mostPerPass: 20 };
    store.outcome = documents => counts({ removed: 1, changed: 2, quarantined: documents - 3 });
    await advance(SECOND);
    expect(store.batches.map(({ maxDocuments }) => maxDocuments)).toEqual([20, 14, 8, 2]);
    expect(store.left('c1')).toBe(100 - 20);
    expect(reaper.status.nextWakeAt).toBe(DUE + SECOND);
    expect(store.passes.get(1)).toMatchObject({ ending: 'limit', removed: 4, changed: 8, quarantined: 8 });
  });

  it('of a pass count from 0 once its collection is drained', async () => {
    const { store, advance } = openReaper({
      c1: { deadlines: [...due(6), ...due(6, DUE + 500)] },
      c2: {
        deadlines: [...due(50), ...due(50, DUE + 500)],
        perBatch: 1,
        limits: { ...NO_LIMITS, removalsPerSecond: 100 },
      },
    });
    store.current = { ...store.current, mostPerPass: 10 };
    await advance(SECOND + 500);
    expect(store.batches.filter(({ key }) => key === 'c1').map(({ maxDocuments }) => maxDocuments)).toEqual([
      10, 10,
    ]);
  });

  it('are the smallest of batch size, cap and rate', async () => {
    const { store, advance } = openReaper({
      c1: { deadlines: due(1) },
      c2: { deadlines: due(1), limits: { ...NO_LIMITS, batchSize: 7 } },
      c3: { deadlines: due(1), limits: { ...NO_LIMITS, batchSize: 70, removalsPerSecond: 100 } },
    });
    await advance(SECOND);
    expect(store.batches.map(({ maxDocuments }) => maxDocuments)).toEqual([UNLIMITED, 7, 25]);
  });

  it('that are lifted or changed apply at once', async () => {
    const { store, advance } = openReaper({
      c1: { deadlines: due(30), limits: { ...NO_LIMITS, removalsPerSecond: 1 } },
    });
    await advance(2 * SECOND);
    expect(store.left('c1')).toBe(28);
    store.change('c1', { limits: { ...NO_LIMITS, removalsPerSecond: 100 } });
    await advance(0);
    expect(store.left('c1')).toBe(23);
    store.change('c1', { limits: NO_LIMITS });
    await advance(0);
    expect(store.left('c1')).toBe(0);
  });
});

describe('[R3] caps', () => {
  it('of 1 are caps, of one collection and of all', async () => {
    for (const cap of ['mostPerPass', 'mostPerPassInTotal']) {
      const { store, advance } = openReaper({ c1: { deadlines: due(5) } });
      store.current = { ...store.current, [cap]: 1 };
      await advance(3 * SECOND);
      expect(store.left('c1')).toBe(2);
    }
  });

  it('of all passes count from 0 once nothing is due', async () => {
    const { store, advance } = openReaper({
      c1: { deadlines: due(6) },
      c2: { deadlines: due(6, DUE + 500) },
    });
    store.current = { ...store.current, mostPerPassInTotal: 10 };
    await advance(SECOND + 500);
    expect(store.batches.map(({ key, maxDocuments }) => [key, maxDocuments])).toEqual([
      ['c1', 10],
      ['c2', 10],
    ]);
    expect(store.left('c2')).toBe(0);
  });

  it('that no pass reaches stop none', async () => {
    const { store, advance } = openReaper({
      c1: { schedule: { mode: 'every', everyMs: 10 * SECOND }, deadlines: due(12), perBatch: 5 },
    });
    store.current = { ...store.current, mostPerPass: 100 };
    await advance(10 * SECOND);
    expect(store.left('c1')).toBe(0);
  });

  it('count a pass that a rate delays as one', async () => {
    const { store, advance } = openReaper({
      c1: { deadlines: due(200), limits: { ...NO_LIMITS, removalsPerSecond: 10 } },
    });
    store.current = { ...store.current, mostPerPass: 20 };
    await advance(11 * SECOND);
    // 20 in two seconds, then one without.
    expect(200 - store.left('c1')).toBeGreaterThan(60);
    expect(200 - store.left('c1')).toBeLessThan(85);
  });

  it('that are lowered end a pass which has done as much already', async () => {
    const { store, clock, advance } = openReaper({
      c1: { deadlines: due(200), limits: { ...NO_LIMITS, removalsPerSecond: 10 } },
    });
    store.current = { ...store.current, mostPerPass: 100 };
    await advance(4 * SECOND);
    const left = store.left('c1');
    store.current = { ...store.current, mostPerPass: 5 };
    store.reaper?.wake(new Set());
    const loweredAt = clock.now();
    await advance(SECOND - 1);
    expect(store.left('c1')).toBe(left);
    await advance(SECOND);
    expect(store.batches.find(({ at }) => at > loweredAt)?.maxDocuments).toBeLessThanOrEqual(5);
  });
});

describe('[R6] a manual pass', () => {
  it('acts on the sources of its scope, those of a collection one after another, and sums what it did', async () => {
    let yields = 0;
    const { store, reaper, settle } = openReaper(
      {
        'c1/a': { isPaused: true, pausedAt: 'store', deadlines: due(2, NOON), perBatch: 1 },
        'c1/b': { isPaused: true, pausedAt: 'store', deadlines: due(1, NOON) },
        'c1/c': { isPaused: true, pausedAt: 'index', deadlines: due(1, NOON) },
        c2: { isPaused: true, pausedAt: 'collection', deadlines: due(1, NOON) },
        c3: { isHeld: true, deadlines: due(1, NOON) },
        c4: { isPaused: true, pausedAt: 'store', deadlines: due(1, NOON + 1) },
      },
      {
        yieldToCalls: () => {
          yields += 1;
          return Promise.resolve();
        },
      },
    );
    await settle();
    yields = 0;
    store.outcome = documents => (documents === 0 ? counts({}) : counts({ changed: 1 }));
    const pass = await reaper.runNow({});
    expect(yields).toBe(3);
    expect(store.batches.map(({ key, isLast, cutoff }) => [key, isLast, cutoff])).toEqual([
      ['c1/a', false, NOON],
      ['c1/a', false, NOON],
      ['c1/b', true, NOON],
    ]);
    expect(pass).toMatchObject({ removed: 0, changed: 3, quarantined: 0, passes: [{ changed: 3 }] });
    store.outcome = documents => counts({ quarantined: documents });
    expect(await reaper.runNow({ collection: 'c2' })).toMatchObject({ changed: 0, quarantined: 1 });
    expect(await reaper.runNow({ collection: 'c1', index: 'c' })).toMatchObject({ quarantined: 1 });
    expect([store.left('c3'), store.left('c4')]).toEqual([1, 1]);
  });

  it('ends as `limit` at a cap, also at one that was lowered during it, and goes on with other collections', async () => {
    const { store, reaper, settle } = openReaper({
      c1: { isPaused: true, pausedAt: 'store', deadlines: due(10, NOON), perBatch: 3 },
      c2: { isPaused: true, pausedAt: 'store', deadlines: due(10, NOON), perBatch: 3 },
    });
    await settle();
    store.current = { ...store.current, mostPerPass: 5 };
    const { removed, passes } = await reaper.runNow({});
    expect([removed, store.left('c1'), store.left('c2')]).toEqual([10, 5, 5]);
    expect(passes.map(({ ending }) => ending)).toEqual(['limit', 'limit']);
    store.current = { ...store.current, mostPerPass: 100 };
    store.afterBatch = () => {
      store.current = { ...store.current, mostPerPass: 3 };
    };
    expect((await reaper.runNow({ collection: 'c1' })).removed).toBe(3);
    expect(store.left('c1')).toBe(2);
  });

  it('is followed by documents that became due during it', async () => {
    const { store, reaper, settle } = openReaper({
      c1: { isPaused: true, pausedAt: 'store', deadlines: due(1, NOON) },
      c2: {},
    });
    await settle();
    store.afterBatch = ({ key }) => {
      if (key === 'c1') store.write('c2', NOON);
    };
    await reaper.runNow({ collection: 'c1' });
    await reaper.whenIdle();
    expect([...store.passes.values()].map(({ collection, trigger }) => [collection, trigger])).toEqual([
      ['c1', 'manual'],
      ['c2', 'deadline'],
    ]);
  });

  it('ends as paused if its source is paused during it', async () => {
    const { store, reaper, settle } = openReaper({
      c1: { isPaused: true, pausedAt: 'store', deadlines: due(9, NOON), perBatch: 3 },
    });
    await settle();
    store.afterBatch = () => store.change('c1', { pausedAt: 'index' });
    expect(await reaper.runNow({})).toMatchObject({ removed: 3, passes: [{ ending: 'paused' }] });
  });

  it('ends if its source is dropped during it, and does nothing without due documents', async () => {
    const { store, reaper, settle } = openReaper({
      c1: { isPaused: true, pausedAt: 'store', deadlines: due(9, NOON), perBatch: 3 },
    });
    await settle();
    store.afterBatch = () => store.drop('c1');
    expect(await reaper.runNow({})).toMatchObject({ removed: 3 });
    expect(await reaper.runNow({})).toEqual({ removed: 0, changed: 0, quarantined: 0, passes: [] });
  });
});
