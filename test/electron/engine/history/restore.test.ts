import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { EmbeddedEngine } from '../../../../electron/engine/api/context.ts';
import { APPLICATION_ID, MIGRATIONS } from '../../../../electron/engine/backends/embedded/file/migrate.ts';
import { newPass } from '../../../../electron/engine/expiry/passes.ts';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import type { OnExpire } from '../../../../shared/model/ttl-index.ts';
import { listIds, on, write } from '../../../support/documents.ts';
import { EACH_COPY } from '../../../support/each-removal.ts';
import { HOUR, MINUTE, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';
import { disagreements } from '../../../support/recount.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';

const collection = 'c';
const archive = 'archive';

interface Store extends TestEngine {
  expired(): Promise<ExpiredEntry[]>;
  entryOf(id: string): Promise<ExpiredEntry>;
  body(id: string, from?: string): Promise<unknown>;
}

async function openStore(onExpire: OnExpire = { action: 'delete' }, retention?: number): Promise<Store> {
  const test = openTestEngine();
  const { client } = test;
  await client.collections.create({ name: collection });
  await client.collections.create({ name: archive });
  await client.ttlIndexes.create({
    collection,
    name: 'exp',
    source: on('exp'),
    onExpire,
    ...(retention === undefined ? {} : { retention }),
  });
  await test.settle();
  const expired = async () => (await client.metrics.expired({})).expired;
  return {
    ...test,
    expired,
    async entryOf(id) {
      const found = (await expired()).find(({ _id }) => _id === id);
      if (found === undefined) throw new Error(`${id} has not expired`);
      return found;
    },
    body: async (id, from = collection) => (await client.documents.get({ collection: from, id })).document,
  };
}

/** Removes due documents as the reaper does, without a sweep. */
function reap({ backend, clock }: EmbeddedEngine): void {
  const source = backend.expiry.sources().find(({ index }) => index === 'exp');
  if (source === undefined) throw new Error('there is no such source');
  const pass = newPass({ id: backend.expiry.nextPassId(), collection, trigger: 'manual', at: clock.now() });
  const limits = { cutoff: clock.now(), budgetMs: () => 1_000, maxDocuments: 1_000, isLast: true };
  backend.expiry.reap(source, limits, pass);
}

function sweep({ backend }: EmbeddedEngine): void {
  while (backend.expiry.sweep(10));
}

describe('an evicted copy', () => {
  /** The row number of alice, whose copy was evicted, now belongs to bob: written later, removed and not swept. */
  async function reuseRow(test: Store): Promise<void> {
    const { client, engine, clock } = test;
    await client.reaper.pause({});
    await write(client, collection, [{ _id: 'bob', exp: clock.now() + SECOND, n: 1 }]);
    clock.advance(SECOND);
    reap(engine);
    await write(client, collection, [{ _id: 'bob', n: 2 }]);
    expect(engine.backend.unswept()).toBe(1);
  }

  async function expectGone(test: Store): Promise<void> {
    const { client, engine } = test;
    const alice = await test.entryOf('alice');
    expect(alice.restorable).toBeNull();
    const found = engine.backend.expired.find(
      { collection, restorable: true },
      { cursor: null, order: 'asc' },
    );
    expect(found.ids).not.toContain(alice.id);
    const job = await client.expired.restore({ what: { ids: [alice.id] } });
    expect(job).toMatchObject({
      succeeded: 0,
      failed: [{ _id: 'alice', code: 'EXPIRED_NOT_FOUND' }],
    });
    expect(await listIds(client, { collection })).toEqual(['bob']);
    expect(await test.body('bob')).toEqual({ _id: 'bob', n: 2 });
    sweep(engine);
    expect(await test.body('bob')).toEqual({ _id: 'bob', n: 2 });
    await test.stop();
    expect(disagreements(test.file)).toEqual([]);
  }

  it('[X4] evicted for its size is not found in the row of another document', async () => {
    const test = await openStore();
    const { client, engine, advance } = test;
    await write(client, collection, [{ _id: 'alice', exp: NOON + SECOND, n: 0 }]);
    await advance(SECOND);
    engine.backend.settings.change({ retentionBytes: 10 });
    sweep(engine);
    engine.backend.settings.change({ retentionBytes: 10_000 });
    await reuseRow(test);
    await expectGone(test);
  });

  it('[X4, R10] evicted after its retention is not found in such a row after the clock went back', async () => {
    const test = await openStore({ action: 'delete' }, HOUR / SECOND);
    const { client, engine, advance, clock } = test;
    await write(client, collection, [{ _id: 'alice', exp: NOON + SECOND, n: 0 }]);
    await advance(SECOND);
    const { restorable } = await test.entryOf('alice');
    clock.advance((restorable?.until ?? 0) + MINUTE - clock.now());
    sweep(engine);
    clock.set((restorable?.until ?? 0) - 10 * MINUTE);
    // A change of a setting reloads the catalog, including the highest row.
    engine.backend.settings.change({ retentionBytes: 10_000 });
    await reuseRow(test);
    await expectGone(test);
  });

  it('[X4] is marked in its entry, so that its row number in the file is ignored', async () => {
    const test = await openStore({ action: 'patch', patch: { exp: null } });
    const { client, engine, advance } = test;
    await write(client, collection, [{ _id: 'alice', exp: NOON + SECOND, n: 0 }]);
    await advance(SECOND);
    expect((await test.entryOf('alice')).restorable).not.toBeNull();
    engine.backend.settings.change({ retentionBytes: 10 });
    sweep(engine);
    await test.stop();
    // The recount reports "Restorable, without a copy or a dead row of its own".
    expect(disagreements(test.file)).toEqual([]);
  });

  it('[X4] evicted with its dropped collection is also marked', async () => {
    const test = await openStore();
    const { client, engine, advance } = test;
    await write(client, collection, [{ _id: 'alice', exp: NOON + SECOND, n: 0 }]);
    await advance(SECOND);
    await client.collections.drop({ collection });
    engine.backend.settings.change({ retentionBytes: 0 });
    sweep(engine);
    await test.stop();
    expect(disagreements(test.file)).toEqual([]);
  });
});

describe('an interrupted round of the sweep', () => {
  it('[X4] leaves copies that the next round does not evict, even if it starts late', async () => {
    const test = await openStore({ action: 'delete' }, 5);
    await test.client.reaper.pause({});
    const documents = Array.from({ length: 100 }, (_, i) => ({ _id: `d${i}`, exp: NOON + SECOND }));
    await write(test.client, collection, documents);
    test.clock.advance(SECOND);
    reap(test.engine);
    // One slice copies some documents and frees no row.
    test.engine.backend.expiry.sweep(0);
    await test.stop();
    expect(copies(test.file)).toBeGreaterThan(0);
    expect(copies(test.file)).toBeLessThan(100);
    const later = openTestEngine({ file: test.file, startAt: NOON + 10 * SECOND });
    sweep(later.engine);
    await later.stop();
    expect(disagreements(test.file)).toEqual([]);
  });

  function copies(file: string): number {
    const db = new Sqlite(file, { readonly: true });
    const found = db.prepare<[], number>(`SELECT count(*) FROM ${EACH_COPY}`).pluck().get() ?? 0;
    db.close();
    return found;
  }
});

describe('restoring with skip', () => {
  const patch: OnExpire = { action: 'patch', patch: { exp: null, by: 'patch' } };

  async function changed(onExpire = patch): Promise<Store & { id: string }> {
    const test = await openStore(onExpire);
    await write(test.client, collection, [{ _id: 'a', exp: NOON + SECOND, n: 1 }]);
    // A manual call instead of the reaper, so that the next write happens in the same millisecond.
    await test.client.reaper.pause({});
    test.clock.advance(SECOND);
    reap(test.engine);
    return { ...test, id: (await test.entryOf('a')).id };
  }

  async function expectSkipped({ client, id }: Store & { id: string }): Promise<void> {
    expect(await client.expired.restore({ what: { ids: [id] } })).toMatchObject({
      succeeded: 0,
      failed: [{ _id: 'a', code: 'DOCUMENT_EXISTS' }],
    });
  }

  it('[X4] replaces a document that is unchanged since the action', async () => {
    const { client, id, body } = await changed();
    expect(await client.expired.restore({ what: { ids: [id] } })).toMatchObject({ succeeded: 1 });
    expect(await body('a')).toEqual({ _id: 'a', exp: NOON + SECOND, n: 1 });
  });

  it('[X4] leaves a document that was written in the same millisecond as the action', async () => {
    const test = await changed();
    await write(test.client, collection, [{ _id: 'a', n: 2 }], { mode: 'upsert' });
    await expectSkipped(test);
    expect(await test.body('a')).toEqual({ _id: 'a', n: 2 });
  });

  it('[X4] leaves a document that was deleted and written again in the same millisecond, in the same row', async () => {
    const test = await changed();
    await test.client.documents.delete({ collection, id: 'a' });
    test.engine.backend.settings.change({ retentionBytes: 10_000 });
    await write(test.client, collection, [{ _id: 'a', n: 2 }]);
    await expectSkipped(test);
    expect(await test.body('a')).toEqual({ _id: 'a', n: 2 });
  });

  it('[X4, E1] leaves a document that was pinned since, or has another expiration', async () => {
    const test = await changed();
    await test.client.documents.setExpiration({ params: { collection, id: 'a' }, body: { never: true } });
    await expectSkipped(test);
    const never = await test.client.documents.get({ collection, id: 'a' });
    expect(never).toMatchObject({ state: 'pinned', document: { by: 'patch' } });
    await test.client.documents.clearExpiration({ collection, id: 'a' });
    await expectSkipped(test);
  });

  it('[X4] leaves a document that another action has changed since', async () => {
    const test = await changed({ action: 'patch', patch: { exp: null, again: null } });
    await test.client.ttlIndexes.create({
      collection,
      name: 'again',
      source: on('n2'),
      onExpire: { action: 'patch', patch: { n2: null } },
    });
    await test.settle();
    await write(test.client, collection, [{ _id: 'b', exp: NOON + SECOND, n2: NOON + SECOND }]);
    await test.client.reaper.resume({});
    await test.advance(SECOND);
    const entries = (await test.expired()).filter(({ _id }) => _id === 'b').map(({ id }) => id);
    expect(entries).toHaveLength(2);
    const [latest = '', first = ''] = entries;
    expect(await test.client.expired.restore({ what: { ids: [first] } })).toMatchObject({ failedCount: 1 });
    expect(await test.client.expired.restore({ what: { ids: [latest] } })).toMatchObject({ succeeded: 1 });
  });

  it('[X4, A4] leaves a moved document in its archive if it was pinned there, or written again unchanged', async () => {
    const test = await openStore({ action: 'move', to: archive });
    const { client } = test;
    const documents = ['a', 'b', 'c'].map(_id => ({ _id, exp: NOON + SECOND }));
    await write(client, collection, documents);
    await test.advance(SECOND);
    await client.documents.setExpiration({ params: { collection: archive, id: 'a' }, body: { never: true } });
    await client.documents.delete({ collection: archive, id: 'b' });
    await write(client, archive, [{ _id: 'b', exp: NOON + SECOND }]);
    const ids = (await test.expired()).map(({ id }) => id);
    expect(await client.expired.restore({ what: { ids } })).toMatchObject({ succeeded: 3 });
    expect(await listIds(client, { collection: archive })).toEqual(['a', 'b']);
    await test.advance(HOUR);
    expect(await listIds(client, { collection })).toEqual(['a', 'b', 'c']);
    await test.stop();
    expect(disagreements(test.file)).toEqual([]);
  });
});

/** Migrations of the version that did not record who wrote a document. */
const BEFORE_LEFT_BY = 3;

describe('a store of the previous version', () => {
  it('[X4] counts documents that an action had changed as written since', async () => {
    const file = temporaryStoreFile();
    const db = new Sqlite(file);
    for (const step of MIGRATIONS.slice(0, BEFORE_LEFT_BY)) {
      if (typeof step === 'string') db.exec(step);
      else step(db);
    }
    db.exec(`
      PRAGMA user_version = ${BEFORE_LEFT_BY}; PRAGMA application_id = ${APPLICATION_ID};
      UPDATE meta SET value = 7 WHERE key = 'revision';
      INSERT OR REPLACE INTO meta (key, value) VALUES ('oldest', 8);
      UPDATE meta SET value = 2 WHERE key = 'nextSideTable';
      CREATE TABLE documents_1 (row INTEGER PRIMARY KEY, id TEXT NOT NULL, updated_at INTEGER NOT NULL,
        explicit_at INTEGER, explicit_after INTEGER, body TEXT NOT NULL, explicit_action TEXT);
      CREATE TABLE keys_1 (id TEXT PRIMARY KEY, row INTEGER NOT NULL) WITHOUT ROWID;
      CREATE TABLE entries_1 (reference INTEGER NOT NULL, row INTEGER NOT NULL, bytes INTEGER NOT NULL,
        PRIMARY KEY (reference, row)) WITHOUT ROWID;
      CREATE TABLE counts_1 (level INTEGER NOT NULL, bucket INTEGER NOT NULL, documents INTEGER NOT NULL,
        bytes INTEGER NOT NULL, PRIMARY KEY (level, bucket)) WITHOUT ROWID;
      INSERT INTO collections (id, name, created_at, documents, bytes, explicit) VALUES (1, 'c', ${NOON}, 1, 11, 1);
      INSERT INTO documents_1 (row, id, updated_at, body) VALUES (1, 'a', ${NOON}, '{"_id":"a"}');
      INSERT INTO keys_1 VALUES ('a', 1);
      INSERT INTO removals (seq, revision, position, collection, source, row, id, deadline, removed_at, pass, action, gone, keep_until)
        VALUES (1, 7, 0, 1, 0, 1, 'a', ${NOON}, ${NOON}, 1, 1, 0, ${NOON + HOUR});
      INSERT INTO retained VALUES (1, ${(NOON + HOUR) / MINUTE}, '{"_id":"a","n":1}');
      UPDATE meta SET value = 17 WHERE key = 'retainedBytes';
      UPDATE meta SET value = 1 WHERE key = 'swept';
    `);
    db.close();
    const test = openTestEngine({ file });
    const ids = ['1'];
    expect(await test.client.expired.restore({ what: { ids } })).toMatchObject({
      failed: [{ _id: 'a', code: 'DOCUMENT_EXISTS' }],
    });
    const replaced = await test.client.expired.restore({ what: { ids }, onConflict: 'replace' });
    expect(replaced).toMatchObject({ succeeded: 1 });
    expect(await test.client.documents.get({ collection, id: 'a' })).toMatchObject({ document: { n: 1 } });
    await test.stop();
    expect(disagreements(file)).toEqual([]);
  });
});
