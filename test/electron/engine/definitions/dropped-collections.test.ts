import { readFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Client } from '../../../../shared/contract/index.ts';
import { listIds, on, refusal, write } from '../../../support/documents.ts';
import { DAY, HOUR, MINUTE, NOON, openTestEngine, SECOND } from '../../../support/engine.ts';
import { disagreements } from '../../../support/recount.ts';

const collection = 'c';

/** `a` and `b` never expire, `soon` expires in a minute, `gone` has expired. */
async function withDocuments() {
  const test = openTestEngine();
  const { client } = test;
  await client.collections.create({ name: collection });
  await client.ttlIndexes.create({ collection, name: 'exp', source: on('exp') });
  await test.settle();
  await write(client, collection, [
    { _id: 'a' },
    { _id: 'b' },
    { _id: 'soon', exp: NOON + MINUTE },
    { _id: 'gone', exp: NOON + SECOND },
  ]);
  await test.advance(SECOND);
  return test;
}

async function only(client: Client) {
  const [dropped, ...others] = await client.collections.dropped({});
  if (dropped === undefined || others.length > 0) throw new Error(`one was expected, not ${others.length}`);
  return dropped;
}

async function ended(client: Client, id: string) {
  for (;;) {
    const job = await client.jobs.get({ job: id });
    if (job.state !== 'running') return job;
    await new Promise(resolve => setImmediate(resolve));
  }
}

