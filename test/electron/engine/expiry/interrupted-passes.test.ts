import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { on, write } from '../../../support/documents.ts';
import { HOUR, MINUTE, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { refuseCommits } from '../../../support/refuse-commits.ts';

const NIGHTLY = { mode: 'cron', cron: '0 3 * * *', timeZone: 'UTC' } as const;
/** From noon to the first tick of NIGHTLY. */
const UNTIL_THREE = 15 * HOUR;

/** An engine whose batches are short: each look at the stopwatch takes `tickMs`. */
function engineWithShortBatches(tickMs: number): TestEngine {
  const clock = createManualClock(NOON);
  let elapsed = 0;
  const engineClock = { ...clock, elapsed: () => (elapsed += tickMs) };
  return openTestEngine({ clock, engineClock, intervalFrom: null });
}

const due = (count: number, exp: number) =>
  Array.from({ length: count }, (_, i) => ({ _id: String(i), exp }));

async function withIndex(
  { client, settle }: TestEngine,
  collection: string,
  options: { schedule?: typeof NIGHTLY; patch?: boolean } = {},
): Promise<void> {
  await client.collections.create({ name: collection });
  await client.ttlIndexes.create({
    collection,
    name: 'exp',
    source: on('exp'),
    ...(options.schedule === undefined ? {} : { schedule: options.schedule }),
    ...(options.patch === true ? { onExpire: { action: 'patch', patch: { exp: null } } } : {}),
  });
  await settle();
}

/** Calls `act` once, after the first commit in which documents of a collection expired. */
function afterFirstBatch({ engine }: TestEngine, collection: string, act: () => void): void {
  let isDone = false;
  engine.backend.onCommit(({ changes }) => {
    if (isDone || changes[0]?.kind !== 'expire' || changes[0].collection !== collection) return;
    isDone = true;
    act();
  });
}

describe('a definition that is changed while the pass of its schedule runs', () => {
  for (const [what, change] of [
    ['dropped', (test: TestEngine) => test.engine.backend.dropIndex('c', 'exp', 'ada')],
    ['dropped with its collection', (test: TestEngine) => test.engine.backend.dropCollection('c', 'ada')],
  ] as const)
    it(`[R1] is ${what} at once, and the pass ends`, async () => {
      const test = engineWithShortBatches(1);
      await withIndex(test, 'c', { schedule: NIGHTLY, patch: true });
      await write(test.client, 'c', due(200, NOON + SECOND));
      let expired = 0;
      test.engine.backend.onCommit(({ changes }) => {
        expired += changes.filter(({ kind }) => kind === 'expire').length;
      });
      afterFirstBatch(test, 'c', () => change(test));
      await test.advance(UNTIL_THREE + MINUTE);
      expect(test.complaints).toEqual([]);
      expect(expired).toBeGreaterThan(0);
      expect(expired).toBeLessThan(200);
    });
});

describe('a batch that fails', () => {
  it('[R4, R7] ends the pass of its own collection with an error, and no other', async () => {
    const commits = refuseCommits();
    const test = engineWithShortBatches(1);
    for (const name of ['first', 'second']) await withIndex(test, name);
    await write(test.client, 'first', due(300, NOON + SECOND));
    await write(test.client, 'second', due(10, NOON + SECOND));
    afterFirstBatch(test, 'first', () => commits.arm());
    await test.advance(MINUTE);
    expect(commits.refused).toBe(1);
    const passesOf = async (collection: string) =>
      (await test.client.reaper.passes({ collection })).passes.map(({ ending, error, removed }) => ({
        ending,
        isError: error !== null,
        removed,
      }));
    expect(await passesOf('first')).toEqual([{ ending: 'drained', isError: false, removed: 300 }]);
    expect(await passesOf('second')).toEqual([
      { ending: 'drained', isError: false, removed: 10 },
      { ending: 'error', isError: true, removed: 0 },
    ]);
  });
});

describe('a compaction that begins while space is freed, and takes minutes', () => {
  it('[S3] is waited for by the reaper, the record of the clock and the figures of each minute, without an error', {
    timeout: 20_000,
  }, async () => {
    let arrived = 0;
    let areCallsFrequent = false;
    const clock = createManualClock(NOON);
    let elapsed = 0;
    const test = openTestEngine({
      clock,
      engineClock: { ...clock, elapsed: () => (elapsed += 0.05) },
      callsArrived: () => (areCallsFrequent ? ++arrived : arrived),
    });
    await withIndex(test, 'c');
    await write(test.client, 'c', due(3_000, NOON + SECOND));
    const { backend } = test.engine;
    // Beside calls, the sweep rests after each step.
    areCallsFrequent = true;
    clock.advance(SECOND);
    const turn = () => new Promise(resolve => setImmediate(resolve));
    const unswept = () => backend.unswept();
    for (let i = 0; i < 20; i += 1) await turn();
    expect(unswept()).toBeGreaterThan(0);
    const { id } = await test.client.store.compact();
    expect(backend.fileCare.suspended).not.toBeNull();
    for (let i = 0; i < 10_000 && backend.fileCare.suspended !== null; i += 1) {
      clock.advance(10);
      await turn();
    }
    await expect.poll(() => test.engine.jobs.get(id).state, { timeout: 15_000 }).toBe('done');
    areCallsFrequent = false;
    for (let i = 0; i < 1_000 && unswept() > 0; i += 1) {
      clock.advance(10);
      await turn();
    }
    expect(unswept()).toBe(0);
    expect(test.complaints).toEqual([]);
  });
});

describe('a disk whose commits take longer than a batch may', () => {
  it('[R5] still changes several documents in each batch', async () => {
    const clock = createManualClock(NOON);
    let elapsed = 0;
    const prepare = Sqlite.prototype.prepare;
    const spy = vi.spyOn(Sqlite.prototype, 'prepare').mockImplementation(function (
      this: Sqlite.Database,
      sql,
    ) {
      const statement = prepare.call(this, sql);
      if (sql !== 'COMMIT') return statement;
      const { run } = statement;
      statement.run = () => {
        elapsed += 20;
        return Reflect.apply(run, statement, []);
      };
      return statement;
    });
    onTestFinished(() => spy.mockRestore());
    const test = openTestEngine({ clock, engineClock: { ...clock, elapsed: () => (elapsed += 0.01) } });
    await withIndex(test, 'c', { patch: true });
    await write(test.client, 'c', due(400, NOON + SECOND));
    let batches = 0;
    test.engine.backend.onCommit(({ changes }) => {
      if (changes.some(({ kind }) => kind === 'expire')) batches += 1;
    });
    await test.advance(MINUTE);
    expect((await test.client.reaper.passes({})).passes[0]).toMatchObject({ changed: 400 });
    expect(batches).toBeLessThan(40);
  });
});

describe('the number of an expired document', () => {
  it('[X4] must be a whole number: 1.5 is refused as a position, and restores nothing', async () => {
    const test = openTestEngine();
    await withIndex(test, 'c');
    await write(test.client, 'c', due(2_000, NOON + SECOND));
    await test.advance(SECOND);
    await expect(test.client.metrics.expired({ before: '5.5' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    const { succeeded } = test.engine.backend.expired.restore(['1.5'], {
      onConflict: 'skip',
      choices: {},
      expiration: { never: true },
    });
    expect(succeeded).toBe(0);
  });
});
