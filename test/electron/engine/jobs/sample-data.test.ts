import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../electron/engine/platform/clock.ts';
import { EXPLICIT } from '../../../../shared/model/ttl-index.ts';
import { on, refusal, write } from '../../../support/documents.ts';
import { openTestEngine } from '../../../support/engine.ts';

/** An engine with real timers, since loading yields between its transactions. */
function openSampleEngine() {
  const test = openTestEngine({ engineClock: systemClock });
  const job = async () => (await test.client.jobs.list({})).find(({ kind }) => kind === 'sample data');
  return { ...test, job };
}

describe('the sample data', () => {
  it('is loaded after its indexes are ready, and its job ends', async () => {
    const { client, job } = openSampleEngine();
    const { collection, documents, indexes } = await client.store.loadSampleData({ documents: 800 });
    expect({ documents, indexes }).toEqual({ documents: 1_000, indexes: 4 });
    expect(await client.ttlIndexes.list({ collection })).toMatchObject([
      { name: 'at_expiry', state: 'ready', overdue: 0 },
      { name: 'idle_7d', state: 'ready', overdue: 0 },
    ]);
    expect(await job()).toMatchObject({ state: 'done', done: 1_000 });
  });

  it('shows on the timeline the removals of two indexes and of a user within the hour', async () => {
    const { client } = openSampleEngine();
    const { collection } = await client.store.loadSampleData({ documents: 800 });
    const from = Date.now();
    const { buckets } = await client.timeline.get({ collection, from, to: from + 3_600_000, buckets: 1 });
    const due = Object.fromEntries(
      Object.entries(buckets[0]?.byIndex ?? {}).map(([index, counts]) => [index, counts.due]),
    );
    expect(due).toEqual({
      at_expiry: expect.any(Number),
      idle_7d: expect.any(Number),
      [EXPLICIT]: 55,
    });
    expect(Math.min(...Object.values(due))).toBeGreaterThan(40);
    expect((await client.documents.list({ collection, state: 'pinned', limit: 10 })).documents).toHaveLength(
      5,
    );
  });

  it('does not wait until another index is built', async () => {
    const { client, engine, job } = openSampleEngine();
    await client.collections.create({ name: 'c' });
    await write(
      client,
      'c',
      Array.from({ length: 100 }, (_, i) => ({ _id: String(i) })),
    );
    await engine.indexBuilds.stop();
    await client.ttlIndexes.create({ collection: 'c', name: 'slow', source: on('a') });
    await client.store.loadSampleData({ documents: 100 });
    expect(engine.backend.pendingBackfills()).toEqual([{ kind: 'index', collection: 'c', index: 'slow' }]);
    expect(await job()).toMatchObject({ state: 'done' });
  });

  it('that is cancelled stops, and keeps the documents written so far', async () => {
    const { client, job } = openSampleEngine();
    const loading = refusal(client.store.loadSampleData({ documents: 100_000 }));
    let running = await job();
    while (running === undefined || running.done === 0) running = await job();
    await client.jobs.cancel({ job: running.id });
    expect(await loading).toMatchObject({ code: 'CANCELLED' });
    const ended = await job();
    expect(ended).toMatchObject({ state: 'cancelled', error: null });
    expect((await client.collections.get({ collection: 'sessions' })).documents).toBe(ended?.done);
  });

  it('that cannot be written ends its job with the reason', async () => {
    const { client, engine, job } = openSampleEngine();
    const loading = refusal(client.store.loadSampleData({ documents: 100_000 }));
    while (!engine.backend.hasCollection('sessions')) await new Promise(resolve => setImmediate(resolve));
    await client.collections.drop({ collection: 'sessions' });
    expect(await loading).toMatchObject({ code: 'COLLECTION_NOT_FOUND' });
    expect(await job()).toMatchObject({ state: 'failed', error: expect.stringContaining('sessions') });
  });
});