function tablesOf(file: string): string[] {
  const db = new Sqlite(file, { readonly: true });
  const names = db
    .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB '*_[0-9]*'`)
    .pluck()
    .all();
  db.close();
  return names;
}

describe('a dropped collection', () => {
  it('[X4] is not listed, and is restored completely: documents, indexes, pauses, history, restorable copies', async () => {
    const { client, advance, engine, settle, file, stop } = await withDocuments();
    await client.reaper.pause({ collection, index: 'exp' });
    const before = await client.collections.get({ collection });
    expect(await client.collections.drop({ collection })).toEqual({ dropped: true, documents: 3 });
    expect(await client.collections.list({})).toEqual([]);
    expect((await client.metrics.expired({})).expired).toEqual([]);
    expect((await client.reaper.passes({ limit: 10 })).passes).toEqual([]);
    expect(engine.backend.expiry.sources()).toEqual([]);
    expect((await refusal(client.documents.list({ collection }))).code).toBe('COLLECTION_NOT_FOUND');
    const dropped = await only(client);
    expect(dropped).toMatchObject({
      name: collection,
      documents: 3,
      droppedAt: NOON + SECOND,
      droppedBy: 'ada',
      keepUntil: NOON + SECOND + DAY,
    });
    await advance(SECOND);
    expect(await client.collections.restore({ id: dropped.id })).toEqual(before);
    expect(await client.collections.dropped({})).toEqual([]);
    await settle();
    expect(await listIds(client, { collection })).toEqual(['a', 'b', 'soon']);
    expect((await client.reaper.passes({ limit: 10 })).passes).toHaveLength(1);
    const [expiry] = (await client.metrics.expired({})).expired;
    await client.expired.restore({ what: { ids: [expiry?.id ?? ''] } });
    expect(await listIds(client, { collection })).toEqual(['a', 'b', 'gone', 'soon']);
    expect((await refusal(client.collections.restore({ id: dropped.id }))).code).toBe('COLLECTION_NOT_FOUND');
    await stop();
    expect(disagreements(file)).toEqual([]);
  });

  it('[X4] frees its name for another collection, beside which it is restored under a new one', async () => {
    const { client, advance, file, stop } = await withDocuments();
    await client.collections.drop({ collection });
    await client.collections.create({ name: collection });
    await write(client, collection, [{ _id: 'new' }]);
    const { id } = await only(client);
    const refused = await refusal(client.collections.restore({ id }));
    expect(refused.code).toBe('COLLECTION_EXISTS');
    expect(refused.message).toContain('another name');
    await client.collections.restore({ id, name: 'c again' });
    expect(await listIds(client, { collection })).toEqual(['new']);
    expect(await listIds(client, { collection: 'c again' })).toEqual(['a', 'b', 'soon']);
    // The index continues under that name.
    await advance(MINUTE);
    expect(await listIds(client, { collection: 'c again' })).toEqual(['a', 'b']);
    await stop();
    expect(disagreements(file)).toEqual([]);
  });

  it('[X4, R9] holds documents that became due meanwhile, so that none expires when it is restored', async () => {
    const test = await withDocuments();
    const { client, advance } = test;
    await client.collections.drop({ collection });
    await advance(HOUR);
    const { id } = await only(client);
    const { revision } = test.engine.backend;
    const summary = await client.collections.restore({ id });
    expect(summary.holds).toMatchObject([{ cause: 'restored collection', by: 'ada', due: 1 }]);
    // One revision: the collection is never listed without its hold, even if the process ends during the restore.
    expect(test.engine.backend.revision).toBe(revision + 1);
    await advance(HOUR);
    expect(await client.documents.get({ collection, id: 'soon', includeExpired: true })).toMatchObject({
      _id: 'soon',
    });
  });

  it('[X4] is kept after a restart, with its remaining tombstones swept', async () => {
    const test = await withDocuments();
    await test.client.collections.drop({ collection });
    const { client, settle } = await test.reopen(MINUTE);
    await settle();
    const { id } = await only(client);
    await client.collections.restore({ id });
    expect(await listIds(client, { collection, includeExpired: true })).toEqual(['a', 'b', 'soon']);
  });

  it('[X4] whose removed documents were not yet swept is restored without them', async () => {
    const test = openTestEngine();
    const { client, engine, clock, advance } = test;
    await client.collections.create({ name: collection });
    await client.ttlIndexes.create({ collection, name: 'exp', source: on('exp') });
    await test.settle();
    await client.reaper.pause({});
    await write(client, collection, [{ _id: 'x', exp: NOON + SECOND, n: 1 }, { _id: 'y' }]);
    clock.set(NOON + SECOND);
    // Completed by a write, and not swept: the reaper is paused.
    await write(client, collection, [{ _id: 'x', n: 2 }]);
    expect(engine.backend.unswept()).toBe(1);
    await client.collections.drop({ collection });
    await client.reaper.resume({});
    await advance(MINUTE);
    expect(engine.backend.unswept()).toBe(0);
    await client.collections.restore({ id: (await only(client)).id });
    expect(await listIds(client, { collection, includeExpired: true })).toEqual(['x', 'y']);
    expect((await client.documents.get({ collection, id: 'x' })).document).toMatchObject({ n: 2 });
    await test.stop();
    expect(disagreements(test.file)).toEqual([]);
  });

  it('[X4] continues the build of an index that the drop interrupted', async () => {
    const test = openTestEngine();
    const { client, engine } = test;
    await client.collections.create({ name: collection });
    const many = Array.from({ length: 3_000 }, (_, i) => ({ _id: `d${i}`, exp: NOON + DAY }));
    await write(client, collection, many);
    engine.backend.createIndex(
      collection,
      {
        name: 'exp',
        source: on('exp'),
        onExpire: { action: 'delete' },
        schedule: { mode: 'exact' },
        limits: {},
        retention: null,
      },
      { by: 'ada' },
    );
    engine.backend.backfill({ kind: 'index', collection, index: 'exp' }, 0.01);
    await client.collections.drop({ collection });
    await client.collections.restore({ id: (await only(client)).id });
    await test.settle();
    expect(await client.collections.get({ collection })).toMatchObject({ withDeadline: 3_000 });
    await test.stop();
    expect(disagreements(test.file)).toEqual([]);
  });

  it('[X4] is deleted with its tables when its retention ends', async () => {
    const test = await withDocuments();
    const { client, advance } = test;
    await client.collections.drop({ collection });
    expect(tablesOf(test.file).length).toBeGreaterThan(0);
    await advance(DAY - 1);
    expect(await client.collections.dropped({})).toHaveLength(1);
    await advance(MINUTE);
    expect(await client.collections.dropped({})).toEqual([]);
    await test.stop();
    expect(tablesOf(test.file)).toEqual([]);
    expect(disagreements(test.file)).toEqual([]);
  });

  it('[X4] is deleted at once without a retention', async () => {
    const test = await withDocuments();
    test.engine.backend.settings.change({ retention: 0 });
    await test.client.collections.drop({ collection });
    expect(await test.client.collections.dropped({})).toEqual([]);
    await test.advance(MINUTE);
    expect(tablesOf(test.file)).toEqual([]);
  });

  it('[X4] that is purged is erased from file and log, which is recorded', async () => {
    const test = openTestEngine();
    const { client, file } = test;
    await client.collections.create({ name: 'other' });
    await client.collections.create({ name: collection });
    await client.ttlIndexes.create({ collection, name: 'exp', source: on('exp') });
    await test.settle();
    await write(client, 'other', [{ _id: 'kept-key', text: 'kept-body' }]);
    await write(
      client,
      collection,
      Array.from({ length: 500 }, (_, i) => ({
        _id: `erased-key-${i}`,
        text: `erased-body-${i}${'x'.repeat(i)}`,
        exp: i % 2 ? NOON + SECOND : null,
      })),
    );
    await test.advance(SECOND);
    await client.collections.drop({ collection });
    const { id } = await only(client);
    const job = await ended(client, (await client.collections.purge({ id })).id);
    expect(job).toMatchObject({ kind: 'purge', state: 'done', done: 250 });
    const bytes = readFileSync(file, 'latin1') + readFileSync(`${file}-wal`, 'latin1');
    expect(bytes).toContain('kept-key');
    expect(bytes).toContain('kept-body');
    expect(bytes).not.toContain('erased-key');
    expect(bytes).not.toContain('erased-body');
    expect(await client.expired.purges({})).toEqual([
      {
        id: 1,
        collection,
        by: 'ada',
        documents: 250,
        erasedAt: NOON + SECOND,
        purgedAt: NOON + SECOND,
        followers: [],
        notReached: ['backups', 'exports'],
      },
    ]);
    expect((await refusal(client.collections.restore({ id }))).code).toBe('COLLECTION_NOT_FOUND');
    await test.advance(HOUR);
    await test.stop();
    expect(disagreements(file)).toEqual([]);
  });
});

describe('the limit of kept bytes', () => {
  it('[X4] frees the oldest first, regardless of their retention', async () => {
    const test = openTestEngine();
    const { client, advance, engine } = test;
    await client.collections.create({ name: collection });
    await client.ttlIndexes.create({ collection, name: 'exp', source: on('exp') });
    await test.settle();
    for (let i = 0; i < 10; i++)
      await write(client, collection, [
        { _id: `d${i}`, exp: NOON + (i + 1) * SECOND, text: 'x'.repeat(1_000) },
      ]);
    await advance(MINUTE);
    const restorable = async () =>
      (await client.metrics.expired({})).expired
        .filter(entry => entry.restorable !== null)
        .map(({ _id }) => _id);
    expect(await restorable()).toHaveLength(10);
    engine.backend.settings.change({ retentionBytes: 5_000 });
    await advance(MINUTE);
    expect(await restorable()).toEqual(['d9', 'd8', 'd7', 'd6']);
    await write(client, collection, [{ _id: 'e', exp: NOON, text: 'x'.repeat(1_000) }]);
    await advance(SECOND);
    expect(await restorable()).toEqual(['e', 'd9', 'd8', 'd7']);
    await test.stop();
    const db = new Sqlite(test.file, { readonly: true });
    expect(db.prepare(`SELECT value FROM meta WHERE key = 'retainedBytes'`).pluck().get()).toBe(
      db.prepare('SELECT sum(octet_length(body)) FROM retained').pluck().get(),
    );
    db.close();
  });

  it('[X4] includes dropped collections', async () => {
    const test = await withDocuments();
    const { client, advance, engine } = test;
    await client.collections.drop({ collection });
    await client.collections.create({ name: 'later' });
    await write(client, 'later', [{ _id: 'x', text: 'x'.repeat(10_000) }]);
    await advance(SECOND);
    await client.collections.drop({ collection: 'later' });
    engine.backend.settings.change({ retentionBytes: 10_100 });
    await advance(MINUTE);
    expect((await client.collections.dropped({})).map(({ name }) => name)).toEqual(['later']);
  });
});

describe('the log of expired documents', () => {
  it('[X4, R7] keeps a row while its document is restorable, and deletes it with its copy', async () => {
    const test = openTestEngine();
    const { client, advance, engine } = test;
    engine.backend.settings.change({ logSeconds: 60 });
    await client.collections.create({ name: collection });
    for (const [name, retention] of [
      ['long', 3 * 86_400],
      ['none', 0],
    ] as const)
      await client.ttlIndexes.create({ collection, name, source: on(name), retention });
    await test.settle();
    await write(client, collection, [
      { _id: 'long', long: NOON + SECOND },
      { _id: 'none', none: NOON + SECOND },
    ]);
    const ids = async () => (await client.metrics.expired({})).expired.map(({ _id }) => _id).sort();
    await advance(DAY);
    expect(await ids()).toEqual(['long', 'none']);
    await write(client, collection, [{ _id: 'other' }]);
    engine.backend.compactLog();
    const minutes = async (count: number) => {
      for (let i = 0; i < count; i++) await advance(MINUTE);
    };
    await minutes(3);
    expect(await ids()).toEqual(['long']);
    await advance(2 * DAY);
    await minutes(3);
    expect(await ids()).toEqual([]);
  });
});
