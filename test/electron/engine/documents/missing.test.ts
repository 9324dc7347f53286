import { expect, it } from 'vitest';
import { on, refusal, write } from '../../../support/documents.ts';
import { HOUR, MINUTE, NOON, openTestEngine } from '../../../support/engine.ts';

it('[V1, R6] `missing` lists ids without a stored document: deleted, expired, never written, not overdue', async () => {
  const { client, advance, settle } = openTestEngine();
  await client.collections.create({ name: 'c' });
  await client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp') });
  await write(client, 'c', [
    { _id: 'stays' },
    { _id: 'expires', exp: NOON + MINUTE },
    { _id: 'waits', exp: NOON + HOUR },
    { _id: 'deleted' },
  ]);
  await settle();
  await client.documents.delete({ collection: 'c', id: 'deleted' });
  await advance(2 * MINUTE);
  await client.reaper.pause({ collection: 'c' });
  await advance(2 * HOUR);
  const ids = ['stays', 'expires', 'waits', 'deleted', 'never written'];
  const { missing } = await client.documents.missing({ collection: 'c', ids });
  expect(missing).toEqual(['expires', 'deleted', 'never written']);
});

it('`missing` is bounded, and refuses a collection that does not exist', async () => {
  const { client } = openTestEngine();
  await client.collections.create({ name: 'c' });
  const ids = Array.from({ length: 1_001 }, (_, i) => `d${i}`);
  expect(await refusal(client.documents.missing({ collection: 'c', ids }))).toMatchObject({
    code: 'BAD_REQUEST',
  });
  const { missing } = await client.documents.missing({ collection: 'c', ids: ids.slice(1) });
  expect(missing).toHaveLength(1_000);
  expect(await refusal(client.documents.missing({ collection: 'none', ids: ['a'] }))).toMatchObject({
    code: 'COLLECTION_NOT_FOUND',
  });
});
