import { describe, expect, it } from 'vitest';
import { on, write } from '../../../support/documents.ts';
import { DAY, HOUR, MINUTE, NOON, openTestEngine, SECOND } from '../../../support/engine.ts';

async function withIndex() {
  const test = openTestEngine();
  await test.client.collections.create({ name: 'c' });
  await test.client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp') });
  await test.settle();
  return test;
}

describe('the figures', () => {
  it('[M1] count documents, deadlines and overdue documents, of one collection and of all', async () => {
    const test = await withIndex();
    const { client } = test;
    await client.collections.create({ name: 'other' });
    await write(client, 'other', [{ _id: 'x' }]);
    await write(client, 'c', [{ exp: NOON + SECOND }, { exp: NOON + 30 * SECOND }, { exp: NOON + HOUR }, {}]);
    await client.reaper.pause({});
    await test.advance(2 * SECOND);
    expect(await client.metrics.get({ collection: 'c' })).toMatchObject({
      documents: 4,
      withDeadline: 3,
      overdue: 1,
      oldestOverdueAt: NOON + SECOND,
      dueNextMinute: 1,
      removed: 0,
    });
    expect(await client.metrics.get({})).toMatchObject({
      documents: 5,
      withDeadline: 3,
      overdue: 1,
      nextWakeAt: null,
    });
    await client.reaper.resume({});
    await test.settle();
    expect(await client.metrics.get({})).toMatchObject({
      overdue: 0,
      removed: 1,
      nextWakeAt: NOON + 30 * SECOND,
      drainMs: 0,
    });
  });

  it('[M1, A2, A5] count actions separately: deleted, changed in place, and failed', async () => {
    const test = openTestEngine();
    const { client } = test;
    await client.collections.create({ name: 'c' });
    const source = on('exp');
    await client.ttlIndexes.create({
      collection: 'c',
      name: 'free',
      source,
      onExpire: { action: 'replace', expression: 'doc.stuck ? doc : without(doc, "exp")' },
    });
    await client.ttlIndexes.create({ collection: 'c', name: 'gone', source: on('gone') });
    await test.settle();
    const exp = NOON + SECOND;
    await write(client, 'c', [
      { exp, stuck: false },
      { exp, stuck: false },
      { exp, stuck: true },
      { gone: exp, stuck: false },
    ]);
    await test.advance(2 * SECOND);
    const counts = { selected: 4, removed: 1, changed: 2, quarantined: 1 };
    expect(await client.metrics.get({ collection: 'c' })).toMatchObject({
      ...counts,
      documents: 3,
      holds: 0,
    });
    expect(await client.metrics.get({})).toMatchObject(counts);
    const point = { removed: 1, changed: 2, quarantined: 1 };
    expect(await client.metrics.series({ collection: 'c', from: NOON, to: NOON })).toMatchObject([point]);
  });

  it('[M1, R8] count the holds of a collection until they are confirmed', async () => {
    const test = await withIndex();
    const { client } = test;
    await client.collections.create({ name: 'other' });
    await client.settings.update({ breakerDocuments: 5, breakerShare: 0 });
    await write(
      client,
      'c',
      Array.from({ length: 20 }, () => ({ at: NOON, exp: NOON + HOUR })),
    );
    await client.ttlIndexes.create({ collection: 'c', name: 'held', source: on('at') });
    await test.settle();
    expect((await client.metrics.get({ collection: 'c' })).holds).toBe(1);
    expect((await client.metrics.get({ collection: 'other' })).holds).toBe(0);
    // No other document has a deadline.
    expect(await client.metrics.get({})).toMatchObject({ holds: 1, nextWakeAt: null });
    await client.reaper.confirm({ collection: 'c' });
    await test.settle();
    expect(await client.metrics.get({})).toMatchObject({ holds: 0, removed: 20 });
  });

  it('[M1] give rates over the last whole seconds', async () => {
    const test = await withIndex();
    await write(
      test.client,
      'c',
      Array.from({ length: 50 }, () => ({ exp: NOON + 5 * SECOND })),
    );
    await test.advance(6 * SECOND);
    const { writtenPerSecond, removedPerSecond, recent } = await test.client.metrics.get({ collection: 'c' });
    expect(writtenPerSecond).toBe(5);
    expect(removedPerSecond).toBe(5);
    expect(recent.removed.reduce((a, b) => a + b, 0)).toBe(50);
    expect(recent.written).toHaveLength(60);
  });
});

