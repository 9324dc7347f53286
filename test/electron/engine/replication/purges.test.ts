import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { APPLICATION_ID, MIGRATIONS } from '../../../../electron/engine/backends/embedded/file/migrate.ts';
import { PURGE_FOLLOWERS } from '../../../../electron/engine/backends/embedded/file/migrations/purge-followers.ts';
import type { Client } from '../../../../shared/contract/index.ts';
import { REPLICATION_VERSIONS } from '../../../../shared/model/replication-protocol.ts';
import { on, write } from '../../../support/documents.ts';
import { MINUTE, NOON, openTestEngine, SECOND } from '../../../support/engine.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';

/** Returns a job once it has ended. */
async function ended(client: Client, { id }: { id: string }) {
  for (;;) {
    const job = await client.jobs.get({ job: id });
    if (job.state !== 'running') return job;
    await new Promise(resolve => setImmediate(resolve));
  }
}

/** Returns every change in the change log, as text. */
function logOf(file: string): string {
  const db = new Sqlite(file, { readonly: true });
  const rows = db.prepare<[], string>('SELECT changes FROM log ORDER BY revision').pluck().all();
  db.close();
  return rows.join('\n');
}

async function withCollection(name: string, ids: readonly string[]) {
  const test = openTestEngine();
  await test.client.collections.create({ name });
  await test.client.ttlIndexes.create({ collection: name, name: 'exp', source: on('exp') });
  await test.settle();
  await write(
    test.client,
    name,
    ids.map(_id => ({ _id, exp: NOON + SECOND })),
  );
  return test;
}

/** Drops a collection and returns its number. */
async function drop(client: Client, collection: string): Promise<number> {
  await client.collections.drop({ collection });
  const [dropped] = await client.collections.dropped({});
  if (dropped === undefined) throw new Error('the dropped collection is not listed');
  return dropped.id;
}

