import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../../shared/contract/settings.ts';
import { needsConfirmation, needsName } from '../../../../shared/model/confirmation-rule.ts';
import { on, refusal, write } from '../../../support/documents.ts';
import { HOUR, MINUTE, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';

/** A store that requires a confirmation above ten documents and a tenth, with a collection of forty documents. */
async function forty(): Promise<TestEngine> {
  const test = openTestEngine();
  await test.client.settings.update({ confirmDocuments: 10 });
  await test.client.collections.create({ name: 'c' });
  const documents = Array.from({ length: 40 }, (_, i) => ({ _id: String(i), at: NOON - i * HOUR }));
  await write(test.client, 'c', documents);
  return test;
}

/** Source of an index: documents expire at this age, hours. */
const olderThan = (hours: number) => on('at', { expireAfter: Math.max(0, (hours * HOUR) / SECOND - 1) });
const stored = async ({ client }: TestEngine) =>
  (await client.collections.get({ collection: 'c' })).documents;

/** Everything is overdue in a paused collection. */
async function paused(scope: { collection?: string; index?: string }): Promise<TestEngine> {
  const test = await forty();
  await test.client.ttlIndexes.create({ collection: 'c', name: 'old', source: olderThan(1_000) });
  await test.client.reaper.pause(scope);
  const preview = await test.client.ttlIndexes.preview({
    collection: 'c',
    name: 'old',
    source: olderThan(0),
  });
  await test.client.ttlIndexes.update({
    collection: 'c',
    index: 'old',
    expireAfter: 0,
    expect: { dueAtOnce: preview.dueAtOnce },
  });
  await test.settle();
  expect(await stored(test)).toBe(40);
  return test;
}

describe('[R8] a change that makes documents due', () => {
  it('requires a confirmation above both bounds, and the name above half', () => {
    fc.assert(
      fc.property(fc.nat(40_000), fc.nat(400_000), (due, rest) => {
        const documents = due + rest;
        const expected = due > 1_000 && due > documents * 0.1;
        expect(needsConfirmation({ due, documents }, DEFAULT_SETTINGS)).toBe(expected);
        expect(needsName({ due, documents })).toBe(due > rest);
      }),
    );
  });
});

describe('[R8] a definition', () => {
  it('without `expect` is refused with its preview, and applied with the number of that preview', async () => {
    const test = await forty();
    const index = { collection: 'c', name: 'old', source: olderThan(20) };
    const { code, data } = await refusal(test.client.ttlIndexes.create(index));
    expect(code).toBe('EXPECTATION_FAILED');
    expect(data).toMatchObject({ preview: { dueAtOnce: 20, documents: 40 } });
    expect(await test.client.ttlIndexes.list({ collection: 'c' })).toEqual([]);
    await test.client.ttlIndexes.create({ ...index, expect: { dueAtOnce: 20 } });
    await test.settle();
    expect(await stored(test)).toBe(20);
  });

  it('is applied at once at the bound, if it only observes, and in a small collection', async () => {
    const test = await forty();
    await test.client.ttlIndexes.create({
      collection: 'c',
      name: 'observer',
      source: olderThan(0),
      schedule: { mode: 'observe' },
    });
    await test.client.ttlIndexes.create({ collection: 'c', name: 'old', source: olderThan(30) });
    await test.settle();
    expect(await stored(test)).toBe(30);
    await test.client.settings.update({ confirmDocuments: 30 });
    await test.client.ttlIndexes.update({ collection: 'c', index: 'old', expireAfter: 0 });
    await test.settle();
    expect(await stored(test)).toBe(0);
  });

  it('that is shortened, or that stops observing, is refused without `expect`', async () => {
    const test = await forty();
    await test.client.ttlIndexes.create({
      collection: 'c',
      name: 'old',
      source: olderThan(20),
      schedule: { mode: 'observe' },
    });
    await test.settle();
    const change = { collection: 'c', index: 'old' } as const;
    expect((await refusal(test.client.ttlIndexes.update({ ...change, schedule: null }))).code).toBe(
      'EXPECTATION_FAILED',
    );
    await test.client.ttlIndexes.update({ ...change, schedule: null, expect: { dueAtOnce: 20 } });
    await test.settle();
    expect(await stored(test)).toBe(20);
    expect((await refusal(test.client.ttlIndexes.update({ ...change, expireAfter: 0 }))).data).toMatchObject({
      preview: { dueAtOnce: 20 },
    });
    expect(await test.client.ttlIndexes.update({ ...change, limits: { batchSize: 5 } })).toMatchObject({
      state: 'ready',
    });
  });
});

describe('[R8] a bulk change of expirations', () => {
  it('that makes documents due within a day is refused with its effect, and applied with that number', async () => {
    const test = await forty();
    const change = { collection: 'c', filter: {}, set: { after: 120 } };
    const effect = { due: 40, documents: 40, needsConfirmation: true };
    expect(await test.client.documents.previewExpirations(change)).toMatchObject(effect);
    const { code, data } = await refusal(test.client.documents.setExpirations(change));
    expect({ code, data }).toMatchObject({ code: 'EXPECTATION_FAILED', data: { effect } });
    await test.client.documents.setExpirations({ ...change, expect: { due: 40 } });
    await test.advance(3 * MINUTE);
    expect(await stored(test)).toBe(0);
  });

  it('with another number than expected is refused, also if it is small', async () => {
    const test = await forty();
    const change = { collection: 'c', ids: ['1', '2', 'missing'], set: { after: 120 } };
    expect(
      (await refusal(test.client.documents.setExpirations({ ...change, expect: { due: 3 } }))).data,
    ).toMatchObject({ effect: { due: 2, needsConfirmation: false } });
    expect(await test.client.documents.setExpirations(change)).toMatchObject({ succeeded: 2 });
  });

  it('beyond a day, to never, or of few documents needs no confirmation', async () => {
    const test = await forty();
    const all = { collection: 'c', filter: {} };
    await test.client.documents.setExpirations({ ...all, set: { after: 90_000 } });
    await test.client.documents.setExpirations({ ...all, set: { never: true } });
    const ids = Array.from({ length: 10 }, (_, i) => String(i));
    await test.client.documents.setExpirations({ collection: 'c', ids, set: { after: 60 } });
  });

  it('counts cleared documents that are due by an index, except those that were due before', async () => {
    const test = await forty();
    await test.client.documents.setExpirations({ collection: 'c', filter: {}, set: { never: true } });
    await test.client.ttlIndexes.create({ collection: 'c', name: 'old', source: olderThan(20) });
    await test.settle();
    const clear = { collection: 'c', filter: {}, clear: true } as const;
    expect((await refusal(test.client.documents.setExpirations(clear))).data).toMatchObject({
      // Documents that are due within a day by the index count, too.
      effect: { due: 40, documents: 40 },
    });
    await test.client.reaper.pause({ collection: 'c' });
    await test.client.documents.setExpirations({ ...clear, expect: { due: 40 } });
    const hidden = { collection: 'c', filter: {}, set: { after: 60 } };
    expect(await test.client.documents.previewExpirations(hidden)).toMatchObject({ due: 0 });
  });
});

describe('[R8] overdue documents', () => {
  for (const [level, scope] of [
    ['store', {}],
    ['collection', { collection: 'c' }],
    ['index', { collection: 'c', index: 'old' }],
  ] as const) {
    it(`of a paused ${level} are removed by a manual pass or a resume only if that is confirmed`, async () => {
      const test = await paused(scope);
      const { client } = test;
      for (const call of [client.reaper.run, client.reaper.resume])
        expect((await refusal(call(scope))).data).toMatchObject({ effect: { due: 40, documents: 40 } });
      expect(await stored(test)).toBe(40);
      expect(await client.reaper.run({ ...scope, expect: { due: 40 } })).toMatchObject({ removed: 40 });
      await client.reaper.resume(scope);
      expect(await stored(test)).toBe(0);
    });
  }

  it('need no confirmation where a wider pause remains', async () => {
    const test = await paused({ collection: 'c', index: 'old' });
    await test.client.reaper.pause({});
    await test.client.reaper.resume({ collection: 'c', index: 'old' });
    expect((await refusal(test.client.reaper.resume({}))).code).toBe('EXPECTATION_FAILED');
    await test.client.reaper.resume({ expect: { due: 40 } });
    await test.settle();
    expect(await stored(test)).toBe(0);
  });

  it('of a hold are confirmed with their number', async () => {
    const test = await forty();
    await test.client.settings.update({ breakerDocuments: 5, confirmDocuments: 100 });
    await test.client.ttlIndexes.create({ collection: 'c', name: 'old', source: olderThan(10) });
    await test.settle();
    await test.client.settings.update({ confirmDocuments: 10 });
    expect((await refusal(test.client.reaper.confirm({ collection: 'c' }))).data).toMatchObject({
      effect: { due: 30, documents: 40 },
    });
    await test.client.reaper.confirm({ collection: 'c', expect: { due: 30 } });
    await test.settle();
    expect(await stored(test)).toBe(10);
  });
});
