import { describe, expect, it } from 'vitest';
import { refusal } from '../../../support/documents.ts';
import { DAY, MINUTE, NOON, openTestEngine, SECOND } from '../../../support/engine.ts';
import { startTestThread } from '../../../support/thread.ts';

describe('[C1] a document nested too deep', () => {
  it('is refused on every path, and the engine continues to answer', async () => {
    const { client } = await startTestThread();
    const deep = `{"_id":"d","a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const { id } = await client.imports.start({ collection: 'c' });
    await client.imports.append({ job: id, text: `${deep}\n{"_id":"e"}\n` });
    expect(await client.imports.finish({ job: id })).toMatchObject({ inserted: 1, rejectedCount: 1 });
    const listed = await client.documents.list({ collection: 'c' });
    expect(listed.documents.map(({ _id }) => _id)).toEqual(['e']);
  });

  it('is not recognised by brackets within text', async () => {
    const { client } = openTestEngine();
    await client.collections.create({ name: 'c' });
    const text = `${'['.repeat(2_000)}\\"${'{'.repeat(2_000)}`;
    const report = await client.documents.write({ params: { collection: 'c' }, body: { _id: 'a', text } });
    expect(report).toMatchObject({ inserted: 1, rejected: [] });
  });
});

describe('[R6] the scope of a pause', () => {
  it('is never the whole store by mistake', async () => {
    const { client } = openTestEngine();
    await client.collections.create({ name: 'c' });
    for (const scope of [{ index: 't' }, { colection: 'c' }]) {
      expect((await refusal(client.reaper.pause(scope))).code).toBe('BAD_REQUEST');
    }
    expect((await client.reaper.get()).state).toBe('running');
  });
});

describe('[M1] lag after an expiration was cleared', () => {
  it('is measured from the clearing, not from a deadline long past', async () => {
    const { client, advance, settle } = openTestEngine();
    await client.collections.create({ name: 'c' });
    await client.ttlIndexes.create({
      collection: 'c',
      source: { kind: 'field', field: 'at', expireAfter: 0 },
    });
    await settle();
    await client.documents.write({ params: { collection: 'c' }, body: { _id: 'a', at: NOON / SECOND + 60 } });
    await client.documents.setExpiration({ params: { collection: 'c', id: 'a' }, body: { never: true } });
    await advance(DAY);
    await client.documents.clearExpiration({ collection: 'c', id: 'a' });
    await settle();
    expect((await client.collections.get({ collection: 'c' })).documents).toBe(0);
    expect((await client.metrics.get({ collection: 'c' })).lag.maxMs).toBeLessThan(MINUTE);
  });
});

describe('[X2] a timeline finer than a second', () => {
  it('counts many documents of one instant', async () => {
    const { client, settle } = openTestEngine();
    await client.collections.create({ name: 'c' });
    await client.ttlIndexes.create({
      collection: 'c',
      source: { kind: 'field', field: 'at', unit: 'milliseconds', expireAfter: 0 },
    });
    await settle();
    const body = Array.from({ length: 1_000 }, (_, i) => ({ at: NOON + MINUTE + (i < 900 ? 500 : i - 900) }));
    await client.documents.write({ params: { collection: 'c' }, body });
    const { buckets } = await client.timeline.get({
      collection: 'c',
      from: NOON + MINUTE,
      to: NOON + MINUTE + SECOND,
      buckets: 100,
    });
    expect(buckets.map(({ due }) => due)).toEqual(
      Array.from({ length: 100 }, (_, i) => (i < 10 ? 10 : i === 50 ? 900 : 0)),
    );
  });
});
