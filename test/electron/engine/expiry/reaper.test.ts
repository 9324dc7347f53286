import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { LONGEST_TIMER_MS } from '../../../../electron/engine/platform/clock.ts';
import { DEFAULT_SETTINGS } from '../../../../shared/contract/settings.ts';
import { withExpireAfter } from '../../../../shared/model/ttl-index.ts';
import { on, write } from '../../../support/documents.ts';
import { DAY, MINUTE, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';

/** Creates a collection with an index on `exp`, holding documents 0, 1, 2 … with these deadlines. */
async function fill(
  { client, settle }: TestEngine,
  collection: string,
  deadlines: readonly number[],
  schedule: { mode: 'exact' } | { mode: 'every'; everyMs: number } = { mode: 'exact' },
): Promise<void> {
  await client.collections.create({ name: collection });
  await client.ttlIndexes.create({ collection, name: 'exp', source: on('exp'), schedule });
  await settle();
  await write(
    client,
    collection,
    deadlines.map((exp, i) => ({ _id: String(i), exp })),
  );
}

async function stored({ client }: TestEngine, collection: string): Promise<number> {
  return (await client.collections.get({ collection })).documents;
}

describe('the reaper, exact', () => {
  it('[R1, D10] removes a document in the millisecond of its deadline and not before', async () => {
    const test = openTestEngine();
    await fill(test, 'c', [NOON + 1_234]);
    await test.advance(1_233);
    expect(await stored(test, 'c')).toBe(1);
    await test.advance(1);
    expect(await stored(test, 'c')).toBe(0);
    const { expired } = await test.client.metrics.expired({});
    expect(expired).toMatchObject([
      { _id: '0', deadlineAt: NOON + 1_234, removedAt: NOON + 1_234, lagMs: 0 },
    ]);
  });

  it('[R1] sleeps until the next deadline; a write with an earlier one shortens the sleep', async () => {
    const test = openTestEngine();
    await fill(test, 'c', [NOON + 10 * MINUTE]);
    await test.settle();
    expect(test.engine.reaper.status.nextWakeAt).toBe(NOON + 10 * MINUTE);
    await write(test.client, 'c', [{ _id: 'sooner', exp: NOON + SECOND }]);
    expect(test.engine.reaper.status.nextWakeAt).toBe(NOON + SECOND);
    await test.client.documents.delete({ collection: 'c', id: 'sooner' });
    expect(test.engine.reaper.status.nextWakeAt).toBe(NOON + 10 * MINUTE);
  });

  it('[R1] tells a write the new time also while space is freed', async () => {
    const clock = createManualClock(NOON);
    let elapsed = 0;
    // Each look at the stopwatch takes a millisecond, so that the sweep has several steps.
    const engineClock = { ...clock, elapsed: () => ++elapsed };
    const test = openTestEngine({ clock, engineClock });
    const { engine } = test;
    await fill(test, 'c', [...Array.from({ length: 900 }, () => NOON + SECOND), NOON + 10 * MINUTE]);
    await test.settle();
    clock.advance(SECOND);
    for (
      let turns = 0;
      turns < 1_000 && (engine.backend.unswept() === 0 || engine.reaper.status.isActive);
      turns++
    )
      await new Promise(resolve => setImmediate(resolve));
    expect(engine.backend.unswept()).toBeGreaterThan(0);
    expect(engine.reaper.status.nextWakeAt).toBe(NOON + 10 * MINUTE);
    const sooner = NOON + 5 * MINUTE;
    engine.backend.write('c', [{ line: 1, value: { _id: 'sooner', exp: sooner } }], {
      mode: 'insert',
      atomic: false,
    });
    expect(engine.reaper.status.nextWakeAt).toBe(sooner);
    await test.settle();
  });

  it('[R1] removes a document at once if it is already due when it is written', async () => {
    const test = openTestEngine();
    await fill(test, 'c', [NOON - 1, NOON, NOON + 1]);
    await test.settle();
    expect(await stored(test, 'c')).toBe(1);
  });

  it('[R10] waits for a deadline more than 2^31 ms ahead, beyond any timer, and checks meanwhile', async () => {
    const test = openTestEngine();
    await fill(test, 'c', [NOON + 60 * DAY]);
    await test.settle();
    test.clock.advance(LONGEST_TIMER_MS);
    await test.settle();
    expect(await stored(test, 'c')).toBe(1);
    test.clock.advance(60 * DAY - LONGEST_TIMER_MS - 1);
    await test.settle();
    expect(await stored(test, 'c')).toBe(1);
    test.clock.advance(LONGEST_TIMER_MS);
    await test.settle();
    expect(await stored(test, 'c')).toBe(0);
  });

  it('[R10] never sets a timer longer than timers allow', () => {
    const clock = createManualClock(0);
    let fired = 0;
    clock.setTimer(60 * DAY, () => {
      fired += 1;
    });
    clock.advance(LONGEST_TIMER_MS - 1);
    expect(fired).toBe(0);
    clock.advance(1);
    expect(fired).toBe(1);
  });
});

describe('the reaper, every N milliseconds', () => {
  it('[R1] ticks at the multiples of its period and hides documents in between', async () => {
    const test = openTestEngine();
    await fill(test, 'c', [NOON + 100, NOON + 400, NOON + 501], { mode: 'every', everyMs: 500 });
    await test.advance(499);
    expect(await stored(test, 'c')).toBe(3);
    expect((await test.client.documents.list({ collection: 'c' })).documents.map(({ _id }) => _id)).toEqual([
      '2',
    ]);
    await test.advance(1);
    expect(await stored(test, 'c')).toBe(1);
    await test.advance(499);
    expect(await stored(test, 'c')).toBe(1);
    await test.advance(1);
    expect(await stored(test, 'c')).toBe(0);
    const { passes } = await test.client.reaper.passes({});
    expect(passes[0]).toMatchObject({ trigger: 'interval', removed: 3 });
  });

  it('[R1] gives the reason why an overdue document waits, and never reports that everything is removed', async () => {
    const test = openTestEngine();
    await fill(test, 'c', [NOON + 100], { mode: 'every', everyMs: 10_000 });
    await fill(test, 'exact', [NOON + 150]);
    await test.advance(200);
    expect(await test.client.documents.explain({ collection: 'c', id: '0' })).toMatchObject({
      state: 'overdue',
      waitsFor: 'schedule',
    });
    const { cutoff } = await test.client.reaper.get({});
    expect(cutoff).toBeLessThan(NOON + 100);
  });
});

describe('a batch', () => {
  it('[R2] fixes its cutoff at the start of the round and leaves documents that become due during it', async () => {
    const manual = createManualClock(NOON);
    let late = 0;
    const test = openTestEngine({
      clock: manual,
      engineClock: { ...manual, now: () => manual.now() + late },
    });
    await fill(test, 'a', [NOON + 1_000]);
    await fill(test, 'b', [NOON + 1_000, NOON + 1_001]);
    const seen: string[][] = [];
    test.engine.backend.onCommit(({ changes }) => {
      const gone = changes
        .filter(({ kind }) => kind === 'expire')
        .map(({ collection, id }) => `${collection}${id}`);
      if (gone.length > 0) seen.push(gone);
      // While the first batch runs, time passes another deadline.
      late = 1;
    });
    test.clock.advance(1_000);
    await test.settle();
    expect(seen).toEqual([['a0'], ['b0'], ['b1']]);
  });

  it('[R2, A6] acts on no deadline after its cutoff, whatever the clock shows meanwhile', async () => {
    const test = openTestEngine();
    await fill(test, 'c', [NOON + 10, NOON + 20, NOON + 30]);
    await test.client.reaper.pause({});
    test.clock.set(NOON + MINUTE);
    const { expiry } = test.engine.backend;
    const source = expiry.sources().find(({ index }) => index === 'exp');
    if (source === undefined) throw new Error('no such source');
    const pass = {
      id: expiry.nextPassId(),
      collection: 'c',
      startedAt: NOON,
      trigger: 'manual' as const,
      endedAt: NOON,
      cutoff: NOON,
      removed: 0,
      changed: 0,
      quarantined: 0,
      bySource: new Map<string, number>(),
      batches: 0,
      longestBatchMs: 0,
      ending: 'stopped' as const,
      error: null,
    };
    const result = expiry.reap(
      source,
      { cutoff: NOON + 20, budgetMs: () => 8, maxDocuments: 100, isLast: true },
      pass,
    );
    expect(result).toMatchObject({ removed: 2, isDrained: true });
    expect(await stored(test, 'c')).toBe(1);
  });

  it('[A6] keeps a document that is refreshed between select and delete', async () => {
    const test = openTestEngine();
    await fill(test, 'a', [NOON + SECOND]);
    await fill(test, 'b', [NOON + SECOND, NOON + SECOND, NOON + SECOND, NOON + SECOND]);
    const { backend } = test.engine;
    // One round found both collections due; between their batches, other calls write.
    const rescue = backend.onCommit(({ changes }) => {
      if (changes[0]?.kind !== 'expire' || changes[0].collection !== 'a') return;
      backend.setExpiration('b', ['2'], { never: true });
      backend.setExpiration('b', ['3'], { after: 3_600 });
      // A write over a due document creates a new one: the due one is removed, the written one stays.
      backend.write('b', [{ value: { _id: '1', exp: NOON + DAY }, line: 1 }], {
        mode: 'upsert',
        atomic: false,
      });
    });
    await test.advance(MINUTE);
    rescue();
    expect((await test.client.documents.list({ collection: 'b' })).documents).toMatchObject([
      { _id: '1', deadlineAt: NOON + DAY },
      { _id: '2', state: 'pinned' },
      { _id: '3', deadlineAt: NOON + SECOND + 3_600 * SECOND },
    ]);
    expect(test.complaints).toEqual([]);
  });

  it('[R5] holds the writer at most its budget, and less while calls wait', async () => {
    const manual = createManualClock(NOON);
    let ticks = 0;
    let waiting = 0;
    // Each reading of the stopwatch costs half a millisecond, so that a batch has a duration without a real clock.
    const engineClock = { ...manual, elapsed: () => (ticks += 0.5) };
    const test = openTestEngine({
      clock: manual,
      engineClock,
      callsWaiting: () => waiting,
      intervalFrom: null,
    });
    await fill(
      test,
      'c',
      Array.from({ length: 8_000 }, () => NOON + 1_000),
    );
    await test.client.reaper.pause({});
    manual.advance(1_000);
    const sizes: number[] = [];
    test.engine.backend.onCommit(({ changes }) => {
      sizes.push(changes.filter(({ kind }) => kind === 'expire').length);
    });
    const removeAll = async () => {
      sizes.length = 0;
      await test.client.reaper.run({ collection: 'c', expect: { due: 8_000 } });
      return Math.max(...sizes);
    };
    waiting = 1;
    const whileCallsWait = await removeAll();
    await write(
      test.client,
      'c',
      Array.from({ length: 8_000 }, (_, i) => ({ _id: `again ${i}`, exp: NOON + 1_000 })),
    );
    waiting = 0;
    const alone = await removeAll();
    // One read is 128 documents and takes half a millisecond here.
    expect(whileCallsWait).toBeLessThanOrEqual((DEFAULT_SETTINGS.batchMsWhileCallsWait / 0.5) * 128);
    expect(alone).toBeLessThanOrEqual((DEFAULT_SETTINGS.batchMs / 0.5) * 128);
    expect(alone).toBeGreaterThan(whileCallsWait);
    expect(await stored(test, 'c')).toBe(0);
  });
});

describe('pausing', () => {
  for (const [what, scope] of [
    ['the store', {}],
    ['a collection', { collection: 'c' }],
    ['an index', { collection: 'c', index: 'exp' }],
  ] as const) {
    it(`[R6] ${what}: nothing is removed, due documents stay hidden and count as overdue, also after a restart`, async () => {
      const before = openTestEngine({ user: 'grace' });
      await fill(before, 'c', [NOON + SECOND, NOON + DAY]);
      await before.advance(100);
      await before.client.reaper.pause(scope);
      await before.advance(MINUTE);

      const after = await before.reopen(MINUTE);
      await after.settle();
      expect(await stored(after, 'c')).toBe(2);
      const summary = await after.client.collections.get({ collection: 'c' });
      expect(summary).toMatchObject({ overdue: 1, oldestOverdueAt: NOON + SECOND, state: 'paused' });
      expect(
        (await after.client.documents.list({ collection: 'c' })).documents.map(({ _id }) => _id),
      ).toEqual(['1']);
      const state = await after.client.reaper.get({});
      const reported = [state.paused, ...state.pausedCollections, ...state.pausedIndexes].filter(
        one => one !== null,
      );
      expect(reported).toMatchObject([{ by: 'grace', since: NOON + 100 }]);

      await after.client.reaper.resume(scope);
      await after.settle();
      expect(await stored(after, 'c')).toBe(1);
      expect(await after.client.reaper.get({})).toMatchObject({
        paused: null,
        pausedCollections: [],
        pausedIndexes: [],
      });
    });

    it(`[R6] ${what}: a manual pass removes due documents nevertheless`, async () => {
      const test = openTestEngine();
      await fill(test, 'c', [NOON + SECOND, NOON + DAY]);
      await test.client.reaper.pause(scope);
      await test.advance(MINUTE);
      const { removed, passes } = await test.client.reaper.run(scope);
      expect(removed).toBe(1);
      expect(passes).toMatchObject([{ collection: 'c', trigger: 'manual', removed: 1, byIndex: { exp: 1 } }]);
      expect(await stored(test, 'c')).toBe(1);
    });
  }

  it('[R6] twice keeps the first caller and time', async () => {
    const test = openTestEngine();
    await test.client.collections.create({ name: 'c' });
    await test.client.reaper.pause({ collection: 'c' });
    await test.advance(MINUTE);
    await test.client.reaper.pause({ collection: 'c' });
    expect((await test.client.reaper.get({})).pausedCollections).toEqual([
      { collection: 'c', by: 'ada', since: NOON },
    ]);
  });

  it('[R6] takes effect from the next batch, even within a round', async () => {
    const test = openTestEngine();
    await fill(test, 'a', [NOON + SECOND]);
    await fill(test, 'b', [NOON + SECOND]);
    test.engine.backend.onCommit(({ changes }) => {
      const [first] = changes;
      if (first?.kind === 'expire' && first.collection === 'a') {
        test.engine.backend.setPause({ collection: 'b' }, { by: 'ada', since: test.clock.now() }, 'ada');
      }
    });
    await test.advance(MINUTE);
    expect(await stored(test, 'a')).toBe(0);
    expect(await stored(test, 'b')).toBe(1);
  });

  it('[R6, R7] during a drain makes the pass end as paused', async () => {
    const manual = createManualClock(NOON);
    let ticks = 0;
    const test = openTestEngine({
      clock: manual,
      engineClock: { ...manual, elapsed: () => (ticks += 4) },
      intervalFrom: null,
    });
    await fill(
      test,
      'c',
      Array.from({ length: 2_000 }, () => NOON + SECOND),
    );
    test.engine.backend.onCommit(({ changes }) => {
      if (changes[0]?.kind === 'expire')
        test.engine.backend.setPause({ collection: 'c' }, { by: 'ada', since: test.clock.now() }, 'ada');
    });
    await test.advance(MINUTE);
    const left = await stored(test, 'c');
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(2_000);
    const { passes } = await test.client.reaper.passes({ collection: 'c' });
    expect(passes).toMatchObject([{ removed: 2_000 - left, ending: 'paused' }]);
  });

  it('[R6] an unknown name is an error and not an empty pass', async () => {
    const test = openTestEngine();
    await test.client.collections.create({ name: 'c' });
    for (const scope of [{ collection: 'no' }, { collection: 'c', index: 'no' }]) {
      await expect(test.client.reaper.run(scope)).rejects.toMatchObject({
        code: expect.stringMatching(/_NOT_FOUND$/),
      });
      await expect(test.client.reaper.pause(scope)).rejects.toMatchObject({
        code: expect.stringMatching(/_NOT_FOUND$/),
      });
    }
  });
});

describe('a definition that is dropped while the reaper works', () => {
  it('[R4] a collection dropped in the middle of a round does not stop the reaper', async () => {
    const test = openTestEngine();
    for (const name of ['a', 'b', 'z']) await fill(test, name, [NOON + SECOND]);
    test.engine.backend.onCommit(({ changes }) => {
      if (changes[0]?.kind === 'expire' && changes[0].collection === 'a')
        test.engine.backend.dropCollection('b', 'ada');
    });
    await test.advance(SECOND);
    expect(test.complaints).toEqual([]);
    expect(await stored(test, 'z')).toBe(0);
  });

  it('[R4] an index dropped in the middle of a round stops its deletes at once, and no others', async () => {
    const test = openTestEngine();
    await fill(test, 'a', [NOON + SECOND]);
    await fill(test, 'b', [NOON + SECOND, NOON + DAY]);
    await test.client.documents.setExpiration({
      params: { collection: 'b', id: '1' },
      body: { at: NOON + DAY },
    });
    test.engine.backend.onCommit(({ changes }) => {
      if (changes[0]?.kind === 'expire' && changes[0].collection === 'a')
        test.engine.backend.dropIndex('b', 'exp', 'ada');
    });
    await test.advance(MINUTE);
    expect(test.complaints).toEqual([]);
    expect(await stored(test, 'b')).toBe(2);
  });

  it('[D9, R2] expireAfter changed during a pass applies from the next batch', async () => {
    const manual = createManualClock(NOON);
    let ticks = 0;
    const test = openTestEngine({
      clock: manual,
      engineClock: { ...manual, elapsed: () => (ticks += 4) },
      intervalFrom: null,
    });
    await fill(
      test,
      'c',
      Array.from({ length: 1_000 }, () => NOON + SECOND),
    );
    let batches = 0;
    test.engine.backend.onCommit(({ changes }) => {
      if (changes[0]?.kind !== 'expire') return;
      batches += 1;
      const definition = test.engine.backend.index('c', 'exp');
      const source = withExpireAfter(definition.source, 3_600);
      test.engine.backend.changeIndex('c', { ...definition, source }, { by: 'ada' });
    });
    await test.advance(MINUTE);
    expect(batches).toBe(1);
    expect(await stored(test, 'c')).toBeGreaterThan(0);
    expect((await test.client.documents.list({ collection: 'c', limit: 1 })).documents).toMatchObject([
      { deadlineAt: NOON + SECOND + 3_600 * SECOND, state: 'soon' },
    ]);
  });
});

describe('the history of passes', () => {
  it('[R7] has one row per busy period and at most one per minute', async () => {
    const test = openTestEngine();
    await fill(
      test,
      'c',
      Array.from({ length: 150 }, (_, i) => NOON + (i + 1) * SECOND),
    );
    await test.advance(3 * MINUTE);
    const { passes } = await test.client.reaper.passes({ collection: 'c' });
    expect(passes).toHaveLength(3);
    expect(passes.reduce((sum, { removed }) => sum + removed, 0)).toBe(150);
    expect(passes.every(({ ending }) => ending === 'drained')).toBe(true);
    expect(passes.map(({ byIndex }) => byIndex.exp)).toEqual(passes.map(({ removed }) => removed));
    expect(passes.map(({ id }) => id)).toEqual([...passes.map(({ id }) => id)].sort((a, b) => b - a));
  });

  it('[R7] pages, newest first, without duplicates or gaps', async () => {
    const test = openTestEngine();
    await fill(
      test,
      'c',
      Array.from({ length: 7 }, (_, i) => NOON + (i + 1) * 2 * MINUTE),
    );
    await test.advance(20 * MINUTE);
    const first = await test.client.reaper.passes({ limit: 3 });
    const second = await test.client.reaper.passes({ limit: 10, before: first.next ?? 0 });
    expect(first.passes).toHaveLength(3);
    expect(second.passes).toHaveLength(4);
    expect(new Set([...first.passes, ...second.passes].map(({ id }) => id)).size).toBe(7);
    expect(second.next).toBeNull();
  });

  it('[R7] of a collection created again under an old name begins empty', async () => {
    const test = openTestEngine();
    await fill(test, 'c', [NOON + SECOND, NOON + SECOND]);
    await test.advance(2 * SECOND);
    await test.client.collections.drop({ collection: 'c' });
    await fill(test, 'c', [NOON + 5 * SECOND]);
    await test.advance(10 * SECOND);
    expect((await test.client.reaper.passes({})).passes).toMatchObject([{ collection: 'c', removed: 1 }]);
  });
});

describe('a reaper callback that throws', () => {
  it('[R7] is reported and retried with longer delays, and no removal is lost', async () => {
    const file = temporaryStoreFile();
    const test = openTestEngine({ file });
    await fill(test, 'c', [NOON + SECOND, NOON + SECOND]);
    const vandal = new Sqlite(file);
    // Everything of a batch is written except its revision: the latest possible failure.
    vandal.exec(`CREATE TRIGGER broken BEFORE UPDATE ON meta WHEN new.key = 'revision'
                 BEGIN SELECT RAISE(ABORT, 'the disk is on fire'); END`);
    test.clock.advance(SECOND);
    await test.settle();
    expect(await test.client.reaper.get({})).toMatchObject({
      state: 'failing',
      problem: { message: 'the disk is on fire', since: NOON + SECOND, retryAt: NOON + 2 * SECOND },
    });
    expect(await stored(test, 'c')).toBe(2);
    expect(test.complaints.join('')).toContain('the disk is on fire');

    test.clock.advance(SECOND);
    await test.settle();
    expect((await test.client.reaper.get({})).problem).toMatchObject({
      since: NOON + SECOND,
      retryAt: NOON + 4 * SECOND,
    });

    vandal.exec('DROP TRIGGER broken');
    vandal.close();
    test.clock.advance(2 * SECOND);
    await test.settle();
    expect(await test.client.reaper.get({})).toMatchObject({ state: 'running', problem: null });
    expect(await stored(test, 'c')).toBe(0);
    const { passes } = await test.client.reaper.passes({});
    expect(passes.reduce((sum, { removed }) => sum + removed, 0)).toBe(2);
    expect(passes.map(({ ending }) => ending)).toContain('drained');
    expect(passes.filter(({ ending }) => ending === 'error').every(({ removed }) => removed === 0)).toBe(
      true,
    );
  });
});

describe('one source that fails', () => {
  it('[R4] delays no other source, and is retried on its own', async () => {
    const file = temporaryStoreFile();
    const test = openTestEngine({ file });
    await fill(test, 'bad', [NOON + SECOND]);
    await fill(test, 'good', [NOON + SECOND, NOON + 5 * SECOND]);
    const vandal = new Sqlite(file);
    vandal.exec(`CREATE TRIGGER broken BEFORE INSERT ON removals WHEN new.collection = 1
                 BEGIN SELECT RAISE(ABORT, 'this one only'); END`);
    await test.advance(10 * SECOND);
    expect(await stored(test, 'good')).toBe(0);
    expect(await stored(test, 'bad')).toBe(1);
    expect(await test.client.reaper.get({})).toMatchObject({
      state: 'failing',
      problem: { message: 'this one only' },
    });
    vandal.exec('DROP TRIGGER broken');
    vandal.close();
    await test.advance(MINUTE);
    expect(await stored(test, 'bad')).toBe(0);
    expect(await test.client.reaper.get({})).toMatchObject({ state: 'running', problem: null });
  });
});

describe('[R6] a source that fails and is paused', () => {
  it('is reported as paused and no longer as failing, until it is resumed', async () => {
    const file = temporaryStoreFile();
    const test = openTestEngine({ file });
    await fill(test, 'c', [NOON + SECOND]);
    const vandal = new Sqlite(file);
    vandal.exec(`CREATE TRIGGER broken BEFORE INSERT ON removals BEGIN SELECT RAISE(ABORT, 'no'); END`);
    await test.advance(SECOND);
    expect(await test.client.reaper.get({})).toMatchObject({ state: 'failing' });
    await test.client.reaper.pause({ collection: 'c' });
    expect(await test.client.reaper.get({})).toMatchObject({ state: 'running', problem: null });
    vandal.exec('DROP TRIGGER broken');
    vandal.close();
    await test.client.reaper.resume({ collection: 'c' });
    await test.settle();
    expect(await stored(test, 'c')).toBe(0);
  });
});

describe('[R6] a manual pass', () => {
  it('is followed by a sweep, even while the store is paused', async () => {
    const test = openTestEngine();
    await test.client.reaper.pause({});
    await fill(test, 'c', [NOON + SECOND, NOON + SECOND]);
    await test.advance(2 * SECOND);
    await test.client.reaper.run({});
    await test.settle();
    expect(await test.client.reaper.get({})).toMatchObject({ state: 'paused', unswept: 0 });
  });
});

describe('the reaper', () => {
  it('[R6] ends a manual pass when the store is closed, and changes nothing afterwards', async () => {
    const test = openTestEngine();
    await test.client.settings.update({ batchSize: 1 });
    await fill(
      test,
      'c',
      Array.from({ length: 200 }, () => NOON + SECOND),
    );
    await test.client.reaper.pause({ collection: 'c' });
    await test.advance(2 * SECOND);
    const { reaper, backend } = test.engine;
    const pass = reaper.runNow({ collection: 'c' });
    await new Promise(resolve => setImmediate(resolve));
    const closed = test.stop();
    const { removed } = await pass;
    await closed;
    expect(removed).toBeGreaterThan(0);
    expect(removed).toBeLessThan(200);
    expect(backend.unswept()).toBe(removed);
    expect(test.complaints).toEqual([]);
  });

  it('[R6] has no cutoff while documents that were due at the start remain', async () => {
    const before = openTestEngine();
    await fill(
      before,
      'c',
      Array.from({ length: 2_000 }, () => NOON + SECOND),
    );
    await before.stop();
    const manual = createManualClock(NOON + MINUTE);
    let ticks = 0;
    const after = openTestEngine({
      file: before.file,
      clock: manual,
      engineClock: { ...manual, elapsed: () => (ticks += 4) },
    });
    const { cutoff, isActive } = after.engine.reaper.status;
    expect(isActive).toBe(true);
    expect(cutoff === null || cutoff < NOON + SECOND).toBe(true);
    await after.settle();
    expect(after.engine.reaper.status.cutoff).toBe(NOON + MINUTE);
  });
});
