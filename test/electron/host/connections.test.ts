import { createHash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it, vi } from 'vitest';
import { readOwner } from '../../../electron/engine/files/owner-file.ts';
import { lineToDoor } from '../../../electron/host/local-socket/socket-client.ts';
import type { ConnectionRecord } from '../../../shared/contract/connections.ts';
import { openTestStores, type TestStores } from '../../support/stores.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { startTestThread } from '../../support/thread.ts';

const file = (path: string) => ({ kind: 'file', file: path }) as const;
const PATIENT = { timeout: 20_000 };

function add({ client, folder }: TestStores, name: string, more: object = {}): Promise<ConnectionRecord> {
  return client().connections.add({ name, target: file(join(folder, `${name}.sandglass`)), ...more });
}

async function stateOf({ stores }: TestStores, id: string, is: ConnectionRecord['state']['is']) {
  return vi.waitFor(() => {
    const state = stores.list.find(one => one.id === id)?.state;
    expect(state?.is).toBe(is);
    return state;
  }, PATIENT);
}

const sha = (path: string) =>
  existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'absent';

describe('stores that are open at once', () => {
  it('do not mix, also where their collections are called alike, and each removes what is due in it', async () => {
    const all = await openTestStores();
    const { id } = await add(all, 'other');
    const [home, other] = [all.client(), all.client(id)];
    const params = { collection: 'sessions', id: 'a' };
    for (const client of [home, other]) {
      await client.collections.create({ name: 'sessions' });
      await client.documents.put({ params, body: {} });
    }
    await other.documents.put({ params: { ...params, id: 'b' }, body: {} });
    const counts = async () =>
      (await Promise.all([home, other].map(client => client.collections.list()))).map(
        list => list[0]?.documents,
      );
    expect(await counts()).toEqual([1, 2]);
    const body = { at: Date.now() + 200 };
    for (const client of [home, other]) await client.documents.setExpiration({ params, body });
    await vi.waitFor(async () => expect(await counts()).toEqual([0, 1]), PATIENT);
    expect(await home.store.info()).toMatchObject({ connection: 'home', readOnly: false });
    expect(await other.store.info()).toMatchObject({ connection: id, name: 'other.sandglass' });
  });

  it('are told alike by every engine, at once and again when the list changes', async () => {
    const all = await openTestStores();
    const updates = (await all.client().live.watch())[Symbol.asyncIterator]();
    const next = async () => {
      const { done, value } = await updates.next();
      return done === true ? undefined : value.connections;
    };
    expect(await next()).toMatchObject([{ id: 'home', name: 'home', state: { is: 'open' } }]);
    const { id } = await add(all, 'other', { colour: 4, environment: 'production' });
    for (let told: readonly ConnectionRecord[] = []; told[1]?.state.is !== 'open'; ) {
      told = (await next()) ?? told;
    }
    await updates.return?.();
    expect(await all.client(id).connections.list()).toEqual(await all.client().connections.list());
    expect(all.stores.list).toMatchObject([{ id: 'home' }, { id, colour: 4, environment: 'production' }]);
  });

  it('are opened again with their host, but those that were closed', async () => {
    const all = await openTestStores();
    const [kept, closed] = [await add(all, 'kept', { readOnly: false }), await add(all, 'closed')];
    await all.client(kept.id).collections.create({ name: 'still here' });
    await all.client().connections.change({ id: 'home', name: 'Staging', colour: 6 });
    await all.client().connections.close({ id: closed.id });
    const before = all.stores.list.map(({ id, name, colour }) => ({ id, name, colour }));
    await all.stop();
    expect(statSync(join(all.folder, 'home.sandglass-connections')).mode & 0o777).toBe(
      process.platform === 'win32' ? 0o666 : 0o600,
    );
    const again = await openTestStores(all.folder);
    await stateOf(again, kept.id, 'open');
    expect(again.stores.list.map(({ id, name, colour }) => ({ id, name, colour }))).toEqual(before);
    expect(before[0]).toEqual({ id: 'home', name: 'Staging', colour: 6 });
    await stateOf(again, closed.id, 'closed');
    expect(await again.client(kept.id).collections.list()).toMatchObject([{ name: 'still here' }]);
    const opened = await again.client().connections.open({ id: closed.id });
    expect(opened.state.is).not.toBe('failed');
    await stateOf(again, closed.id, 'open');
  });

  it('go on when the engine of one dies, which is started again', async () => {
    const all = await openTestStores();
    const { id } = await add(all, 'other');
    await stateOf(all, id, 'open');
    const home = all.client();
    const { port1, port2 } = new MessageChannel();
    all.stores.attach(port2, undefined, id);
    const closed = new Promise(resolve => port1.once('close', resolve));
    // The thread ends as it does by itself: without its keeper having asked.
    await all.engines(id)[0]?.stop();
    await closed;
    await home.collections.create({ name: 'meanwhile' });
    await stateOf(all, id, 'open');
    await vi.waitFor(() => expect(all.engines(id)).toHaveLength(2), PATIENT);
    expect(await all.client(id).collections.list()).toEqual([]);
    expect(await home.collections.list()).toHaveLength(1);
  });

  it('each answer at a door of their own, which is gone when they are closed', async () => {
    const all = await openTestStores();
    const { id, target } = await add(all, 'other');
    await stateOf(all, id, 'open');
    const door = () => readOwner(target.file)?.door;
    const line = await lineToDoor(door() ?? '');
    expect(await line.client.store.info()).toMatchObject({ connection: id });
    await all.client().connections.close({ id });
    expect(await line.closed).toBe('gone');
    expect(door()).toBeUndefined();
    // The file is free at once, for whoever comes.
    const { client } = await startTestThread(target.file);
    expect(await client.collections.list()).toEqual([]);
  });

  it('can be closed and removed by who came through them, who hears that it was done', async () => {
    const all = await openTestStores();
    const { id, target } = await add(all, 'other');
    expect(await all.client(id).connections.close({ id })).toMatchObject({ state: { is: 'closed' } });
    await stateOf(all, id, 'closed');
    await all.client().connections.open({ id });
    expect(await all.client(id).connections.remove({ id })).toEqual({ removed: true });
    await vi.waitFor(() => expect(all.stores.list).toHaveLength(1), PATIENT);
    expect(existsSync(target.file)).toBe(true);
  });
});

