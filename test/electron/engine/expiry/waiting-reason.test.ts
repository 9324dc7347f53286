import { describe, expect, it } from 'vitest';
import { on, write } from '../../../support/documents.ts';
import { HOUR, NOON, openTestEngine } from '../../../support/engine.ts';

async function due() {
  const test = openTestEngine();
  const { client } = test;
  await client.collections.create({ name: 'things' });
  await client.reaper.pause({});
  await client.ttlIndexes.create({ collection: 'things', name: 'at', source: on('at') });
  await test.settle();
  await write(client, 'things', [
    { _id: 'due', at: NOON - HOUR },
    { _id: 'later', at: NOON + HOUR },
  ]);
  const waits = async () => {
    const list = await client.documents.list({ collection: 'things', includeExpired: true });
    const { waitsFor } = await client.documents.explain({ collection: 'things', id: 'due' });
    const reported = list.documents.map(record => [record._id, record.waitsFor]);
    // The list and the explanation agree [X1].
    expect(reported.find(([id]) => id === 'due')?.[1]).toBe(waitsFor);
    return Object.fromEntries(reported);
  };
  return { client, waits };
}

describe('the reason why a listed document is overdue [X1]', () => {
  it('is a pause of the store, of the collection or of the index', async () => {
    const { client, waits } = await due();
    expect(await waits()).toEqual({ due: 'paused store', later: undefined });
    await client.reaper.pause({ collection: 'things' });
    await client.reaper.pause({ collection: 'things', index: 'at' });
    await client.reaper.resume({});
    expect(await waits()).toEqual({ due: 'paused collection', later: undefined });
    await client.reaper.resume({ collection: 'things' });
    expect(await waits()).toEqual({ due: 'paused index', later: undefined });
  });
});