describe('a purge', () => {
  it('[X4] of a collection that had another name before erases its entries in the log under both', async () => {
    const { client, file } = await withCollection('c', ['under c']);
    await client.collections.restore({ id: await drop(client, 'c'), name: 'd' });
    await write(client, 'd', [{ _id: 'under d' }]);
    const id = await drop(client, 'd');
    expect(logOf(file)).toContain('under c');
    expect(await ended(client, await client.collections.purge({ id }))).toMatchObject({ state: 'done' });
    expect(logOf(file)).not.toContain('under');
  });

  it('[X4] of the second collection of a name keeps the log’s entries of the first, and vice versa', async () => {
    for (const purged of ['first', 'second']) {
      const { client, file, clock } = await withCollection('c', ['of the first']);
      const first = await drop(client, 'c');
      clock.advance(SECOND);
      await client.collections.create({ name: 'c' });
      await write(client, 'c', [{ _id: 'of the second' }]);
      const second = await drop(client, 'c');
      const id = purged === 'first' ? first : second;
      expect(await ended(client, await client.collections.purge({ id }))).toMatchObject({ state: 'done' });
      expect(logOf(file).match(/of the \w+/g)).toEqual([
        purged === 'first' ? 'of the second' : 'of the first',
      ]);
    }
  });

  it('[X4] of expired documents erases their entries in the log under an earlier name of their collection', async () => {
    const { client, file, advance, settle } = await withCollection('c', ['gone']);
    await client.collections.restore({ id: await drop(client, 'c'), name: 'd' });
    await settle();
    await advance(2 * SECOND);
    await client.reaper.confirm({ collection: 'd' }).catch(() => {});
    await advance(SECOND);
    const { expired } = await client.metrics.expired({});
    expect(expired.map(({ _id }) => _id)).toEqual(['gone']);
    const ids = expired.map(({ id }) => id);
    expect(await ended(client, await client.expired.purge({ what: { ids } }))).toMatchObject({ done: 1 });
    expect(logOf(file)).not.toContain('gone');
  });

  it('[X4, R10] of a span finds all of its documents although the clock went back between removals', async () => {
    const { client, advance, clock, settle } = await withCollection('c', []);
    const later = Array.from({ length: 2_000 }, (_, i) => ({ _id: `later ${i}`, exp: NOON + 40 * MINUTE }));
    await write(client, 'c', later);
    await advance(40 * MINUTE);
    clock.set(NOON + 20 * MINUTE);
    await write(client, 'c', [{ _id: 'earlier', exp: NOON + 21 * MINUTE }]);
    await settle();
    await advance(MINUTE);
    const span = { collection: 'c', removedTo: NOON + 30 * MINUTE };
    expect(await ended(client, await client.expired.purge({ what: span }))).toMatchObject({ done: 1 });
    const { expired } = await client.metrics.expired({});
    expect(expired.some(({ _id }) => _id === 'earlier')).toBe(false);
    expect(expired.length).toBeGreaterThan(0);
  });

  it('[X4] between two sweeps does not stop the freeing of rows', async () => {
    const { client, advance, file } = await withCollection('c', []);
    const stays = Array.from({ length: 100 }, (_, i) => ({ _id: `stays ${i}` }));
    await write(client, 'c', [...stays, { _id: 'first', exp: NOON + SECOND }]);
    await advance(2 * SECOND);
    expect(await ended(client, await client.expired.purge({}))).toMatchObject({ state: 'done', done: 1 });
    await write(client, 'c', [{ _id: 'second', exp: NOON + 3 * SECOND }]);
    await advance(10 * SECOND);
    expect(await client.reaper.get({})).toMatchObject({ state: 'running', problem: null });
    const db = new Sqlite(file, { readonly: true });
    const [id] = db.prepare<[], number>('SELECT id FROM collections').pluck().all();
    expect(db.prepare(`SELECT id FROM keys_${id} WHERE id IN ('first', 'second')`).all()).toEqual([]);
    db.close();
  });

  it('[X4] after a cancelled one erases the entries in the log that the first one left', async () => {
    const ids = Array.from({ length: 200 }, (_, i) => `gone-${i}`);
    const { client, engine, advance, file } = await withCollection('c', ids);
    await advance(SECOND);
    const left = () =>
      engine.backend.expired.find({ collection: null }, { cursor: null, order: 'asc' }).ids.length;
    const job = await client.expired.purge({});
    while (left() === ids.length) await new Promise(resolve => setImmediate(resolve));
    await client.jobs.cancel({ job: job.id });
    expect(await ended(client, job)).toMatchObject({ state: 'cancelled' });
    expect(left()).toBeGreaterThan(0);
    expect(await ended(client, await client.expired.purge({}))).toMatchObject({ state: 'done' });
    expect(logOf(file)).not.toContain('gone-');
  });

  it('[X4] is recorded with the names of pending followers, and with the copies that it does not include', async () => {
    const { client, advance, reopen } = await withCollection('c', ['gone']);
    await client.replication.register({ follower: 'mirror', ...REPLICATION_VERSIONS });
    await advance(SECOND);
    expect(await ended(client, await client.expired.purge({}))).toMatchObject({ done: 1 });
    const record = {
      documents: 1,
      purgedAt: null,
      followers: [{ name: 'mirror', state: 'pending' }],
      notReached: ['backups', 'exports'],
    };
    expect(await client.expired.purges({})).toMatchObject([record]);
    const { client: again } = await reopen();
    expect(await again.expired.purges({})).toMatchObject([record]);
  });
});

describe('purges of an earlier version', () => {
  it('[X4] keep their instant if they named no follower, and otherwise are pending on the named ones', async () => {
    const file = temporaryStoreFile();
    const before = new Sqlite(file);
    before.pragma(`application_id = ${APPLICATION_ID}`);
    const version = MIGRATIONS.indexOf(PURGE_FOLLOWERS);
    for (const step of MIGRATIONS.slice(0, version)) {
      if (typeof step === 'string') before.exec(step);
      else step(before);
    }
    before.exec(`
      INSERT INTO purges VALUES (1, 5, 'ada', 2, '[]'), (2, 6, 'ada', 3, '["here","gone"]'), (3, 7, 'ada', 4, '["gone"]');
      INSERT INTO followers VALUES ('here', 0, ${NOON});
    `);
    before.pragma(`user_version = ${version}`);
    before.close();
    const { client, engine } = openTestEngine({ file });
    expect(await client.expired.purges({})).toMatchObject([
      { id: 3, erasedAt: 7, purgedAt: 7, followers: [{ name: 'gone', state: 'forgotten' }] },
      {
        id: 2,
        erasedAt: 6,
        purgedAt: null,
        followers: [
          { name: 'gone', state: 'forgotten' },
          { name: 'here', state: 'pending' },
        ],
      },
      { id: 1, erasedAt: 5, purgedAt: 5, followers: [] },
    ]);
    // Followers erase earlier purges once.
    expect(engine.backend.purges.latest?.id).toBe(3);
    engine.backend.purges.confirm('here', 3);
    expect((await client.expired.purges({}))[1]).toMatchObject({ purgedAt: NOON });
  });
});
