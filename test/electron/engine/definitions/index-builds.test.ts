import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { on, write } from '../../../support/documents.ts';
import { DAY, HOUR, NOON, openTestEngine, SECOND } from '../../../support/engine.ts';

const DEFINITION = {
  name: 'exp',
  source: on('exp'),
  onExpire: { action: 'delete' as const },
  schedule: { mode: 'exact' as const },
  limits: {},
  retention: null,
};

describe('a build in the background', () => {
  it('[D9] starts also if it is requested while the last one ends', async () => {
    const test = openTestEngine();
    const { backend, indexBuilds } = test.engine;
    // The search for unfinished builds at opening has found none and has not ended yet.
    backend.createCollection('c');
    backend.createIndex('c', DEFINITION, { by: 'ada' });
    indexBuilds.startPending();
    await test.settle();
    expect(await test.client.ttlIndexes.get({ collection: 'c', index: 'exp' })).toMatchObject({
      state: 'ready',
    });
  });

  it('[D9] that fails is reported and retried', async () => {
    const test = openTestEngine();
    await test.client.collections.create({ name: 'c' });
    await write(test.client, 'c', [{ exp: NOON + SECOND }, { exp: NOON + DAY }]);
    const vandal = new Sqlite(test.file);
    vandal.exec(
      `CREATE TRIGGER broken BEFORE UPDATE OF built_through_row ON ttl_indexes BEGIN SELECT RAISE(ABORT, 'no space'); END`,
    );
    await test.client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp') });
    await test.settle();
    expect(test.complaints.join('')).toContain('no space');
    expect((await test.client.jobs.list({})).at(-1)).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(/defect in Sandglass.* under [0-9a-f]{12}\.$/),
    });
    vandal.exec('DROP TRIGGER broken');
    vandal.close();
    await test.advance(10 * SECOND);
    expect(await test.client.ttlIndexes.get({ collection: 'c', index: 'exp' })).toMatchObject({
      state: 'ready',
      documents: 1,
    });
    expect((await test.client.collections.get({ collection: 'c' })).documents).toBe(1);
  });

  it('[D9] has no effect until it is complete, and continues where a restart interrupted it', async () => {
    const before = openTestEngine();
    await before.client.collections.create({ name: 'c' });
    await write(
      before.client,
      'c',
      Array.from({ length: 300 }, (_, i) => ({ _id: String(i), exp: NOON + (i % 2 === 0 ? -HOUR : HOUR) })),
    );
    before.engine.backend.createIndex('c', DEFINITION, { by: 'ada' });
    const target = { kind: 'index', collection: 'c', index: 'exp' } as const;
    expect(before.engine.backend.backfill(target, 0)).toEqual({ rows: 8, finished: false });
    // Entries are written together with those of later rows, after a few seconds.
    before.clock.advance(6 * SECOND);
    expect(before.engine.backend.backfill(target, 0)).toEqual({ rows: 8, finished: false });
    expect(before.engine.backend.backfill(target, 0)).toEqual({ rows: 8, finished: false });
    expect((await before.client.documents.list({ collection: 'c', limit: 1_000 })).documents).toHaveLength(
      300,
    );
    const after = await before.reopen();
    await after.settle();
    expect((await after.client.jobs.list({})).map(({ kind, done, state }) => [kind, done, state])).toEqual([
      ['index build', 284, 'done'],
    ]);
    expect(await after.client.collections.get({ collection: 'c' })).toMatchObject({
      documents: 150,
      withDeadline: 150,
    });
  });

  it('[D9] that is cancelled leaves no index', async () => {
    const test = openTestEngine();
    await test.client.collections.create({ name: 'c' });
    await write(
      test.client,
      'c',
      Array.from({ length: 500 }, () => ({ exp: NOON - SECOND })),
    );
    const { job } = await test.client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp') });
    if (job !== null) await test.client.jobs.cancel({ job });
    await test.settle();
    const jobs = await test.client.jobs.list({});
    const indexes = await test.client.ttlIndexes.list({ collection: 'c' });
    // The build may have ended before the cancel arrived; a partial index must never exist.
    expect(indexes.length === 0).toBe(jobs.at(-1)?.state === 'cancelled');
    expect((await test.client.collections.get({ collection: 'c' })).documents).toBe(
      indexes.length === 0 ? 500 : 0,
    );
  });

  it('[D9] of a collection that is dropped meanwhile ends, and the next one continues', async () => {
    const test = openTestEngine();
    const { backend, indexBuilds } = test.engine;
    for (const name of ['a', 'b']) {
      await test.client.collections.create({ name });
      await write(
        test.client,
        name,
        Array.from({ length: 200 }, () => ({ exp: NOON + DAY })),
      );
      backend.createIndex(name, DEFINITION, { by: 'ada' });
    }
    expect(backend.backfill({ kind: 'index', collection: 'a', index: 'exp' }, 0)?.finished).toBe(false);
    indexBuilds.startPending();
    backend.dropCollection('a', 'ada');
    await test.settle();
    expect(test.complaints).toEqual([]);
    expect(await test.client.ttlIndexes.get({ collection: 'b', index: 'exp' })).toMatchObject({
      state: 'ready',
      documents: 200,
    });
  });
});
