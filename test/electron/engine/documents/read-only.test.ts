import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it, vi } from 'vitest';
import { openTestConnections } from '../../../support/connections.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { startTestThread } from '../../../support/thread.ts';

const PATIENT = { timeout: 30_000, interval: 100 };

/**
 * Returns a folder's files byte for byte, without the lock and SQLite's index of the log, which are not part of the
 * store.
 */
function bytesOf(folder: string): [string, string][] {
  return readdirSync(folder)
    .filter(name => !/-(shm|lock|lock-journal|owner)$/.test(name))
    .map(name => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]);
}

/** Creates a store with a document that is due soon and one that is not. `left` is the way in which it is left. */
async function aStore(left: 'closing' | 'a crash'): Promise<{ folder: string; file: string }> {
  const [made, folder] = [temporaryFolder(), temporaryFolder()];
  const from = join(made, 'other.sandglass');
  const { client, stop } = await startTestThread(from);
  await client.collections.create({ name: 'sessions' });
  const params = { collection: 'sessions', id: 'due' };
  await client.documents.put({ params, body: { n: 1 } });
  await client.documents.put({ params: { ...params, id: 'stays' }, body: { n: 2 } });
  await client.tokens.create({ name: 'ci', permission: 'read' });
  await client.documents.setExpiration({ params, body: { at: Date.now() + 3_000 } });
  if (left === 'closing') await stop();
  for (const name of readdirSync(made).filter(one => /sandglass(-wal|-tokens)?$/.test(one)))
    copyFileSync(join(made, name), join(folder, name));
  return { folder, file: join(folder, 'other.sandglass') };
}

it.each(['closing', 'a crash'] as const)(
  '[P2, V1] after %s, a read-only connection hides due documents, refuses every change and writes nothing',
  async left => {
    const all = await openTestConnections();
    const { folder, file } = await aStore(left);
    const before = bytesOf(folder);
    const { id, state } = await all
      .client()
      .connections.add({ name: 'production', readOnly: true, target: { kind: 'file', file } });
    expect(state.is).not.toBe('failed');
    const client = all.client(id);
    const ids = async () =>
      (await client.documents.list({ collection: 'sessions' })).documents.map(({ _id }) => _id);
    await vi.waitFor(async () => expect(await ids()).toEqual(['stays']), PATIENT);
    expect(await client.store.info()).toMatchObject({ readOnly: true, permission: 'configure' });

    // Calls of every permission.
    const refused = { code: 'READ_ONLY', message: expect.stringContaining('read-only') };
    const params = { collection: 'sessions', id: 'stays' };
    for (const change of [
      client.documents.put({ params, body: {} }),
      client.collections.create({ name: 'x' }),
      client.collections.drop({ collection: 'sessions' }),
      client.settings.update({ retention: 1 }),
      client.reaper.pause({}),
      client.reaper.run({ collection: 'sessions' }),
      client.tokens.create({ name: 'x', permission: 'read' }),
      client.tokens.revoke({ name: 'ci' }),
      client.store.loadSampleData({ documents: 1 }),
      client.imports.start({ collection: 'sessions', format: 'ndjson', mode: 'upsert' }),
      client.replication.register({ follower: 'f' }),
    ])
      await expect(change).rejects.toMatchObject(refused);
    expect(await client.tokens.list()).toMatchObject([{ name: 'ci', lastUsedAt: null }]);
    await client.tokens.whose({ sha256: 'nobody' });
    await client.metrics.prometheus();
    await client.timeline.get({ from: Date.now() - 1e6, to: Date.now() + 1e6, buckets: 10 });
    await client.events.read({ from: '0' });
    // No document is removed here, so the reaper reports that it is off.
    expect(await client.reaper.get()).toMatchObject({ state: 'off', nextWakeAt: null });
    const { text } = await client.metrics.prometheus();
    expect(text).toContain('reaper_state{state="off"} 1');
    expect(text).toContain('reaper_state{state="running"} 0');

    const files = (names: readonly [string, string][]) =>
      names.filter(([name]) => !name.endsWith('-wal') || left === 'a crash');
    expect(files(bytesOf(folder))).toEqual(before);
    await all.client().connections.close({ id });
    expect(bytesOf(folder)).toEqual(before);

    // Due documents are removed once read-only is turned off.
    await all.client().connections.open({ id });
    await all.client().connections.change({ id, readOnly: false });
    await vi.waitFor(
      async () => expect(await all.client(id).collections.list()).toMatchObject([{ documents: 1 }]),
      PATIENT,
    );
  },
  60_000,
);

it('[P2] a store of an earlier format, or a missing one, is not opened read-only, and stays unchanged', async () => {
  const all = await openTestConnections();
  const folder = temporaryFolder();
  const file = join(folder, 'earlier.sandglass');
  const { stop } = await startTestThread(file);
  await stop();
  const db = new Sqlite(file);
  db.pragma('user_version = 2');
  db.close();
  const before = bytesOf(folder);
  const add = (path: string) =>
    all.client().connections.add({ name: 'x', readOnly: true, target: { kind: 'file', file: path } });
  await expect(add(file)).rejects.toMatchObject({
    code: 'READ_ONLY',
    message: expect.stringContaining('Open it once without read-only'),
  });
  await expect(add(join(folder, 'none.sandglass'))).rejects.toMatchObject({ code: 'INVALID_CONNECTION' });
  expect(bytesOf(folder)).toEqual(before);
  expect(all.connections.list).toHaveLength(1);
});

it('[P2] the home store can be made read-only, and writable again, with the configure permission', async () => {
  const all = await openTestConnections();
  await all.client().collections.create({ name: 'c' });
  await all.client().connections.change({ id: 'home', readOnly: true });
  await vi.waitFor(async () => {
    const client = all.client();
    expect(await client.store.info()).toMatchObject({ readOnly: true });
    await expect(client.collections.create({ name: 'd' })).rejects.toMatchObject({ code: 'READ_ONLY' });
  }, PATIENT);
  await all.stop();
  const again = await openTestConnections(all.folder);
  expect(await again.client().store.info()).toMatchObject({ readOnly: true });
  await again.client().connections.change({ id: 'home', readOnly: false });
  await vi.waitFor(
    async () => expect(await again.client().store.info()).toMatchObject({ readOnly: false }),
    PATIENT,
  );
  await again.client().collections.create({ name: 'd' });
}, 120_000);