describe('lag', () => {
  it('[M1] runs from the deadline', async () => {
    const test = await withIndex();
    await write(test.client, 'c', [{ exp: NOON + SECOND }]);
    // The timer fires 40 ms late.
    test.clock.set(NOON + SECOND + 40);
    test.clock.advance(0);
    test.engine.reaper.wake(new Set());
    await test.settle();
    expect((await test.client.metrics.get({})).lag).toMatchObject({ count: 1, maxMs: 40, p99Ms: 40 });
  });

  it('[M1] runs from the write if that made the document due', async () => {
    const test = await withIndex();
    await write(test.client, 'c', [{ exp: NOON - DAY }]);
    await test.settle();
    expect((await test.client.metrics.get({ collection: 'c' })).lag).toMatchObject({ count: 1, maxMs: 1 });
    expect((await test.client.metrics.expired({})).expired).toMatchObject([{ lagMs: DAY }]);
  });

  it('[M1] runs from the change of the definition if that made the documents due', async () => {
    const test = openTestEngine();
    const { client } = test;
    await client.collections.create({ name: 'c' });
    await write(client, 'c', [{ exp: NOON - DAY }, { exp: NOON }]);
    await test.advance(HOUR);
    await client.ttlIndexes.create({
      collection: 'c',
      name: 'exp',
      source: on('exp', { expireAfter: 2 * 3_600 }),
    });
    await test.settle();
    expect((await client.metrics.get({})).lag).toMatchObject({ count: 1, maxMs: 1 });
    await client.ttlIndexes.update({ collection: 'c', index: 'exp', expireAfter: 60 });
    await test.settle();
    expect((await client.metrics.get({})).lag).toMatchObject({ count: 2, maxMs: 1 });
    const { expired } = await client.metrics.expired({});
    expect(expired.map(({ dueSinceAt }) => dueSinceAt)).toEqual([NOON + HOUR, NOON + HOUR]);
    // A later change of the index does not change the instant at which they became due.
    await test.advance(HOUR);
    await client.ttlIndexes.update({ collection: 'c', index: 'exp', expireAfter: 90 });
    const { expired: later } = await client.metrics.expired({});
    expect(later.map(({ dueSinceAt }) => dueSinceAt)).toEqual([NOON + HOUR, NOON + HOUR]);
  });

  for (const [what, scope, explicitly] of [
    ['the store', {}, false],
    ['a collection', { collection: 'c' }, false],
    ['an index', { collection: 'c', index: 'exp' }, false],
    ['the store, set by hand', {}, true],
    ['a collection, set by hand', { collection: 'c' }, true],
  ] as const) {
    it(`[M1] runs from the end of a pause: ${what}`, async () => {
      const test = await withIndex();
      const { client } = test;
      await write(client, 'c', [{ _id: 'a', ...(explicitly ? {} : { exp: NOON + SECOND }) }]);
      if (explicitly)
        await client.documents.setExpiration({ params: { collection: 'c', id: 'a' }, body: { after: 1 } });
      await client.reaper.pause(scope);
      await test.advance(HOUR);
      await client.reaper.resume(scope);
      await test.settle();
      expect((await client.metrics.get({})).lag).toMatchObject({ count: 1, maxMs: 1 });
      expect((await client.metrics.expired({})).expired).toMatchObject([
        { lagMs: HOUR - SECOND, dueSinceAt: NOON + HOUR },
      ]);
    });
  }

  it('[M1] of the last ten minutes leaves out older values', async () => {
    const test = await withIndex();
    await write(test.client, 'c', [{ exp: NOON + SECOND }]);
    await test.advance(MINUTE);
    expect((await test.client.metrics.get({})).recentLag.count).toBe(1);
    await test.advance(10 * MINUTE);
    expect(await test.client.metrics.get({})).toMatchObject({ recentLag: { count: 0 }, lag: { count: 1 } });
  });
});
