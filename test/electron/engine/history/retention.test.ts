import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { EmbeddedEngine } from '../../../../electron/engine/api/context.ts';
import type { Client } from '../../../../shared/contract/index.ts';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import type { OnExpire } from '../../../../shared/model/ttl-index.ts';
import { listIds, on, refusal, write } from '../../../support/documents.ts';
import { DAY, HOUR, MINUTE, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';
import { disagreements } from '../../../support/recount.ts';

const collection = 'c';

/** A store with one index on `exp`, and the calls that the tests repeat. */
async function withIndex(
  options: { retention?: number; onExpire?: OnExpire } = {},
): Promise<TestEngine & { expired(): Promise<ExpiredEntry[]>; body(id: string): Promise<unknown> }> {
  const test = openTestEngine();
  await test.client.collections.create({ name: collection });
  await test.client.ttlIndexes.create({ collection, name: 'exp', source: on('exp'), ...options });
  await test.settle();
  return { ...test, expired: () => expiredOf(test.client), body: id => bodyOf(test.client, id) };
}

async function expiredOf(client: Client): Promise<ExpiredEntry[]> {
  return (await client.metrics.expired({})).expired;
}

async function bodyOf(client: Client, id: string): Promise<unknown> {
  return (await client.documents.get({ collection, id })).document;
}

/** Removes due documents as the reaper does, without a sweep. */
function reapUnswept({ backend, clock }: EmbeddedEngine): void {
  const source = backend.expiry.sources().find(({ index }) => index === 'exp');
  if (source === undefined) throw new Error('there is no such source');
  const pass = {
    id: backend.expiry.nextPassId(),
    collection,
    startedAt: clock.now(),
    endedAt: clock.now(),
    trigger: 'manual' as const,
    cutoff: 0,
    removed: 0,
    changed: 0,
    quarantined: 0,
    bySource: new Map<string, number>(),
    batches: 0,
    longestBatchMs: 0,
    ending: 'stopped' as const,
    error: null,
  };
  const limits = { cutoff: clock.now(), budgetMs: () => 1_000, maxDocuments: 1_000, isLast: true };
  backend.expiry.reap(source, limits, pass);
}

function only<Item>(items: readonly Item[]): Item {
  const [item, ...others] = items;
  if (item === undefined || others.length > 0) throw new Error(`one was expected, not ${items.length}`);
  return item;
}

describe('an expired document', () => {
  it('[X4] can be restored, pinned, under its still active index, and only once', async () => {
    const { client, advance, expired, body, file, stop } = await withIndex();
    await write(client, collection, [{ _id: 'a', exp: NOON + SECOND, n: 1 }]);
    await advance(SECOND);
    expect(await listIds(client, { collection })).toEqual([]);
    const entry = only(await expired());
    expect(entry).toMatchObject({
      _id: 'a',
      action: 'delete',
      restorable: { until: NOON + SECOND + DAY, bytes: `{"_id":"a","exp":${NOON + SECOND},"n":1}`.length },
    });

    const job = await client.expired.restore({ what: { ids: [entry.id] } });
    expect(job).toMatchObject({ kind: 'restore', state: 'done', succeeded: 1, failedCount: 0 });
    await advance(HOUR);
    expect(await body('a')).toEqual({ _id: 'a', exp: NOON + SECOND, n: 1 });
    expect(await client.documents.get({ collection, id: 'a' })).toMatchObject({
      state: 'pinned',
      updatedAt: NOON + SECOND,
    });

    expect(only(await expired()).restorable).toBeNull();
    const again = await client.expired.restore({ what: { ids: [entry.id, '999'] } });
    expect(again).toMatchObject({ state: 'done', succeeded: 0, failedCount: 2 });
    expect(again.failed?.map(({ code }) => code)).toEqual(['EXPIRED_NOT_FOUND', 'EXPIRED_NOT_FOUND']);
    await stop();
    expect(disagreements(file)).toEqual([]);
  });

  it('[X4] is restorable before and after the sweep, which then frees its dead row', async () => {
    const { client, engine, clock, expired, body, advance, file, stop } = await withIndex();
    await client.reaper.pause({});
    await write(client, collection, [
      { _id: 'a', exp: NOON + SECOND },
      { _id: 'b', exp: NOON + SECOND },
    ]);
    clock.set(NOON + SECOND);
    reapUnswept(engine);
    expect(engine.backend.unswept()).toBe(2);
    const entries = await expired();
    expect(entries.map(({ restorable }) => restorable?.bytes)).toEqual([31, 31]);
    const a = entries.find(({ _id }) => _id === 'a');
    await client.expired.restore({ what: { ids: [a?.id ?? ''] } });
    await client.reaper.resume({});
    await advance(MINUTE);
    expect(engine.backend.unswept()).toBe(0);
    expect(await body('a')).toEqual({ _id: 'a', exp: NOON + SECOND });
    expect((await expired()).map(({ _id, restorable }) => [_id, restorable?.bytes])).toEqual([
      ['b', 31],
      ['a', undefined],
    ]);
    await stop();
    expect(disagreements(file)).toEqual([]);
  });

  it('[X4] restored during the sweep is not copied afterwards', async () => {
    const { client, engine, clock, expired, stop, file } = await withIndex();
    await client.reaper.pause({});
    const many = Array.from({ length: 100 }, (_, i) => ({ _id: `d${i}`, exp: NOON + SECOND }));
    await write(client, collection, many);
    clock.set(NOON + SECOND);
    reapUnswept(engine);
    const ids = (await expired()).map(({ id }) => id);
    // Small steps, as while calls wait; the round has already selected the documents to copy.
    for (let step = 0; step < 9; step++) {
      engine.backend.expiry.sweep(0);
      await client.expired.restore({ what: { ids: ids.slice(step * 10, step * 10 + 10) } });
    }
    while (engine.backend.unswept() > 0) engine.backend.expiry.sweep(0);
    const restorable = (await expired()).filter(entry => entry.restorable !== null);
    expect(restorable.map(({ id }) => id)).toEqual(ids.slice(90));
    expect(await listIds(client, { collection })).toHaveLength(90);
    await stop();
    expect(disagreements(file)).toEqual([]);
  });

  it('[X4] is restored with another expiration if requested, counted from the restore, and never with a past one', async () => {
    const { client, advance, expired, clock } = await withIndex();
    await write(client, collection, [
      { _id: 'a', exp: NOON + SECOND },
      { _id: 'b', exp: NOON + SECOND },
    ]);
    await advance(MINUTE);
    const [b, a] = await expired();
    const ids = [a?.id ?? ''];
    const refused = await client.expired.restore({ what: { ids }, expiration: { at: NOON } });
    expect(refused.state).toBe('failed');
    expect(refused.error).toContain('lies in the past');
    expect(await listIds(client, { collection })).toEqual([]);
    await client.expired.restore({ what: { ids }, expiration: { after: 60 } });
    await client.expired.restore({
      what: { ids: [b?.id ?? ''] },
      expiration: { at: clock.now() + HOUR },
    });
    await advance(MINUTE - 1);
    expect(await listIds(client, { collection })).toEqual(['a', 'b']);
    await advance(1);
    expect(await listIds(client, { collection })).toEqual(['b']);
    // The document expired again, and can be restored again.
    expect((await expired())[0]).toMatchObject({
      _id: 'a',
      index: 'explicit',
      restorable: { until: NOON + 2 * MINUTE + DAY },
    });
  });

  it('[X4] can be restored while everything is overdue', async () => {
    const { client, advance, expired, settle, clock } = await withIndex();
    const many = Array.from({ length: 300 }, (_, i) => ({ _id: `d${i}`, exp: NOON + SECOND }));
    await write(client, collection, many);
    await advance(SECOND);
    await client.reaper.pause({});
    await write(
      client,
      collection,
      Array.from({ length: 50 }, (_, i) => ({ _id: `late${i}`, exp: NOON })),
    );
    clock.advance(HOUR);
    await settle();
    const job = await client.expired.restore({
      what: { ids: (await expired()).slice(0, 100).map(({ id }) => id) },
    });
    expect(job).toMatchObject({ succeeded: 100, failedCount: 0 });
    await client.reaper.resume({});
    await advance(HOUR);
    expect((await listIds(client, { collection })).length).toBe(100);
  });

  it('[V3, X4] is listed as long as the change log mentions it, or it is restorable', async () => {
    const { client, advance, expired } = await withIndex({ retention: 0 });
    await client.settings.update({ logSeconds: 60 });
    await write(client, collection, [{ _id: 'gone', exp: NOON + SECOND }]);
    await advance(SECOND);
    await client.ttlIndexes.update({ collection, index: 'exp', retention: 1_800 });
    await write(client, collection, [{ _id: 'kept', exp: NOON + 2 * SECOND }]);
    await advance(SECOND);
    expect((await expired()).map(({ _id }) => _id)).toEqual(['kept', 'gone']);
    // The log is compacted periodically, and the entries are deleted at the next compaction.
    const later = async (minutes: number) => {
      for (let i = 0; i < minutes; i += 1) await advance(MINUTE);
    };
    await later(10);
    expect((await expired()).map(({ _id }) => _id)).toEqual(['kept']);
    await later(30);
    expect(await expired()).toEqual([]);
  });

  it('[X4] is kept for the retention of its index: none, an hour, or the store’s default; explicit ones for the default', async () => {
    const { client, advance, settle } = openTestEngine();
    await client.collections.create({ name: collection });
    for (const [name, retention] of [
      ['none', 0],
      ['hour', 3_600],
      ['default', null],
    ] as const)
      await client.ttlIndexes.create({ collection, name, source: on(name), retention });
    await settle();
    await write(client, collection, [
      { _id: 'none', none: NOON + SECOND },
      { _id: 'hour', hour: NOON + SECOND },
      { _id: 'default', default: NOON + SECOND },
      { _id: 'explicit', none: NOON + DAY },
    ]);
    await client.documents.setExpiration({
      params: { collection, id: 'explicit' },
      body: { at: NOON + SECOND },
    });
    await advance(SECOND);
    const kept = async () =>
      Object.fromEntries(
        (await expiredOf(client)).map(({ _id, restorable }) => [_id, restorable?.until ?? null]),
      );
    const day = NOON + SECOND + DAY;
    expect(await kept()).toEqual({
      none: null,
      hour: NOON + SECOND + HOUR,
      default: day,
      explicit: day,
    });
    await advance(HOUR);
    expect(await kept()).toEqual({ none: null, hour: null, default: day, explicit: day });
    // Restorable until the exact millisecond, although its copy is evicted a little later.
    const hour = (await expiredOf(client)).find(({ _id }) => _id === 'hour');
    expect(await client.expired.restore({ what: { ids: [hour?.id ?? ''] } })).toMatchObject({
      failed: [{ _id: 'hour', code: 'EXPIRED_NOT_FOUND' }],
    });
  });
});

describe('an expired document whose _id is in use again', () => {
  async function taken() {
    const test = await withIndex();
    await write(test.client, collection, [{ _id: 'a', exp: NOON + SECOND, was: 1 }]);
    await test.advance(SECOND);
    await write(test.client, collection, [{ _id: 'a', now: 2 }]);
    return { ...test, id: only(await test.expired()).id };
  }

  it('[X4] is not restored with skip, and stays restorable', async () => {
    const { client, id, body, expired } = await taken();
    const job = await client.expired.restore({ what: { ids: [id] } });
    expect(job).toMatchObject({ succeeded: 0, failed: [{ _id: 'a', code: 'DOCUMENT_EXISTS' }] });
    expect(await body('a')).toEqual({ _id: 'a', now: 2 });
    expect(only(await expired()).restorable).not.toBeNull();
  });

  it('[X4] overwrites the present one with replace', async () => {
    const { client, id, body } = await taken();
    await client.expired.restore({ what: { ids: [id] }, onConflict: 'replace' });
    expect(await body('a')).toEqual({ _id: 'a', exp: NOON + SECOND, was: 1 });
  });

  it('[X4] is restored under a new _id with newId, chosen for one document', async () => {
    const { client, id, body } = await taken();
    await client.expired.restore({ what: { ids: [id] }, choices: { [id]: 'newId' } });
    expect(await body('a')).toEqual({ _id: 'a', now: 2 });
    const other = only((await listIds(client, { collection })).filter(found => found !== 'a'));
    expect(await body(other)).toEqual({ _id: other, exp: NOON + SECOND, was: 1 });
  });

  it('[C4, X4] has a restorable copy if the new write completed the removal', async () => {
    const { client, clock, expired, body } = await withIndex();
    await client.reaper.pause({});
    await write(client, collection, [{ _id: 'a', exp: NOON + SECOND, was: 1 }]);
    clock.set(NOON + SECOND);
    await write(client, collection, [{ _id: 'a', now: 2 }]);
    const entry = only(await expired());
    expect(entry).toMatchObject({ pass: 0, restorable: { until: NOON + SECOND + DAY } });
    await client.expired.restore({ what: { ids: [entry.id] }, onConflict: 'replace' });
    expect(await body('a')).toMatchObject({ was: 1 });
  });

  it('[C4, X4] is restored after the action of a hidden document under that _id; both are restorable', async () => {
    const { client, clock, expired, advance, body } = await withIndex();
    await write(client, collection, [{ _id: 'a', exp: NOON + SECOND, n: 1 }]);
    await advance(SECOND);
    await client.reaper.pause({});
    await write(client, collection, [{ _id: 'a', exp: NOON + MINUTE, n: 2 }]);
    clock.set(NOON + MINUTE);
    await client.expired.restore({ what: { ids: [only(await expired()).id] } });
    expect(await body('a')).toMatchObject({ n: 1 });
    expect((await expired()).map(({ restorable }) => restorable !== null)).toEqual([true, false]);
  });
});

describe('an action that changed or moved a document', () => {
  it('[A2, X4] keeps the former document, and a restore overwrites the present one', async () => {
    const { client, advance, expired, body } = await withIndex({
      onExpire: { action: 'patch', patch: { claim: null, exp: null } },
    });
    await write(client, collection, [{ _id: 'a', exp: NOON + SECOND, claim: 'worker 7' }]);
    await advance(SECOND);
    expect(await body('a')).toEqual({ _id: 'a' });
    const entry = only(await expired());
    expect(entry).toMatchObject({ action: 'patch', restorable: { until: NOON + SECOND + DAY } });
    expect(await client.expired.restore({ what: { ids: [entry.id] } })).toMatchObject({ succeeded: 1 });
    await advance(HOUR);
    expect(await body('a')).toEqual({ _id: 'a', exp: NOON + SECOND, claim: 'worker 7' });
    expect(await client.expired.restore({ what: { ids: [entry.id] } })).toMatchObject({ failedCount: 1 });
  });

  it('[A2, X4] does not overwrite later writes unless requested', async () => {
    const { client, advance, expired, body } = await withIndex({
      onExpire: { action: 'patch', patch: { exp: null } },
    });
    await write(client, collection, [{ _id: 'a', exp: NOON + SECOND, n: 1 }]);
    await advance(MINUTE);
    await write(client, collection, [{ _id: 'a', n: 2 }], { mode: 'upsert' });
    const ids = [only(await expired()).id];
    expect(await client.expired.restore({ what: { ids } })).toMatchObject({
      failed: [{ _id: 'a', code: 'DOCUMENT_EXISTS' }],
    });
    expect(await body('a')).toEqual({ _id: 'a', n: 2 });
    await client.expired.restore({ what: { ids }, onConflict: 'replace' });
    expect(await body('a')).toMatchObject({ n: 1 });
  });

  it('[A2, X4] keeps the former document restorable after the document was deleted', async () => {
    const { client, advance, expired, body } = await withIndex({
      onExpire: { action: 'patch', patch: { exp: null } },
    });
    await write(client, collection, [{ _id: 'a', exp: NOON + SECOND, n: 1 }]);
    await advance(SECOND);
    await client.documents.delete({ collection, id: 'a' });
    const [deleted, patched] = await expired();
    expect([deleted, patched]).toMatchObject([
      { cause: 'deleted', action: 'delete' },
      { cause: 'expired', action: 'patch' },
    ]);
    await client.expired.restore({ what: { ids: [patched?.id ?? ''] } });
    expect(await body('a')).toMatchObject({ n: 1 });
  });

  it('[A4, X4] is reverted by a restore, which takes a moved document out of its archive in one change set', async () => {
    const test = openTestEngine();
    const { client, advance } = test;
    await client.collections.create({ name: collection });
    await client.collections.create({ name: 'archive' });
    await client.ttlIndexes.create({
      collection,
      name: 'exp',
      source: on('exp'),
      onExpire: { action: 'move', to: 'archive' },
    });
    await test.settle();
    await write(client, collection, [
      { _id: 'a', exp: NOON + SECOND },
      { _id: 'b', exp: NOON + SECOND },
    ]);
    await advance(MINUTE);
    expect(await listIds(client, { collection: 'archive' })).toEqual(['a', 'b']);
    await write(client, 'archive', [{ _id: 'b', edited: true }], { mode: 'upsert' });
    const revision = test.engine.backend.revision;
    await client.expired.restore({ what: { ids: (await expiredOf(client)).map(({ id }) => id) } });
    expect(test.engine.backend.revision).toBe(revision + 1);
    expect(await listIds(client, { collection })).toEqual(['a', 'b']);
    // A document that was written in the archive stays.
    expect(await listIds(client, { collection: 'archive' })).toEqual(['b']);
    await test.stop();
    expect(disagreements(test.file)).toEqual([]);
  });
});

describe('a span of expired documents', () => {
  it('[X4] is restored by collection, index and time, the latest of each _id', async () => {
    const { client, advance, body } = await withIndex();
    await client.collections.create({ name: 'other' });
    await client.ttlIndexes.create({ collection: 'other', name: 'exp', source: on('exp') });
    for (let i = 1; i <= 3; i++) {
      await write(client, collection, [{ _id: 'same', exp: NOON + i * MINUTE, i }], { mode: 'upsert' });
      await write(client, collection, [{ _id: `d${i}`, exp: NOON + i * MINUTE }]);
      await write(client, 'other', [{ _id: `o${i}`, exp: NOON + i * MINUTE }]);
      await advance(MINUTE);
    }
    const started = await client.expired.restore({
      what: { collection, index: 'exp', removedFrom: NOON + 2 * MINUTE, removedTo: NOON + 4 * MINUTE },
    });
    const job = await ended(client, started.id);
    expect(job).toMatchObject({ state: 'done', succeeded: 3, done: 4 });
    expect(job.failed?.map(({ _id, code }) => [_id, code])).toEqual([['same', 'DOCUMENT_EXISTS']]);
    expect(await listIds(client, { collection })).toEqual(['d2', 'd3', 'same']);
    expect(await body('same')).toMatchObject({ i: 3 });
    expect(await listIds(client, { collection: 'other' })).toEqual([]);
  });

  it('[X4, C4] can be cancelled between two chunks, and reports its progress', async () => {
    const { client, advance } = await withIndex();
    const many = Array.from({ length: 2_000 }, (_, i) => ({ _id: `d${i}`, exp: NOON + SECOND }));
    await write(client, collection, many);
    await advance(SECOND);
    const { id } = await client.expired.restore({ what: { collection } });
    await client.jobs.cancel({ job: id });
    const job = await ended(client, id);
    expect(job.state).toBe('cancelled');
    expect(await listIds(client, { collection })).toHaveLength(job.succeeded ?? -1);
    expect(job.succeeded).toBeLessThan(2_000);
  });

  it('[X4] ends between two chunks when the engine stops, and the rest can be restored later', async () => {
    const test = await withIndex();
    const many = Array.from({ length: 2_000 }, (_, i) => ({ _id: `d${i}`, exp: NOON + SECOND }));
    await write(test.client, collection, many);
    await test.advance(SECOND);
    await test.client.expired.restore({ what: { collection } });
    const { client } = await test.reopen();
    expect(test.complaints).toEqual([]);
    expect((await listIds(client, { collection })).length).toBeLessThan(2_000);
    const { id } = await client.expired.restore({ what: { collection } });
    await ended(client, id);
    expect(await listIds(client, { collection })).toHaveLength(2_000);
  });
});

/** Returns a job once it has ended. */
async function ended(client: Client, id: string) {
  for (;;) {
    const job = await client.jobs.get({ job: id });
    if (job.state !== 'running') return job;
    await new Promise(resolve => setImmediate(resolve));
  }
}

describe('a purge', () => {
  it('[X4] erases expired documents from copies, log, file and write-ahead log, and reports that', async () => {
    const { client, advance, expired, file, engine } = await withIndex();
    const marked = (name: string, i: number) => `${name}-${String(i).padStart(5, '0')}-`;
    const documents = Array.from({ length: 3_000 }, (_, i) => ({
      _id: marked('key', i),
      exp: i % 3 === 0 ? null : NOON + SECOND,
      text: marked('body', i) + 'x'.repeat(i % 50 === 0 ? 9_000 : 200 + (i % 97)),
    }));
    await write(client, collection, documents);
    await advance(MINUTE);
    const gone = new Set((await expiredPages(client)).map(({ _id }) => _id));
    expect(gone.size).toBe(2_000);
    const { id } = await client.expired.purge({});
    expect(await ended(client, id)).toMatchObject({ state: 'done', done: 2_000 });

    const bytes = readFileSync(file, 'latin1') + readFileSync(`${file}-wal`, 'latin1');
    const found = (name: string) =>
      new Set([...bytes.matchAll(new RegExp(`${name}-(\\d{5})-`, 'g'))].map(m => Number(m[1])));
    for (const name of ['body', 'key']) {
      const numbers = found(name);
      expect([...numbers].filter(i => i % 3 !== 0)).toEqual([]);
      expect(numbers.size).toBe(1_000);
    }
    expect(await expired()).toEqual([]);
    expect(await client.expired.purges({})).toEqual([
      {
        id: 1,
        collection: null,
        by: 'ada',
        documents: 2_000,
        erasedAt: NOON + MINUTE,
        purgedAt: NOON + MINUTE,
        followers: [],
        notReached: ['backups', 'exports'],
      },
    ]);
    expect(engine.backend.unswept()).toBe(0);
  });

  it('[X4] during a sweep erases documents that were about to be copied', async () => {
    const { client, engine, clock, file } = await withIndex();
    await client.reaper.pause({});
    const many = Array.from({ length: 100 }, (_, i) => ({ _id: `erased-${i}`, exp: NOON + SECOND }));
    await write(client, collection, many);
    clock.set(NOON + SECOND);
    reapUnswept(engine);
    for (let step = 0; step < 4; step++) engine.backend.expiry.sweep(0);
    const { id } = await client.expired.purge({});
    expect(await ended(client, id)).toMatchObject({ state: 'done', done: 100 });
    expect(readFileSync(file, 'latin1') + readFileSync(`${file}-wal`, 'latin1')).not.toContain('erased-');
  });

  it('[A2, X4] of documents that were changed in place does not reuse their numbers for another expiry', async () => {
    const test = await withIndex({ onExpire: { action: 'patch', patch: { exp: null } } });
    await test.client.reaper.pause({});
    await write(test.client, collection, [{ _id: 'a', exp: NOON + SECOND }]);
    test.clock.set(NOON + SECOND);
    reapUnswept(test.engine);
    const { id } = only(await test.expired());
    expect(await test.client.expired.purge({ what: { ids: [id] } })).toMatchObject({
      state: 'done',
      done: 1,
    });
    const { client, advance } = await test.reopen();
    await client.reaper.resume({});
    await write(client, collection, [{ _id: 'b', exp: NOON + MINUTE }]);
    await advance(MINUTE);
    expect(only(await expiredOf(client)).id).not.toBe(id);
  });

  it('[X4, V5] erases entries of the log that a follower replays, which must copy the store again', async () => {
    const { client, advance, engine, file } = await withIndex();
    engine.backend.followers.register('mirror', '');
    await write(client, collection, [
      { _id: 'a', exp: NOON + SECOND, text: 'erased-body' },
      { _id: 'b', text: 'kept-body' },
    ]);
    await advance(SECOND);
    const { id } = await client.expired.purge({});
    expect(await ended(client, id)).toMatchObject({ state: 'done', done: 1 });
    const bytes = readFileSync(file, 'latin1') + readFileSync(`${file}-wal`, 'latin1');
    expect(bytes).toContain('kept-body');
    expect(bytes).not.toContain('erased-body');
    expect(engine.backend.followers.register('mirror', '').oldest).toBeGreaterThan(
      engine.backend.revision - 2,
    );
  });

  it('[X4] of some documents keeps the others restorable, and a new expiry gets another number', async () => {
    const test = await withIndex();
    const { client, advance, expired } = test;
    await write(client, collection, [
      { _id: 'a', exp: NOON + SECOND },
      { _id: 'b', exp: NOON + SECOND },
    ]);
    await advance(SECOND);
    const [b, a] = await expired();
    expect(await client.expired.purge({ what: { ids: [b?.id ?? ''] } })).toMatchObject({
      state: 'done',
      done: 1,
    });
    expect((await expired()).map(({ id, restorable }) => [id, restorable !== null])).toEqual([[a?.id, true]]);
    const { client: later, advance: on } = await test.reopen();
    await write(later, collection, [{ _id: 'c', exp: NOON + MINUTE }]);
    await on(MINUTE);
    const ids = (await expiredOf(later)).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    expect(ids).not.toContain(b?.id);
  });
});

async function expiredPages(client: Client): Promise<ExpiredEntry[]> {
  const all: ExpiredEntry[] = [];
  let before: string | undefined;
  do {
    const page = await client.metrics.expired({ limit: 1_000, ...(before === undefined ? {} : { before }) });
    all.push(...page.expired);
    before = page.next ?? undefined;
  } while (before !== undefined);
  return all;
}

describe('the permission', () => {
  it('[P1, X4] required for restore and purge is configure', async () => {
    const { client } = openTestEngine({ permission: 'write' });
    expect((await refusal(client.expired.restore({ what: { ids: ['1'] } }))).code).toBe('PERMISSION_DENIED');
    expect((await refusal(client.expired.purge({}))).code).toBe('PERMISSION_DENIED');
  });
});