describe('changes that are asked for at once', () => {
  it('come one after another, also where the first ends the engine that it was asked through', async () => {
    const all = await openTestStores();
    const { id, target } = await add(all, 'other');
    await stateOf(all, id, 'open');
    const asked = [
      all.stores.ask({ what: 'change', input: { id, readOnly: true } }, id),
      all.stores.ask({ what: 'close', input: { id } }, id),
      all.stores.ask({ what: 'open', input: { id } }, 'home'),
    ];
    await Promise.all(asked);
    await stateOf(all, id, 'open');
    expect(await all.client(id).store.info()).toMatchObject({ readOnly: true });
    await Promise.all([
      all.stores.ask({ what: 'change', input: { id, readOnly: false } }, id),
      all.stores.ask({ what: 'remove', input: { id } }, 'home'),
    ]);
    expect(all.stores.list).toMatchObject([{ id: 'home' }]);
    // Nothing opens it again: the file is free.
    const { client } = await startTestThread(target.file);
    expect(await client.collections.list()).toEqual([]);
  });

  it('are told to have failed where they cannot be kept, also to who came through the one that it ends', async () => {
    const all = await openTestStores();
    const { id } = await add(all, 'other');
    await stateOf(all, id, 'open');
    const list = join(all.folder, 'home.sandglass-connections');
    rmSync(list);
    mkdirSync(list);
    await expect(all.client(id).connections.remove({ id })).rejects.toMatchObject({
      code: 'CONNECTIONS_UNREADABLE',
    });
    await stateOf(all, id, 'open');
    expect(all.stores.list).toHaveLength(2);
  });
});

