import { describe, expect, it } from 'vitest';
import { listIds, on, refusal, write } from '../../../support/documents.ts';
import { MINUTE, NOON, openTestEngine, SECOND } from '../../../support/engine.ts';

describe('a document that is due', () => {
  it('[V1, D10] is hidden from the millisecond of its deadline, before the reaper removes it', async () => {
    const { client, clock, engine, settle } = openTestEngine();
    await client.collections.create({ name: 'sessions' });
    await client.ttlIndexes.create({ collection: 'sessions', name: 'exp', source: on('exp') });
    await settle();
    await write(client, 'sessions', [{ _id: 'a', exp: NOON + 10 * SECOND }, { _id: 'b' }]);
    await client.reaper.pause({});

    clock.set(NOON + 10 * SECOND - 1);
    expect(await listIds(client, { collection: 'sessions' })).toEqual(['a', 'b']);
    clock.set(NOON + 10 * SECOND);
    expect(await listIds(client, { collection: 'sessions' })).toEqual(['b']);
    expect((await refusal(client.documents.get({ collection: 'sessions', id: 'a' }))).code).toBe(
      'DOCUMENT_NOT_FOUND',
    );
    expect(engine.backend.revision).toBeGreaterThan(0);
    clock.advance(MINUTE);
    await settle();
    expect(
      await client.documents.get({ collection: 'sessions', id: 'a', includeExpired: true }),
    ).toMatchObject({
      state: 'paused',
    });
  });

  it('[V1] is in no ordinary list with any order, state, window or filter; lists that include it mark it', async () => {
    const { client, settle, clock } = openTestEngine();
    await client.collections.create({ name: 'c' });
    await client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp') });
    await settle();
    await client.reaper.pause({});
    await write(client, 'c', [
      { _id: 'past', exp: NOON + SECOND },
      { _id: 'soon', exp: NOON + MINUTE },
      { _id: 'never', exp: 'no' },
    ]);
    clock.set(NOON + SECOND);
    const collection = 'c';
    const ordinary = [
      {},
      { order: 'desc' },
      { sort: 'deadline' },
      { sort: 'deadline', order: 'desc' },
      { dueFrom: NOON, dueTo: NOON + MINUTE },
      { index: 'exp' },
      { filter: 'past' },
      { state: 'live' },
      { state: 'soon' },
      { state: 'never' },
      { state: 'pinned' },
      { index: 'exp', reason: 'not a date' },
    ] as const;
    for (const query of ordinary) {
      expect(await listIds(client, { collection, ...query }), JSON.stringify(query)).not.toContain('past');
    }
    expect(await listIds(client, { collection, state: 'paused' })).toEqual(['past']);
    const { documents } = await client.documents.list({ collection, includeExpired: true });
    expect(documents.map(({ _id, state }) => [_id, state])).toEqual([
      ['never', 'never'],
      ['past', 'paused'],
      ['soon', 'soon'],
    ]);
  });

  it('[D9, V1] by two indexes is hidden from the earlier deadline, or the later if that one is paused', async () => {
    const test = openTestEngine();
    const { client, clock } = test;
    await client.collections.create({ name: 'c' });
    for (const name of ['a', 'b'])
      await client.ttlIndexes.create({ collection: 'c', name, source: on(name) });
    await test.settle();
    await write(client, 'c', [
      { _id: 'x', a: NOON + SECOND, b: NOON + MINUTE },
      { _id: 'y', a: NOON + MINUTE, b: NOON + SECOND },
    ]);
    await client.reaper.pause({ collection: 'c', index: 'a' });
    await test.settle();
    await test.advance(SECOND);
    expect(await listIds(client, { collection: 'c' })).toEqual(['x']);
    expect((await client.metrics.expired({})).expired).toMatchObject([{ _id: 'y', index: 'b' }]);
    expect(await client.documents.get({ collection: 'c', id: 'x' })).toMatchObject({ deadlineFrom: 'b' });
    await client.reaper.resume({ collection: 'c', index: 'a' });
    expect(await listIds(client, { collection: 'c' })).toEqual([]);
    await test.settle();
    expect((await client.metrics.expired({})).expired[0]).toMatchObject({
      _id: 'x',
      index: 'a',
      removedAt: clock.now(),
    });
  });
});
