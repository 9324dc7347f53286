import { describe, expect, it } from 'vitest';
import { on, write } from '../../../support/documents.ts';
import { DAY, HOUR, MINUTE, NOON, openTestEngine } from '../../../support/engine.ts';
import { disagreements } from '../../../support/recount.ts';

/** A collection of ten documents, 0 to 9, that expire in an hour. */
async function ten() {
  const test = openTestEngine();
  await test.client.collections.create({ name: 'c' });
  await test.client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp') });
  await test.settle();
  const documents = Array.from({ length: 10 }, (_, i) => ({
    _id: String(i),
    exp: NOON + HOUR,
    big: 2n ** 60n,
  }));
  await write(test.client, 'c', documents);
  const { client } = test;
  return {
    test,
    client,
    list: async (cause?: 'expired' | 'deleted') =>
      (await client.metrics.expired({ collection: 'c', limit: 1_000, ...(cause && { cause }) })).expired,
    stored: async () => (await client.collections.get({ collection: 'c' })).documents,
  };
}

describe('[X4] a document that is deleted by hand', () => {
  it('is listed as deleted and not as expired, and is restored unchanged', async () => {
    const { test, client, list, stored } = await ten();
    await client.documents.delete({ collection: 'c', id: '3' });
    const [entry] = await list();
    expect(entry).toMatchObject({
      _id: '3',
      cause: 'deleted',
      removedAt: NOON,
      lagMs: 0,
      isRestored: false,
      restorable: { until: NOON + DAY },
    });
    const { buckets } = await client.timeline.get({
      collection: 'c',
      from: NOON - HOUR,
      to: NOON + MINUTE,
      buckets: 1,
    });
    expect(JSON.stringify(buckets)).not.toContain('"expired":1');
    expect(await client.metrics.get({ collection: 'c' })).toMatchObject({ removed: 0 });
    const job = await client.expired.restore({ what: { ids: [entry?.id ?? ''] } });
    expect(job).toMatchObject({ succeeded: 1, failedCount: 0 });
    expect((await client.documents.get({ collection: 'c', id: '3' })).document).toEqual({
      _id: '3',
      exp: NOON + HOUR,
      big: 2n ** 60n,
    });
    expect(await stored()).toBe(10);
    expect(await list()).toMatchObject([{ _id: '3', restorable: null, isRestored: true }]);
    await test.settle();
    await test.stop();
    expect(disagreements(test.file)).toEqual([]);
  });

  it('in bulk is restored by its cause, and not by a restore of expired documents', async () => {
    const { test, client, list, stored } = await ten();
    await client.documents.deleteMany({ collection: 'c', ids: ['0', '1', '2', 'missing'] });
    await test.advance(2 * HOUR);
    expect(await stored()).toBe(0);
    expect(await list('deleted')).toHaveLength(3);
    expect(await list('expired')).toHaveLength(7);
    const restore = async (what: { collection: string; cause?: 'expired' | 'deleted' }) => {
      const { id: job } = await client.expired.restore({ what });
      await expect.poll(async () => (await client.jobs.get({ job })).state).toBe('done');
    };
    await restore({ collection: 'c' });
    expect(await stored()).toBe(7);
    await restore({ collection: 'c', cause: 'deleted' });
    expect(await stored()).toBe(10);
    await test.stop();
    expect(disagreements(test.file)).toEqual([]);
  });

  it('is kept over a restart until its retention ends', async () => {
    const { test, client } = await ten();
    await client.settings.update({ retention: 7_200 });
    await client.documents.delete({ collection: 'c', id: '3' });
    const again = await test.reopen(HOUR);
    const read = async () =>
      (await again.client.metrics.expired({ collection: 'c', cause: 'deleted' })).expired;
    expect(await read()).toMatchObject([{ _id: '3', restorable: { until: NOON + 2 * HOUR } }]);
    await again.advance(2 * HOUR);
    expect(await read()).toMatchObject([{ restorable: null, isRestored: false }]);
    const [gone] = await read();
    const job = await again.client.expired.restore({ what: { ids: [gone?.id ?? ''] } });
    expect(job).toMatchObject({ failed: [{ code: 'EXPIRED_NOT_FOUND' }] });
    await again.stop();
    expect(disagreements(again.file)).toEqual([]);
  });

  it('evicts the oldest copies beyond the limit of bytes, and keeps none without a retention', async () => {
    const { client, list } = await ten();
    const [first] = (await client.documents.list({ collection: 'c' })).documents;
    await client.settings.update({ retentionBytes: 3 * (first?.bytes ?? 0) });
    await client.documents.deleteMany({ collection: 'c', ids: ['0', '1', '2', '3', '4'] });
    const kept = (await list()).filter(({ restorable }) => restorable !== null);
    expect(kept.map(({ _id }) => _id)).toEqual(['4', '3', '2']);
    await client.settings.update({ retention: 0 });
    await client.documents.delete({ collection: 'c', id: '5' });
    expect((await list()).map(({ _id }) => _id)).not.toContain('5');
  });

  it('whose _id was written again is a conflict to resolve, and is purged with the others', async () => {
    const { test, client, list } = await ten();
    await client.documents.deleteMany({ collection: 'c', ids: ['0', '1'] });
    await write(client, 'c', [{ _id: '0', exp: NOON + DAY }]);
    const ids = (await list()).filter(({ _id }) => _id === '0').map(({ id }) => id);
    const what = { ids };
    expect(await client.expired.restore({ what })).toMatchObject({ failed: [{ code: 'DOCUMENT_EXISTS' }] });
    expect(await client.expired.restore({ what, onConflict: 'newId' })).toMatchObject({ succeeded: 1 });
    const { id: job } = await client.expired.purge({ what: { collection: 'c' } });
    await expect.poll(async () => (await client.jobs.get({ job })).state).toBe('done');
    expect(await list()).toEqual([]);
    await test.settle();
    await test.stop();
    expect(disagreements(test.file)).toEqual([]);
  });

  it('[V4] is a deletion in the change log, not an expiry', async () => {
    const { client } = await ten();
    const { revision } = await client.documents.delete({ collection: 'c', id: '1' });
    const { events } = await client.events.read({ from: `${revision}.0`, limit: 10 });
    expect(events.map(({ event }) => event)).toMatchObject([{ kind: 'delete', _id: '1' }, { kind: 'end' }]);
  });
});
