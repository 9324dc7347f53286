import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../../shared/contract/settings.ts';
import { on, refusal, write } from '../../../support/documents.ts';
import { HOUR, MINUTE, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';

/** Creates a collection of documents all due a second after noon, with the given options of its index. */
async function overdue(
  test: TestEngine,
  collection: string,
  documents: number,
  index: Partial<Parameters<TestEngine['client']['ttlIndexes']['create']>[0]> = {},
): Promise<void> {
  await test.client.collections.create({ name: collection });
  await test.client.ttlIndexes.create({ collection, name: 'exp', source: on('exp'), ...index });
  await test.settle();
  await write(
    test.client,
    collection,
    Array.from({ length: documents }, () => ({ exp: NOON + SECOND })),
  );
}

async function stored({ client }: TestEngine, collection = 'c'): Promise<number> {
  return (await client.collections.get({ collection })).documents;
}

/** Returns when documents were removed and how many, per batch. */
function watch({ engine }: TestEngine): { at: number; removed: number; collection: string }[] {
  const batches: { at: number; removed: number; collection: string }[] = [];
  engine.backend.onCommit(({ at, changes }) => {
    const removed = changes.filter(({ kind }) => kind === 'expire').length;
    if (removed > 0) batches.push({ at, removed, collection: changes[0]?.collection ?? '' });
  });
  return batches;
}

/** Counts the removals in [from, from + ms). */
function within(batches: readonly { at: number; removed: number }[], from: number, ms: number): number {
  return batches.reduce((sum, { at, removed }) => (at >= from && at < from + ms ? sum + removed : sum), 0);
}

describe('[R3] the rate of an index', () => {
  it('is kept within 5 % over any ten seconds, and a second index has its own rate', async () => {
    const test = openTestEngine();
    const batches = watch(test);
    await overdue(test, 'slow', 4_000, { limits: { removalsPerSecond: 100 } });
    await overdue(test, 'fast', 4_000);
    await test.advance(31 * SECOND);
    const slow = batches.filter(({ collection }) => collection === 'slow');
    const starts = slow.map(({ at }) => at).filter(at => at <= NOON + 21 * SECOND);
    expect(starts.length).toBeGreaterThan(100);
    for (const from of starts) {
      expect(within(slow, from, 10 * SECOND)).toBeGreaterThanOrEqual(950);
      expect(within(slow, from, 10 * SECOND)).toBeLessThanOrEqual(1_050);
    }
    expect(await stored(test, 'fast')).toBe(0);
    // While it waits, overdue documents report the limit.
    const { passes } = await test.client.reaper.passes({ collection: 'slow' });
    expect(passes[0]).toMatchObject({ ending: 'limit' });
    await test.advance(MINUTE);
    expect(await stored(test, 'slow')).toBe(0);
    expect((await test.client.reaper.passes({ collection: 'slow' })).passes[0]).toMatchObject({
      ending: 'drained',
    });
  });

  it('changes at run time, from the next batch on; null restores the store’s default', async () => {
    const test = openTestEngine();
    const batches = watch(test);
    await overdue(test, 'c', 20_000, { limits: { removalsPerSecond: 10 } });
    await test.advance(11 * SECOND);
    expect(within(batches, NOON, MINUTE)).toBeLessThanOrEqual(105);
    await test.client.ttlIndexes.update({
      collection: 'c',
      index: 'exp',
      limits: { removalsPerSecond: 500 },
    });
    await test.advance(10 * SECOND);
    const faster = within(batches, NOON + 11 * SECOND, 10 * SECOND);
    expect(faster).toBeGreaterThanOrEqual(4_750);
    expect(faster).toBeLessThanOrEqual(5_250);
    await test.client.settings.update({ removalsPerSecond: 50 });
    const index = await test.client.ttlIndexes.update({
      collection: 'c',
      index: 'exp',
      limits: { removalsPerSecond: null },
    });
    expect(index.limits).toEqual({});
    await test.advance(10 * SECOND);
    expect(within(batches, NOON + 21 * SECOND, 10 * SECOND)).toBeLessThanOrEqual(525);
    await test.client.settings.update({ removalsPerSecond: null });
    await test.settle();
    expect(await stored(test)).toBe(0);
  });

  it('does not slow a manual pass', async () => {
    const test = openTestEngine();
    await overdue(test, 'c', 1_000, { limits: { removalsPerSecond: 1 } });
    await test.advance(2 * SECOND);
    const { removed } = await test.client.reaper.run({ collection: 'c' });
    expect(removed).toBeGreaterThan(990);
    expect(await stored(test)).toBe(0);
  });

  it('[X3] is used by a preview for the time to drain', async () => {
    const test = openTestEngine();
    await overdue(test, 'c', 600, { limits: { removalsPerSecond: 50 } });
    test.clock.set(NOON + 2 * SECOND);
    const preview = { collection: 'c', source: on('exp') };
    const changed = await test.client.ttlIndexes.preview({ ...preview, name: 'exp' });
    expect(changed).toMatchObject({ dueAtOnce: 600, drainMs: 12_000 });
    await test.client.settings.update({ removalsPerSecond: 10 });
    expect(await test.client.ttlIndexes.preview(preview)).toMatchObject({ dueAtOnce: 600, drainMs: 60_000 });
  });

  it('[M1] determines the time to drain, not the speed of one batch', async () => {
    const test = openTestEngine();
    await overdue(test, 'c', 600, { limits: { removalsPerSecond: 5 } });
    await overdue(test, 'free', 20);
    await test.advance(10 * SECOND);
    const waiting = await stored(test, 'c');
    expect(waiting).toBeGreaterThan(500);
    const { drainMs } = await test.client.metrics.get({ collection: 'c' });
    expect(drainMs).toBe((waiting / 5) * SECOND);
    expect(await test.client.metrics.get({})).toMatchObject({ drainMs });
    expect(await test.client.metrics.get({ collection: 'free' })).toMatchObject({ drainMs: 0 });
  });

  it('is the reason why an overdue document waits', async () => {
    const test = openTestEngine();
    await overdue(test, 'c', 100, { limits: { removalsPerSecond: 1 } });
    await test.advance(2 * SECOND);
    const { documents } = await test.client.documents.list({
      collection: 'c',
      includeExpired: true,
      limit: 1,
    });
    const id = documents[0]?._id ?? '';
    expect(await test.client.documents.explain({ collection: 'c', id })).toMatchObject({
      state: 'overdue',
      waitsFor: 'limit',
    });
  });
});

describe('[R3] the size and the time of a batch', () => {
  it('batchSize is the largest number of documents removed at once', async () => {
    const test = openTestEngine();
    const batches = watch(test);
    await overdue(test, 'c', 100, { limits: { batchSize: 7 } });
    await test.advance(SECOND);
    expect(Math.max(...batches.map(({ removed }) => removed))).toBe(7);
    expect(await stored(test)).toBe(0);
  });

  it('batchMs is the longest time a batch may hold the writer, for one index or for all', async () => {
    let ticks = 0;
    const largest = async (limits: object, settings: object) => {
      const machine = openTestEngine().clock;
      const test = openTestEngine({
        clock: machine,
        // Each reading of the stopwatch costs half a millisecond.
        engineClock: { ...machine, elapsed: () => (ticks += 0.5) },
        intervalFrom: null,
      });
      const batches = watch(test);
      await test.client.settings.update(settings);
      await overdue(test, 'c', 4_000, { limits });
      await test.client.reaper.pause({});
      machine.advance(SECOND);
      await test.client.reaper.run({ expect: { due: 4_000 } });
      return Math.max(...batches.map(({ removed }) => removed));
    };
    const usual = await largest({}, {});
    expect(await largest({ batchMs: 2 }, {})).toBeLessThan(usual);
    expect(await largest({}, { batchMs: 2 })).toBeLessThan(usual);
    // The index's own value overrides the store's.
    expect(await largest({ batchMs: DEFAULT_SETTINGS.batchMs }, { batchMs: 2 })).toBe(usual);
  });
});

describe('[R3] the caps of a pass', () => {
  it('mostPerPass ends a collection’s pass, and an exact index begins the next one a second later', async () => {
    const test = openTestEngine();
    const batches = watch(test);
    await test.client.settings.update({ mostPerPass: 250 });
    await overdue(test, 'a', 600);
    await overdue(test, 'b', 100);
    await test.advance(SECOND);
    expect([await stored(test, 'a'), await stored(test, 'b')]).toEqual([350, 0]);
    expect((await test.client.reaper.passes({ collection: 'a' })).passes).toMatchObject([
      { removed: 250, ending: 'limit' },
    ]);
    expect(test.engine.reaper.status.nextWakeAt).toBe(NOON + 2 * SECOND);
    await test.advance(10 * SECOND);
    const byStart = [1, 2, 3].map(second => within(batches, NOON + second * SECOND, SECOND));
    expect(byStart).toEqual([350, 250, 100]);
  });

  it('an index with a schedule begins the next pass at its next tick', async () => {
    const test = openTestEngine();
    await test.client.settings.update({ mostPerPass: 250 });
    await overdue(test, 'c', 600, { schedule: { mode: 'every', everyMs: 10_000 } });
    await test.advance(10 * SECOND);
    expect(await stored(test)).toBe(350);
    await test.advance(9 * SECOND);
    expect(await stored(test)).toBe(350);
    await test.advance(SECOND);
    expect(await stored(test)).toBe(100);
    await test.advance(10 * SECOND);
    expect(await stored(test)).toBe(0);
  });

  it.each([{ mostPerPass: 250 }, { mostPerPassInTotal: 250 }])(
    'an index that is created within that second begins no pass earlier: %o',
    async caps => {
      const test = openTestEngine();
      await test.client.settings.update(caps);
      await overdue(test, 'c', 600);
      await test.advance(SECOND);
      await test.client.ttlIndexes.create({ collection: 'c', name: 'new', source: on('exp') });
      await test.settle();
      expect(await stored(test)).toBe(350);
      await test.advance(SECOND);
      expect(await stored(test)).toBe(100);
    },
  );

  it.each([
    ['an exact index', { mode: 'exact' as const }, SECOND],
    ['an index with a schedule', { mode: 'every' as const, everyMs: 10_000 }, 10 * SECOND],
  ])(
    '[R10] %s begins the next pass as soon after the clock was set back',
    async (_, schedule, intervalMs) => {
      const test = openTestEngine();
      await test.client.settings.update({ mostPerPass: 250 });
      await overdue(test, 'c', 0, { schedule });
      const due = Array.from({ length: 600 }, () => ({ exp: NOON - HOUR }));
      await write(test.client, 'c', due);
      await test.advance(schedule.mode === 'exact' ? 0 : intervalMs);
      expect(await stored(test)).toBe(350);
      test.clock.set(test.clock.now() - 20 * MINUTE);
      // A timer that was set before finds the clock set back.
      await test.advance(intervalMs);
      await test.advance(intervalMs);
      expect(await stored(test)).toBe(100);
    },
  );

  it('mostPerPassInTotal is shared by all collections', async () => {
    const test = openTestEngine();
    await test.client.settings.update({ mostPerPassInTotal: 300 });
    await overdue(test, 'a', 250);
    await overdue(test, 'b', 250);
    await test.advance(SECOND);
    expect((await stored(test, 'a')) + (await stored(test, 'b'))).toBe(200);
    await test.advance(SECOND);
    expect((await stored(test, 'a')) + (await stored(test, 'b'))).toBe(0);
  });

  it('when lifted, let stopped removal continue at once', async () => {
    const test = openTestEngine();
    await test.client.settings.update({ mostPerPass: 10 });
    await overdue(test, 'c', 100, { schedule: { mode: 'every', everyMs: 10_000 } });
    await test.advance(10 * SECOND);
    expect(await stored(test)).toBe(90);
    await test.client.settings.update({ mostPerPass: null });
    await test.settle();
    expect(await stored(test)).toBe(0);
  });

  it.each([{ mostPerPass: 50 }, { mostPerPassInTotal: 50 }])(
    'lowered below the removals of the pass, end it until the next tick: %o',
    async lowered => {
      const test = openTestEngine();
      const [name = ''] = Object.keys(lowered);
      await test.client.settings.update({ [name]: 10_000 });
      await overdue(test, 'c', 400, { limits: { removalsPerSecond: 100 } });
      await test.advance(3 * SECOND);
      const left = await stored(test);
      expect(left).toBeLessThan(300);
      await test.client.settings.update(lowered);
      await test.advance(SECOND / 2);
      expect(test.engine.reaper.status.problem).toBeNull();
      expect(await stored(test)).toBe(left);
      await test.advance(10 * SECOND);
      expect(await stored(test)).toBe(0);
      expect(test.complaints).toEqual([]);
    },
  );

  it('lowered during a manual pass, end it', async () => {
    const test = openTestEngine();
    await overdue(test, 'c', 400, { limits: { batchSize: 20 } });
    await test.client.reaper.pause({});
    await test.advance(SECOND);
    await test.client.settings.update({ mostPerPass: 10_000 });
    let isLowered = false;
    test.engine.backend.onCommit(({ changes }) => {
      if (isLowered || !changes.some(({ kind }) => kind === 'expire')) return;
      isLowered = true;
      setImmediate(() => test.engine.backend.settings.change({ mostPerPass: 5 }));
    });
    await test.client.reaper.run({});
    expect(isLowered).toBe(true);
    const left = await stored(test);
    expect(left).toBeGreaterThan(300);
    expect((await test.client.reaper.passes({ collection: 'c' })).passes[0]).toMatchObject({
      ending: 'limit',
    });
  });

  it('apply to a manual pass too', async () => {
    const test = openTestEngine();
    await overdue(test, 'c', 100);
    await test.client.reaper.pause({});
    await test.advance(SECOND);
    await test.client.settings.update({ mostPerPass: 40 });
    expect(await test.client.reaper.run({})).toMatchObject({
      removed: 40,
      passes: [{ removed: 40, ending: 'limit' }],
    });
    expect(await stored(test)).toBe(60);
  });
});

describe('[R3] the settings of a store', () => {
  it('have defaults until they are set, survive a restart, and null restores a default', async () => {
    const before = openTestEngine();
    expect(await before.client.settings.get({})).toEqual(DEFAULT_SETTINGS);
    const changed = await before.client.settings.update({ breakerShare: 0.25, batchMs: 4 });
    expect(changed).toEqual({ ...DEFAULT_SETTINGS, breakerShare: 0.25, batchMs: 4 });
    const test = await before.reopen();
    expect(await test.client.settings.get({})).toEqual(changed);
    await test.client.settings.update({ batchMs: null });
    expect(await test.client.settings.get({})).toEqual({ ...DEFAULT_SETTINGS, breakerShare: 0.25 });
  });

  it('that are out of range or misspelt are refused, and no setting changes', async () => {
    const test = openTestEngine();
    for (const wrong of [{ batchMs: 0 }, { breakerShare: 2 }, { batchms: 4 }, { mostPerPass: 1.5 }])
      expect((await refusal(test.client.settings.update(wrong))).code).toBe('BAD_REQUEST');
    expect(await test.client.settings.get({})).toEqual(DEFAULT_SETTINGS);
  });
});
