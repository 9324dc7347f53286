import { describe, expect, it } from 'vitest';
import { on, write } from '../../../support/documents.ts';
import { NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';

async function collection(
  test: TestEngine,
  name: string,
  fields: readonly string[],
  rate = 0,
): Promise<void> {
  await test.client.collections.create({ name });
  for (const field of fields)
    await test.client.ttlIndexes.create({
      collection: name,
      name: field,
      source: on(field),
      limits: { removalsPerSecond: rate },
    });
  await test.settle();
}

async function left({ client }: TestEngine, name: string): Promise<string[]> {
  const { documents } = await client.documents.list({ collection: name, includeExpired: true, limit: 200 });
  return documents.map(({ _id }) => _id).toSorted();
}

describe('[R7] a pass records the pause or hold that ended it', () => {
  it.each([{}, { collection: 'c' }, { collection: 'c', index: 'at' }])('for a pause of %o', async scope => {
    const test = openTestEngine();
    await collection(test, 'c', ['at'], 10);
    await write(
      test.client,
      'c',
      Array.from({ length: 200 }, () => ({ at: NOON + SECOND })),
    );
    await test.advance(3 * SECOND);
    const passes = async () => (await test.client.reaper.passes({})).passes.map(({ ending }) => ending);
    expect(await passes()).toEqual(['limit']);
    await test.client.reaper.pause(scope);
    await test.settle();
    expect(await passes()).toEqual(['paused']);
    expect((await test.client.metrics.get({})).passes).toEqual({ paused: 1 });
    await test.client.reaper.resume(scope);
    await test.advance(SECOND);
    expect(await passes()).toEqual(['limit']);
  });

  it('for a hold', async () => {
    const test = openTestEngine();
    await collection(test, 'c', ['at'], 10);
    await write(
      test.client,
      'c',
      Array.from({ length: 200 }, () => ({ at: NOON + SECOND })),
    );
    await test.advance(3 * SECOND);
    test.engine.backend.holds.place({ collection: 'c', cause: 'import', by: 'ada' });
    await test.settle();
    const { passes } = await test.client.reaper.passes({});
    expect(passes.map(({ ending }) => ending)).toEqual(['held']);
  });

  it('but no pause while another index of its collection acts', async () => {
    const test = openTestEngine();
    await collection(test, 'c', ['at', 'other'], 10);
    await write(
      test.client,
      'c',
      Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? { at: NOON + SECOND } : { other: NOON + SECOND })),
    );
    await test.advance(3 * SECOND);
    await test.client.reaper.pause({ collection: 'c', index: 'at' });
    await test.settle();
    const { passes } = await test.client.reaper.passes({});
    expect(passes.map(({ ending }) => ending)).toEqual(['limit']);
  });
});

describe('[R6] a pass', () => {
  async function paused(): Promise<TestEngine> {
    const test = openTestEngine();
    for (const name of ['a', 'b']) await collection(test, name, ['x', 'y']);
    await test.client.reaper.pause({});
    await test.client.reaper.pause({ collection: 'b' });
    await test.client.reaper.pause({ collection: 'a', index: 'y' });
    for (const name of ['a', 'b']) {
      await write(test.client, name, [{ _id: 'x', x: NOON }, { _id: 'y', y: NOON }, { _id: 'explicit' }]);
      await test.client.documents.setExpiration({
        params: { collection: name, id: 'explicit' },
        body: { after: 1 },
      });
    }
    await test.advance(SECOND);
    return test;
  }

  it('over the store skips paused collections and indexes', async () => {
    const test = await paused();
    expect(await test.client.reaper.run({})).toMatchObject({ removed: 2 });
    expect(await left(test, 'a')).toEqual(['y']);
    expect(await left(test, 'b')).toEqual(['explicit', 'x', 'y']);
  });

  it('over a collection skips its paused indexes', async () => {
    const test = await paused();
    await test.client.reaper.pause({ collection: 'b', index: 'x' });
    expect(await test.client.reaper.run({ collection: 'b' })).toMatchObject({ removed: 2 });
    expect(await left(test, 'b')).toEqual(['x']);
  });

  it('over an index skips nothing', async () => {
    const test = await paused();
    expect(await test.client.reaper.run({ collection: 'a', index: 'y' })).toMatchObject({ removed: 1 });
    expect(await left(test, 'a')).toEqual(['explicit', 'x']);
  });

  it('over a collection runs although the store is paused', async () => {
    const test = await paused();
    expect(await test.client.reaper.run({ collection: 'a' })).toMatchObject({ removed: 2 });
    expect(await left(test, 'a')).toEqual(['y']);
  });
});
