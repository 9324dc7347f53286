import { describe, expect, it } from 'vitest';
import { listIds, on, refusal, write } from '../../support/documents.ts';
import { MINUTE, NOON, openTestEngine, SECOND } from '../../support/engine.ts';

describe('a document that is due', () => {
  it('[V1, D10] is hidden from the millisecond of its deadline on, before the reaper gets to it', async () => {
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
});
