import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openEmbeddedStore } from '../../../../electron/engine/backends/embedded/store.ts';
import { READING_RULES_VERSION } from '../../../../shared/model/reading-rules.ts';
import { listIds, on, write } from '../../../support/documents.ts';
import { DAY, HOUR, MINUTE, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { asOfOtherRules } from '../../../support/other-reading-rules.ts';
import { disagreements } from '../../../support/recount.ts';

const collection = 'c';
const FIELDS = ['exp', 'until'] as const;

/** A store with a TTL index on each of `fields`, in milliseconds. */
async function withIndexes(fields: readonly string[] = ['exp']): Promise<TestEngine> {
  const test = openTestEngine();
  await test.client.collections.create({ name: collection });
  for (const field of fields) {
    await test.client.ttlIndexes.create({ collection, name: field, source: on(field) });
    await test.settle();
  }
  return test;
}

/** Reopens the store `ms` later, with indexes built by reading rules that read dates `shiftMs` later. */
async function reopenedByOtherRules(test: TestEngine, shiftMs: number, ms = 0): Promise<TestEngine> {
  await test.stop();
  asOfOtherRules(test.file, shiftMs);
  return test.reopen(ms);
}

/** Sweeps and closes a store; returns its inconsistencies. */
async function wrongWith(test: TestEngine): Promise<string[]> {
  while (test.engine.backend.expiry.sweep(1_000));
  await test.stop();
  const db = new Sqlite(test.file, { readonly: true });
  const versions = db.prepare<[], number>('SELECT DISTINCT rules FROM ttl_indexes').pluck().all();
  db.close();
  expect(versions).toEqual([READING_RULES_VERSION]);
  return disagreements(test.file);
}

const all = (test: TestEngine) => listIds(test.client, { collection, includeExpired: true });
const indexOf = (test: TestEngine) => test.client.ttlIndexes.get({ collection, index: 'exp' });

describe('a TTL index whose entries were made by other reading rules', () => {
  it('[A6] removes nothing by these entries, and is rebuilt by the present rules', async () => {
    const before = await withIndexes();
    await write(before.client, collection, [
      { _id: 'in an hour', exp: NOON + HOUR },
      { _id: 'tomorrow', exp: NOON + DAY },
      { _id: 'never' },
    ]);
    // By its entries all documents were due long ago.
    const test = await reopenedByOtherRules(before, -30 * DAY);
    await test.settle();
    expect(await all(test)).toEqual(['in an hour', 'never', 'tomorrow']);
    expect(await indexOf(test)).toMatchObject({
      state: 'ready',
      documents: 2,
      overdue: 0,
      nextDeadlineAt: NOON + HOUR,
    });
    await test.advance(HOUR);
    expect(await all(test)).toEqual(['never', 'tomorrow']);
    expect(await wrongWith(test)).toEqual([]);
  });

  it('[D9, A6] leaves no outdated entry of documents written, deleted or expired during the build', async () => {
    const before = await withIndexes(FIELDS);
    const documents = Array.from({ length: 200 }, (_, i) => ({
      _id: String(i),
      exp: NOON + (1 + (i % 7)) * HOUR,
      until: NOON + (1 + (i % 5)) * HOUR,
    }));
    await write(before.client, collection, documents);
    const test = await reopenedByOtherRules(before, 3 * HOUR);
    const { backend } = test.engine;
    // A few rows of the first index are built, and none of the second.
    const target = { kind: 'index', collection, index: 'exp' } as const;
    for (let step = 0; step < 3; step++) expect(backend.backfill(target, 0)?.finished).toBe(false);
    backend.delete(collection, ['0', '150']);
    backend.put(collection, '1', { exp: NOON + 9 * HOUR });
    backend.put(collection, '151', { exp: NOON + 9 * HOUR });
    backend.setExpiration(collection, ['2', '152'], { never: true });
    backend.put(collection, 'new', { exp: NOON + 9 * HOUR, until: NOON + 10 * HOUR });
    // The rebuild is interrupted and continued.
    const again = await test.reopen();
    await again.settle();
    const { file } = again;
    const copy = await again.client.ttlIndexes.list({ collection });
    expect(copy.map(({ documents: count }) => count)).toEqual([197, 195]);
    await again.advance(8 * HOUR);
    expect(await all(again)).toEqual(['1', '151', '152', '2', 'new']);
    expect(await wrongWith(again)).toEqual([]);
    expect(disagreements(file)).toEqual([]);
  });

  it('[V1, X1] hides due documents, gives the reason why they wait, and acts once it is built', async () => {
    const before = await withIndexes();
    await write(before.client, collection, [{ _id: 'due', exp: NOON + MINUTE }, { _id: 'stays' }]);
    const test = await reopenedByOtherRules(before, DAY, HOUR);
    // Nothing is built yet: the build starts in a later turn of the event loop.
    const { reads } = test.engine.backend;
    const now = NOON + HOUR;
    expect(await reads.explain(collection, 'due', now)).toMatchObject({
      deadlineAt: NOON + MINUTE,
      waitsFor: 'index build',
    });
    await expect(test.client.documents.get({ collection, id: 'due' })).rejects.toMatchObject({
      code: 'DOCUMENT_NOT_FOUND',
    });
    await test.settle();
    expect(await all(test)).toEqual(['stays']);
    expect(await wrongWith(test)).toEqual([]);
  });

  it('[R8] waits for confirmation if the present rules make too many more documents due', async () => {
    const before = await withIndexes();
    await before.client.settings.update({ breakerDocuments: 10 });
    const many = (from: number, exp: number) =>
      Array.from({ length: 30 }, (_, i) => ({ _id: String(from + i), exp }));
    await write(before.client, collection, many(100, NOON + MINUTE));
    const test = await reopenedByOtherRules(before, DAY, HOUR);
    await test.settle();
    expect(test.engine.backend.holds.list()).toMatchObject([{ cause: 'definition', index: 'exp', due: 30 }]);
    expect(await all(test)).toHaveLength(30);
  });

  it('[R8] does not wait if the documents were due by the former rules as well', async () => {
    const before = await withIndexes();
    await before.client.settings.update({ breakerDocuments: 10 });
    await write(
      before.client,
      collection,
      Array.from({ length: 30 }, (_, i) => ({ _id: String(i), exp: NOON + MINUTE })),
    );
    const test = await reopenedByOtherRules(before, SECOND, HOUR);
    await test.settle();
    expect(await all(test)).toEqual([]);
    expect(await wrongWith(test)).toEqual([]);
  });

  it('[R9] is held if the store was closed for long and documents became due', async () => {
    const before = await withIndexes();
    await write(before.client, collection, [{ _id: 'due', exp: NOON + MINUTE }]);
    const test = await reopenedByOtherRules(before, SECOND, 10 * DAY);
    await test.settle();
    expect(test.engine.backend.holds.list()).toMatchObject([{ cause: 'long closed', due: 1 }]);
    expect(await all(test)).toEqual(['due']);
  });

  it('[A5] tries quarantined documents again', async () => {
    const before = await withIndexes([]);
    await before.client.ttlIndexes.create({
      collection,
      name: 'exp',
      source: on('exp'),
      onExpire: { action: 'patch', patch: { a: 1 } },
    });
    await before.settle();
    await write(before.client, collection, [{ _id: 'stuck', exp: NOON - HOUR }]);
    await before.settle();
    expect(await indexOf(before)).toMatchObject({ quarantined: 1 });
    const test = await reopenedByOtherRules(before, DAY);
    await test.settle();
    expect(await indexOf(test)).toMatchObject({ quarantined: 1, overdue: 0 });
    await test.client.documents.put({ params: { collection, id: 'stuck' }, body: {} });
    expect(await indexOf(test)).toMatchObject({ quarantined: 0 });
    expect(await wrongWith(test)).toEqual([]);
  });

  it('[C4, A5] keeps one entry of a document whose action a write could not complete before the build', async () => {
    const before = await withIndexes([]);
    const { client } = before;
    await client.collections.create({ name: 'gone' });
    await client.ttlIndexes.create({
      collection,
      name: 'exp',
      source: on('exp'),
      onExpire: { action: 'move', to: 'gone' },
    });
    await before.settle();
    await write(client, collection, [{ _id: 'due', exp: NOON + MINUTE }]);
    await client.collections.drop({ collection: 'gone' });
    const test = await reopenedByOtherRules(before, DAY, HOUR);
    test.engine.backend.put(collection, 'due', { exp: NOON + MINUTE, n: 2 });
    await test.settle();
    expect(await indexOf(test)).toMatchObject({ quarantined: 1, documents: 0 });
    expect(await wrongWith(test)).toEqual([]);
  });

  it('[X4] of a dropped collection is rebuilt when the collection is restored', async () => {
    const before = await withIndexes();
    await write(before.client, collection, [{ _id: 'a', exp: NOON + HOUR }]);
    await before.client.collections.drop({ collection });
    const test = await reopenedByOtherRules(before, -DAY);
    const [dropped] = await test.client.collections.dropped({});
    await test.client.collections.restore({ id: dropped?.id ?? 0 });
    await test.settle();
    expect(await indexOf(test)).toMatchObject({ state: 'ready', nextDeadlineAt: NOON + HOUR });
    expect(await wrongWith(test)).toEqual([]);
  });

  it('[P2] is not opened read-only: its entries are unusable, and cannot be rebuilt', async () => {
    const before = await withIndexes();
    await before.stop();
    asOfOtherRules(before.file, DAY);
    const open = () =>
      openEmbeddedStore({
        file: before.file,
        clock: createManualClock(NOON),
        reads: 'inline',
        readOnly: true,
      });
    expect(open).toThrow(expect.objectContaining({ code: 'READ_ONLY' }));
  });
});