describe('a store that is connected', () => {
  it('is refused where the file is known already, by whichever name', async () => {
    const all = await openTestStores();
    const { target } = await add(all, 'other');
    const [link, hard] = [join(all.folder, 'link'), join(all.folder, 'hard')];
    symlinkSync(target.file, link);
    linkSync(target.file, hard);
    mkdirSync(join(all.folder, 'sub'));
    for (const name of [
      link,
      hard,
      join(all.folder, 'sub', '..', 'other.sandglass'),
      join(all.folder, 'home.sandglass'),
    ]) {
      const same = { name: 'again', target: file(name) };
      await expect(all.client().connections.add(same)).rejects.toMatchObject({ code: 'CONNECTION_EXISTS' });
      expect(await all.client().connections.test(file(name))).toMatchObject({ code: 'CONNECTION_EXISTS' });
    }
    expect(all.stores.list).toHaveLength(2);
  });

  it('is refused, and nothing is left of it, where there can be none', async () => {
    const all = await openTestStores();
    const { folder } = all;
    writeFileSync(join(folder, 'report.pdf'), 'This is no store at all.');
    writeFileSync(join(folder, 'plain'), '');
    const before = readdirSync(folder).filter(name => !name.startsWith('home'));
    for (const [path, code] of [
      [folder, 'STORE_UNREADABLE'],
      [join(folder, 'report.pdf'), 'STORE_UNREADABLE'],
      [join(folder, 'plain', 'in a file.sandglass'), 'STORE_UNREADABLE'],
      ['/dev/null', 'STORE_UNREADABLE'],
      ['/sys/kernel/x.sandglass', 'STORE_UNREADABLE'],
      [join(folder, 'no such folder', 'x.sandglass'), 'STORE_UNREADABLE'],
      ['relative.sandglass', 'INVALID_CONNECTION'],
      ['/x'.repeat(20_000), 'INVALID_CONNECTION'],
      ['', 'INVALID_CONNECTION'],
    ] as const) {
      if (path.startsWith('/') && !path.startsWith(folder) && process.platform !== 'linux') continue;
      const target = file(path);
      await expect(
        all.client().connections.add({ name: 'x', target }),
        path.slice(0, 80),
      ).rejects.toMatchObject({ code: 'INVALID_CONNECTION', status: 400 });
      // Where the rights say more than the system then does, opening finds it out.
      if (!path.startsWith('/sys'))
        expect(await all.client().connections.test(target), path.slice(0, 80)).toMatchObject({
          is: 'refused',
          code,
        });
    }
    expect(readdirSync(folder).filter(name => !name.startsWith('home'))).toEqual(before);
    expect(all.stores.list).toHaveLength(1);
  });

  it('of a later format is refused and left untouched', async () => {
    const all = await openTestStores();
    const later = join(all.folder, 'later.sandglass');
    const { stop } = await startTestThread(later);
    await stop();
    const bytes = readFileSync(later);
    bytes.writeUInt32BE(99, 60);
    writeFileSync(later, bytes);
    const before = sha(later);
    const files = () => readdirSync(all.folder).filter(name => name.startsWith('later'));
    const filesBefore = files();
    expect(await all.client().connections.test(file(later))).toMatchObject({ code: 'STORE_TOO_NEW' });
    expect(files()).toEqual(filesBefore);
    await expect(add(all, 'later')).rejects.toMatchObject({
      code: 'INVALID_CONNECTION',
      data: { reason: 'STORE_TOO_NEW' },
    });
    expect(sha(later)).toBe(before);
  });

  it('is told of by a test that leaves everything as it was: counts, a place for a new one, and who has it', async () => {
    const all = await openTestStores();
    const elsewhere = temporaryFolder();
    const path = join(elsewhere, 'other.sandglass');
    const owner = await startTestThread(path);
    await owner.client.collections.create({ name: 'c' });
    await owner.client.documents.put({ params: { collection: 'c', id: 'a' }, body: {} });
    const test = () => all.client().connections.test(file(path));
    expect(await test()).toMatchObject({
      is: 'store',
      collections: 1,
      documents: 1,
      heldBy: `process ${process.pid}`,
    });
    await owner.stop();
    const before = readdirSync(elsewhere).map(name => [name, sha(join(elsewhere, name))]);
    expect(await test()).toEqual({
      is: 'store',
      collections: 1,
      documents: 1,
      bytes: statSync(path).size,
      heldBy: null,
    });
    expect(await all.client().connections.test(file(join(elsewhere, 'new.sandglass')))).toEqual({
      is: 'new',
    });
    expect(readdirSync(elsewhere).map(name => [name, sha(join(elsewhere, name))])).toEqual(before);
  });

  it('that somebody else has is kept, says who, and is opened once they let go', async () => {
    const all = await openTestStores();
    const path = join(all.folder, 'taken.sandglass');
    const owner = await startTestThread(path);
    const taken = await add(all, 'taken');
    expect(taken.state).toMatchObject({ is: 'failed', code: 'STORE_IN_USE' });
    expect(taken.state).toMatchObject({ message: expect.stringContaining(`process ${process.pid}`) });
    expect(() => all.stores.reach(taken.id)).toThrow(/taken is not open\. .*process/);
    await owner.stop();
    await stateOf(all, taken.id, 'open');
    expect(await all.client(taken.id).collections.list()).toEqual([]);
  }, 30_000);

  it('has a name, and the home store stays', async () => {
    const all = await openTestStores();
    const { connections } = all.client();
    const refused = { code: 'INVALID_CONNECTION' };
    await expect(add(all, ' ')).rejects.toMatchObject(refused);
    await expect(connections.change({ id: 'home', name: 'x'.repeat(121) })).rejects.toMatchObject(refused);
    await expect(connections.close({ id: 'home' })).rejects.toMatchObject(refused);
    await expect(connections.remove({ id: 'home' })).rejects.toMatchObject(refused);
    for (const call of [connections.open, connections.close, connections.remove, connections.change])
      await expect(call({ id: 'c-000000000000' })).rejects.toMatchObject({ code: 'CONNECTION_NOT_FOUND' });
    expect(existsSync(join(all.folder, 'home.sandglass-connections'))).toBe(false);
  });
});

