import { describe, expect, it } from 'vitest';
import type { Client } from '../../../../shared/contract/index.ts';
import { listIds, on, refusal, write } from '../../../support/documents.ts';
import { DAY, HOUR, MINUTE, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';

async function withMany(count: number) {
  const test = openTestEngine();
  const { client } = test;
  await client.collections.create({ name: 'c' });
  await client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp') });
  await test.settle();
  const ids = Array.from({ length: count }, (_, i) => `d${String(i).padStart(5, '0')}`);
  await write(
    client,
    'c',
    ids.map((_id, i) => ({ _id, exp: NOON + HOUR + i, kind: i % 2 === 0 ? 'even' : 'odd' })),
  );
  return { ...test, ids };
}

async function endOf(client: Client, job: string, { settle }: Pick<TestEngine, 'settle'>) {
  for (let i = 0; i < 1_000; i++) {
    const found = await client.jobs.get({ job });
    if (found.state !== 'running') return found;
    await settle();
    await new Promise(resolve => setImmediate(resolve));
  }
  throw new Error('the job does not end');
}

describe('a change of many documents', () => {
  it('[E3] by up to 1,000 ids is done when the call returns, each document on its own', async () => {
    const { client, ids } = await withMany(1_000);
    const job = await client.documents.setExpirations({
      collection: 'c',
      ids: [...ids.slice(0, 999), 'no'],
      set: { after: 60 },
    });
    expect(job).toMatchObject({
      kind: 'set expiration',
      state: 'done',
      done: 1_000,
      total: 1_000,
      succeeded: 999,
      failedCount: 1,
      failed: [{ _id: 'no', code: 'DOCUMENT_NOT_FOUND' }],
    });
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({
      withDeadline: 1_000,
      nextDeadlineAt: NOON + MINUTE,
      nextDeadlineFrom: 'explicit',
    });
  });

  it('[E3] counts a duration from one instant, for any duration and number of calls', async () => {
    const test = await withMany(1_300);
    const { client, engine, clock, ids } = test;
    const stop = engine.backend.onCommit(() => clock.advance(40));
    const job = await client.documents.setExpirations({ collection: 'c', ids, set: { after: 7_200 } });
    expect(await endOf(client, job.id, test)).toMatchObject({ state: 'done', succeeded: 1_300 });
    const deadlines = async () => {
      const pages = await Promise.all(
        [ids[0], ids[600], ids[1_299]].map(id => client.documents.get({ collection: 'c', id: id ?? '' })),
      );
      return new Set(pages.map(({ deadlineAt }) => deadlineAt));
    };
    expect(await deadlines()).toEqual(new Set([NOON + 2 * HOUR]));

    const countFrom = clock.now();
    for (const part of [ids.slice(0, 500), ids.slice(500, 1_000), ids.slice(1_000)])
      await client.documents.setExpirations({
        collection: 'c',
        ids: part,
        set: { after: 10_800 },
        countFrom,
      });
    stop();
    expect(await deadlines()).toEqual(new Set([countFrom + 3 * HOUR]));
    const late = client.documents.setExpirations({
      collection: 'c',
      ids: ids.slice(0, 1),
      set: { after: 60 },
      countFrom: clock.now() - 2 * HOUR,
    });
    expect(await refusal(late)).toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('[E3, R5] by more ids continues in chunks of 500 after the call, reports progress, and can be cancelled', async () => {
    const test = await withMany(3_000);
    const { client, engine, ids } = test;
    const sizes: number[] = [];
    engine.backend.onCommit(({ changes }) => sizes.push(changes.length));
    const job = await client.documents.deleteMany({ collection: 'c', ids });
    expect(job).toMatchObject({ kind: 'delete', state: 'running', total: 3_000 });
    expect(await endOf(client, job.id, test)).toMatchObject({
      state: 'done',
      succeeded: 3_000,
      failedCount: 0,
    });
    expect(sizes).toEqual([500, 500, 500, 500, 500, 500]);

    await write(
      client,
      'c',
      ids.map(_id => ({ _id })),
    );
    const stopped = await client.documents.deleteMany({ collection: 'c', ids });
    await client.jobs.cancel({ job: stopped.id });
    const ended = await endOf(client, stopped.id, test);
    expect(ended.state).toBe('cancelled');
    expect(ended.done).toBeLessThan(3_000);
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({
      documents: 3_000 - (ended.succeeded ?? 0),
    });
  });

  it('[E3] by a filter processes each document once, even if the change moves it in the list', async () => {
    const test = await withMany(2_500);
    const { client, engine } = test;
    const touched: string[] = [];
    engine.backend.onCommit(({ changes }) => touched.push(...changes.map(({ id }) => id)));
    // The new deadline lies within the span again.
    const job = await client.documents.setExpirations({
      collection: 'c',
      filter: { dueFrom: NOON, dueTo: NOON + DAY },
      set: { after: 7_200 },
    });
    expect(await endOf(client, job.id, test)).toMatchObject({
      state: 'done',
      done: 2_500,
      total: 2_500,
      succeeded: 2_500,
    });
    expect(touched).toHaveLength(2_500);
    expect(new Set(touched).size).toBe(2_500);
  });

  it('[E3, E1] by a filter includes overdue documents that are not removed yet, and keeps them', async () => {
    const test = await withMany(1_200);
    const { client, advance } = test;
    await client.reaper.pause({});
    await advance(DAY);
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({ overdue: 1_200 });
    const job = await client.documents.setExpirations({
      collection: 'c',
      filter: { state: 'paused', filter: '"even"' },
      set: { never: true },
    });
    expect(await endOf(client, job.id, test)).toMatchObject({ succeeded: 600 });
    await client.reaper.resume({});
    await test.settle();
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({ documents: 600, pinned: 600 });
    const cleared = await client.documents.setExpirations({
      collection: 'c',
      filter: { state: 'pinned' },
      clear: true,
    });
    expect(await endOf(client, cleared.id, test)).toMatchObject({ kind: 'clear expiration', succeeded: 600 });
  });

  it('[E3] by a filter does not change hidden documents or those that do not match', async () => {
    const test = await withMany(40);
    const { client, ids } = test;
    const job = await client.documents.deleteMany({ collection: 'c', filter: { filter: '"odd"' } });
    expect(await endOf(client, job.id, test)).toMatchObject({ succeeded: 20 });
    expect(await listIds(client, { collection: 'c' })).toEqual(ids.filter((_, i) => i % 2 === 0));
  });

  it('[E3] without ids or filter, with both, or with an invalid expiration is refused before any change', async () => {
    const { client, engine } = await withMany(3);
    const { revision } = engine.backend;
    const set = { after: 60 };
    for (const [call, code] of [
      [client.documents.setExpirations({ collection: 'c', set }), 'BAD_REQUEST'],
      [client.documents.setExpirations({ collection: 'c', ids: ['a'], filter: {}, set }), 'BAD_REQUEST'],
      [client.documents.deleteMany({ collection: 'c' }), 'BAD_REQUEST'],
      [
        client.documents.setExpirations({ collection: 'c', ids: ['a'], set: { after: -5 } }),
        'INVALID_EXPIRATION',
      ],
      [
        client.documents.setExpirations({ collection: 'c', filter: {}, set: { at: NOON - SECOND } }),
        'INVALID_EXPIRATION',
      ],
      [client.documents.deleteMany({ collection: 'c', filter: { reason: 'no such' } }), 'BAD_REQUEST'],
      [client.documents.deleteMany({ collection: 'no', ids: ['a'] }), 'COLLECTION_NOT_FOUND'],
    ] as const) {
      expect((await refusal(call)).code).toBe(code);
    }
    expect(engine.backend.revision).toBe(revision);
    expect(await client.jobs.list()).toEqual([expect.objectContaining({ kind: 'index build' })]);
  });

  it('[E3] ends after its current chunk when the engine stops', async () => {
    const test = await withMany(2_000);
    const { client, ids } = test;
    await client.documents.deleteMany({ collection: 'c', ids });
    const again = await test.reopen();
    const { documents } = await again.client.collections.get({ collection: 'c' });
    expect(documents % 500).toBe(0);
    expect(documents).toBeGreaterThan(0);
    expect(test.complaints).toEqual([]);
  });
});
