import { describe, expect, it } from 'vitest';
import { on, refusal, write } from '../../../support/documents.ts';
import { DAY, HOUR, MINUTE, NOON, openTestEngine, SECOND } from '../../../support/engine.ts';

async function withDocuments() {
  const test = openTestEngine();
  const { client } = test;
  await client.collections.create({ name: 'c' });
  await client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp') });
  await test.settle();
  await write(client, 'c', [{ _id: 'a', exp: NOON + HOUR }, { _id: 'b' }]);
  const set = (id: string, body: Parameters<typeof client.documents.setExpiration>[0]['body']) =>
    client.documents.setExpiration({ params: { collection: 'c', id }, body });
  return { ...test, set };
}

describe('an explicit expiration', () => {
  it('[E1] takes precedence over every index: an instant, a duration, or never', async () => {
    const { client, set } = await withDocuments();
    expect(await set('a', { at: NOON + MINUTE })).toMatchObject({
      deadlineAt: NOON + MINUTE,
      deadlineFrom: 'explicit',
    });
    expect(await set('a', { after: 7_200 })).toMatchObject({ deadlineAt: NOON + 2 * HOUR, state: 'live' });
    expect(await set('a', { never: true })).toMatchObject({ deadlineAt: null, state: 'pinned' });
    expect(await client.documents.clearExpiration({ collection: 'c', id: 'a' })).toMatchObject({
      deadlineAt: NOON + HOUR,
      deadlineFrom: 'exp',
    });
  });

  it('[E1] of never keeps a document that every index would remove, and allows deletion by hand', async () => {
    const { client, set, advance } = await withDocuments();
    await set('a', { never: true });
    await advance(10 * DAY);
    expect(await client.documents.get({ collection: 'c', id: 'a' })).toMatchObject({ state: 'pinned' });
    expect(await client.documents.explain({ collection: 'c', id: 'a' })).toMatchObject({
      sentence: 'It never expires: it was pinned by hand, which outranks every index.',
    });
    expect(await client.documents.delete({ collection: 'c', id: 'a' })).toMatchObject({ deleted: true });
  });

  it('[E1] ignores the pause of an index, not that of the collection', async () => {
    const { client, set, advance } = await withDocuments();
    await set('a', { after: 1 });
    await set('b', { after: 60 });
    await client.reaper.pause({ collection: 'c', index: 'exp' });
    await advance(2 * SECOND);
    expect((await client.collections.get({ collection: 'c' })).documents).toBe(1);
    await client.reaper.pause({ collection: 'c' });
    await advance(MINUTE);
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({ documents: 1, overdue: 1 });
    expect(await client.documents.explain({ collection: 'c', id: 'b' })).toMatchObject({
      waitsFor: 'paused collection',
    });
  });

  for (const [what, body, words] of [
    ['0', { after: 0 }, 'delete it'],
    ['−1', { after: -1 }, '{"never": true}'],
    ['a negative duration', { after: -5 }, 'larger than 0'],
    ['more than a hundred years', { after: 4e9 }, 'at most 100 years'],
    ['the instant 0', { at: 0 }, 'delete it'],
    ['the instant −1', { at: -1 }, '{"never": true}'],
    ['an instant in the past', { at: NOON - 1 }, 'delete it'],
    ['the present instant', { at: NOON }, 'delete it'],
    ['seconds instead of milliseconds', { at: NOON / 1_000 + 3_600 }, 'at is in milliseconds'],
    ['an instant after 9999', { at: 1e15 }, 'before the year 10000'],
  ] as const) {
    it(`[E1] of ${what} is an error that names the alternative`, async () => {
      const { client, set } = await withDocuments();
      const { code, message } = await refusal(set('a', body));
      expect(code).toBe('INVALID_EXPIRATION');
      expect(message).toContain(words);
      expect(await client.documents.get({ collection: 'c', id: 'a' })).toMatchObject({ deadlineFrom: 'exp' });
    });
  }

  it('[E1] of NaN or infinity is refused', async () => {
    const { set } = await withDocuments();
    for (const body of [{ after: Number.NaN }, { after: Number.POSITIVE_INFINITY }, { at: Number.NaN }]) {
      expect(['INVALID_EXPIRATION', 'BAD_REQUEST']).toContain((await refusal(set('a', body))).code);
    }
  });

  it('[E1] keeps a document that is due and not removed yet, and so does clearing one', async () => {
    const { client, set, advance, settle } = await withDocuments();
    await set('b', { after: 1 });
    await client.reaper.pause({});
    await advance(2 * HOUR);
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({ overdue: 2 });
    await set('a', { after: 3_600 });
    await client.documents.clearExpiration({ collection: 'c', id: 'b' });
    await client.reaper.resume({});
    await settle();
    expect((await client.documents.list({ collection: 'c' })).documents).toMatchObject([
      { _id: 'a', deadlineAt: NOON + 3 * HOUR },
      { _id: 'b', deadlineAt: null },
    ]);
  });

  it('[E1] that is cleared lets a document expire at once that is overdue by an index', async () => {
    const { client, set, advance } = await withDocuments();
    await set('a', { never: true });
    await advance(5 * DAY);
    const before = await client.collections.get({ collection: 'c' });
    await client.documents.clearExpiration({ collection: 'c', id: 'a' }).catch(() => {});
    await advance(0);
    const after = await client.collections.get({ collection: 'c' });
    expect(before.documents - after.documents).toBe(1);
  });

  it('[E3] of many documents reports successes and failures by _id', async () => {
    const { client, engine } = await withDocuments();
    const { revision } = engine.backend;
    const result = await client.documents.setExpirations({
      collection: 'c',
      ids: ['a', 'no', 'b'],
      set: { after: 60 },
    });
    expect(result).toMatchObject({
      succeeded: 2,
      failed: [{ _id: 'no', code: 'DOCUMENT_NOT_FOUND' }],
      revision: revision + 1,
    });
    const both = client.documents.setExpirations({
      collection: 'c',
      ids: ['a'],
      set: { after: 60 },
      clear: true,
    });
    expect((await refusal(both)).code).toBe('BAD_REQUEST');
  });

  it('[A1, X2] deletes documents, and is counted in a series of its own', async () => {
    const { client, set, advance } = await withDocuments();
    await set('b', { after: 1.5 });
    await advance(MINUTE);
    expect((await client.metrics.expired({})).expired).toMatchObject([
      { _id: 'b', index: 'explicit', deadlineAt: NOON + 1_500, lagMs: 0 },
    ]);
    const { buckets, series } = await client.timeline.get({
      collection: 'c',
      from: NOON,
      to: NOON + MINUTE,
      buckets: 1,
    });
    expect(buckets[0]?.byIndex).toEqual({ explicit: { expired: 1, due: 0 } });
    expect(series.at(-1)).toMatchObject({ id: 'explicit', label: 'set by hand' });
  });
});