describe('the list of connections in its file', () => {
  it('is that of the home store, by whichever name it is opened', async () => {
    const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()];
    const real = join(elsewhere, 'real.sandglass');
    symlinkSync(real, join(folder, 'home.sandglass'));
    const all = await openTestStores(folder);
    await add(all, 'other');
    expect(all.stores.list[0]?.target.file).toBe(real);
    expect(existsSync(`${real}-connections`)).toBe(true);
    expect(readdirSync(folder).filter(name => name.startsWith('home'))).toEqual(['home.sandglass']);
    // Home is known by its own name, too.
    expect(await all.client().connections.test(file(real))).toMatchObject({ code: 'CONNECTION_EXISTS' });
  });

  it('that somebody else changed meanwhile is not written over', async () => {
    const all = await openTestStores();
    await add(all, 'other');
    const list = join(all.folder, 'home.sandglass-connections');
    const theirs = readFileSync(list, 'utf8').replace('"other"', '"theirs"');
    writeFileSync(list, theirs);
    const refused = { code: 'CONNECTIONS_UNREADABLE', message: expect.stringContaining('somebody else') };
    await expect(add(all, 'third')).rejects.toMatchObject(refused);
    await expect(all.client().connections.change({ id: 'home', name: 'x' })).rejects.toMatchObject(refused);
    expect(readFileSync(list, 'utf8')).toBe(theirs);
    expect(all.stores.list.map(({ name }) => name)).toEqual(['home', 'other']);
  });

  it.each([
    ['broken', '{"version": 1, "others": ['],
    ['of another shape', '{"version": 1, "home": null, "others": [{"id": "../x"}]}'],
    ['of a later version', '{"version": 2, "home": null, "others": [], "more": true}'],
  ])('that is %s is left as it is; home is open, and the list cannot be changed', async (_what, text) => {
    const folder = temporaryFolder();
    const list = join(folder, 'home.sandglass-connections');
    writeFileSync(list, text);
    const all = await openTestStores(folder);
    expect(all.complaints).toMatchObject([expect.stringContaining(list)]);
    expect(all.stores.list).toHaveLength(1);
    await all.client().collections.create({ name: 'works' });
    const refused = { code: 'CONNECTIONS_UNREADABLE', message: expect.stringContaining(list) };
    await expect(add(all, 'other')).rejects.toMatchObject(refused);
    await expect(all.client().connections.change({ id: 'home', name: 'x' })).rejects.toMatchObject(refused);
    expect(readFileSync(list, 'utf8')).toBe(text);
    expect(existsSync(join(folder, 'other.sandglass'))).toBe(false);
  });
});
