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
import { connectToLocalSocket } from '../../../electron/host/local-socket/socket-client.ts';
import type { ConnectionRecord } from '../../../shared/contract/connections.ts';
import { addressOf } from '../../../shared/contract/connections.ts';
import { openTestConnections, type TestConnections } from '../../support/connections.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { startTestThread } from '../../support/thread.ts';

const file = (path: string) => ({ kind: 'file', file: path }) as const;
const PATIENT = { timeout: 20_000 };

function add(
  { client, folder }: TestConnections,
  name: string,
  more: object = {},
): Promise<ConnectionRecord> {
  return client().connections.add({ name, target: file(join(folder, `${name}.sandglass`)), ...more });
}

async function stateOf({ connections }: TestConnections, id: string, is: ConnectionRecord['state']['is']) {
  return vi.waitFor(() => {
    const state = connections.list.find(one => one.id === id)?.state;
    expect(state?.is).toBe(is);
    return state;
  }, PATIENT);
}

const sha = (path: string) =>
  existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'absent';

describe('connections that are open at once', () => {
  it('keep their data apart, also in collections of the same name, and each removes its own due documents', async () => {
    const all = await openTestConnections();
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

  it('are listed identically by every engine, at first and after each change of the list', async () => {
    const all = await openTestConnections();
    const updates = (await all.client().live.watch())[Symbol.asyncIterator]();
    const next = async () => {
      const { done, value } = await updates.next();
      return done === true ? undefined : value.connections;
    };
    expect(await next()).toMatchObject([{ id: 'home', name: 'home', state: { is: 'open' } }]);
    const { id } = await add(all, 'other', { colour: 4, environment: 'production' });
    for (let list: readonly ConnectionRecord[] = []; list[1]?.state.is !== 'open'; ) {
      list = (await next()) ?? list;
    }
    await updates.return?.();
    expect(await all.client(id).connections.list()).toEqual(await all.client().connections.list());
    expect(all.connections.list).toMatchObject([
      { id: 'home' },
      { id, colour: 4, environment: 'production' },
    ]);
  });

  it('are opened again with their host, except those that were closed', async () => {
    const all = await openTestConnections();
    const [kept, closed] = [await add(all, 'kept', { readOnly: false }), await add(all, 'closed')];
    await all.client(kept.id).collections.create({ name: 'still here' });
    await all.client().connections.change({ id: 'home', name: 'Staging', colour: 6 });
    await all.client().connections.close({ id: closed.id });
    const before = all.connections.list.map(({ id, name, colour }) => ({ id, name, colour }));
    await all.stop();
    expect(statSync(join(all.folder, 'home.sandglass-connections')).mode & 0o777).toBe(
      process.platform === 'win32' ? 0o666 : 0o600,
    );
    const again = await openTestConnections(all.folder);
    await stateOf(again, kept.id, 'open');
    expect(again.connections.list.map(({ id, name, colour }) => ({ id, name, colour }))).toEqual(before);
    expect(before[0]).toEqual({ id: 'home', name: 'Staging', colour: 6 });
    await stateOf(again, closed.id, 'closed');
    expect(await again.client(kept.id).collections.list()).toMatchObject([{ name: 'still here' }]);
    const opened = await again.client().connections.open({ id: closed.id });
    expect(opened.state.is).not.toBe('failed');
    await stateOf(again, closed.id, 'open');
  });

  it('keep running when the engine of one exits, which is started again', async () => {
    const all = await openTestConnections();
    const { id } = await add(all, 'other');
    await stateOf(all, id, 'open');
    const home = all.client();
    const { port1, port2 } = new MessageChannel();
    all.connections.attach(port2, undefined, id);
    const closed = new Promise(resolve => port1.once('close', resolve));
    // An unexpected exit for the supervisor, which did not stop the engine itself.
    await all.engines(id)[0]?.stop();
    await closed;
    await home.collections.create({ name: 'meanwhile' });
    await stateOf(all, id, 'open');
    await vi.waitFor(() => expect(all.engines(id)).toHaveLength(2), PATIENT);
    expect(await all.client(id).collections.list()).toEqual([]);
    expect(await home.collections.list()).toHaveLength(1);
  });

  it('each listen on a local socket of their own, which is removed when they are closed', async () => {
    const all = await openTestConnections();
    const { id, target } = await add(all, 'other');
    await stateOf(all, id, 'open');
    const socketPath = () => readOwner(addressOf(target))?.socketPath;
    const connection = await connectToLocalSocket(socketPath() ?? '');
    expect(await connection.client.store.info()).toMatchObject({ connection: id });
    await all.client().connections.close({ id });
    expect(await connection.closed).toBe('gone');
    expect(socketPath()).toBeUndefined();
    // The file is released at once.
    const { client } = await startTestThread(addressOf(target));
    expect(await client.collections.list()).toEqual([]);
  });

  it('can be closed and removed through their own engine, which delivers the answer first', async () => {
    const all = await openTestConnections();
    const { id, target } = await add(all, 'other');
    expect(await all.client(id).connections.close({ id })).toMatchObject({ state: { is: 'closed' } });
    await stateOf(all, id, 'closed');
    await all.client().connections.open({ id });
    expect(await all.client(id).connections.remove({ id })).toEqual({ removed: true });
    await vi.waitFor(() => expect(all.connections.list).toHaveLength(1), PATIENT);
    expect(existsSync(addressOf(target))).toBe(true);
  });
});

describe('changes that are requested at once', () => {
  it('are applied one after another, also if the first ends the engine that requested it', async () => {
    const all = await openTestConnections();
    const { id, target } = await add(all, 'other');
    await stateOf(all, id, 'open');
    const changes = [
      all.connections.call({ what: 'change', input: { id, readOnly: true }, allowed: null }, id),
      all.connections.call({ what: 'close', input: { id } }, id),
      all.connections.call({ what: 'open', input: { id } }, 'home'),
    ];
    await Promise.all(changes);
    await stateOf(all, id, 'open');
    expect(await all.client(id).store.info()).toMatchObject({ readOnly: true });
    await Promise.all([
      all.connections.call({ what: 'change', input: { id, readOnly: false }, allowed: null }, id),
      all.connections.call({ what: 'remove', input: { id } }, 'home'),
    ]);
    expect(all.connections.list).toMatchObject([{ id: 'home' }]);
    // Removed: the file is released.
    const { client } = await startTestThread(addressOf(target));
    expect(await client.collections.list()).toEqual([]);
  });

  it('fail if they cannot be stored, also through the engine that they would end', async () => {
    const all = await openTestConnections();
    const { id } = await add(all, 'other');
    await stateOf(all, id, 'open');
    const list = join(all.folder, 'home.sandglass-connections');
    rmSync(list);
    mkdirSync(list);
    await expect(all.client(id).connections.remove({ id })).rejects.toMatchObject({
      code: 'CONNECTIONS_UNREADABLE',
    });
    await stateOf(all, id, 'open');
    expect(all.connections.list).toHaveLength(2);
  });
});

describe('a store that is connected', () => {
  it('is refused where the file is connected already, under any name', async () => {
    const all = await openTestConnections();
    const { target } = await add(all, 'other');
    const [link, hard] = [join(all.folder, 'link'), join(all.folder, 'hard')];
    symlinkSync(addressOf(target), link);
    linkSync(addressOf(target), hard);
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
    expect(all.connections.list).toHaveLength(2);
  });

  it('is refused where the path cannot be a store, and leaves no file and no list entry', async () => {
    const all = await openTestConnections();
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
      // /sys permits creating a file and then refuses it, which only opening detects.
      if (!path.startsWith('/sys'))
        expect(await all.client().connections.test(target), path.slice(0, 80)).toMatchObject({
          is: 'refused',
          code,
        });
    }
    expect(readdirSync(folder).filter(name => !name.startsWith('home'))).toEqual(before);
    expect(all.connections.list).toHaveLength(1);
  });

  it('of a later format is refused and not changed', async () => {
    const all = await openTestConnections();
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

  it('is described by a test that changes nothing: its counts, its owner, or that the file would be new', async () => {
    const all = await openTestConnections();
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

  it('that is in use stays in the list with its owner’s name, and is opened once the owner closes it', async () => {
    const all = await openTestConnections();
    const path = join(all.folder, 'taken.sandglass');
    const owner = await startTestThread(path);
    const taken = await add(all, 'taken');
    expect(taken.state).toMatchObject({ is: 'failed', code: 'STORE_IN_USE' });
    expect(taken.state).toMatchObject({ message: expect.stringContaining(`process ${process.pid}`) });
    expect(() => all.connections.find(taken.id)).toThrow(/taken is not open\. .*process/);
    await owner.stop();
    await stateOf(all, taken.id, 'open');
    expect(await all.client(taken.id).collections.list()).toEqual([]);
  }, 30_000);

  it('needs a valid name, and the home store can neither be closed nor removed', async () => {
    const all = await openTestConnections();
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
  it('belongs to the home store, under any name of that store', async () => {
    const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()];
    const real = join(elsewhere, 'real.sandglass');
    symlinkSync(real, join(folder, 'home.sandglass'));
    const all = await openTestConnections(folder);
    await add(all, 'other');
    expect(all.connections.list.map(({ target }) => addressOf(target))[0]).toBe(real);
    expect(existsSync(`${real}-connections`)).toBe(true);
    expect(readdirSync(folder).filter(name => name.startsWith('home'))).toEqual(['home.sandglass']);
    // The home store is also recognised by its own path.
    expect(await all.client().connections.test(file(real))).toMatchObject({ code: 'CONNECTION_EXISTS' });
  });

  it('is not overwritten if another program changed it meanwhile', async () => {
    const all = await openTestConnections();
    await add(all, 'other');
    const list = join(all.folder, 'home.sandglass-connections');
    const theirs = readFileSync(list, 'utf8').replace('"other"', '"theirs"');
    writeFileSync(list, theirs);
    const refused = { code: 'CONNECTIONS_UNREADABLE', message: expect.stringContaining('another program') };
    await expect(add(all, 'third')).rejects.toMatchObject(refused);
    await expect(all.client().connections.change({ id: 'home', name: 'x' })).rejects.toMatchObject(refused);
    expect(readFileSync(list, 'utf8')).toBe(theirs);
    expect(all.connections.list.map(({ name }) => name)).toEqual(['home', 'other']);
  });

  it.each([
    ['broken', '{"version": 1, "others": ['],
    ['of another shape', '{"version": 1, "home": null, "others": [{"id": "../x"}]}'],
    ['of a later version', '{"version": 2, "home": null, "others": [], "more": true}'],
  ])(
    'does not change if it is %s; home is open, and changes of the list are refused',
    async (_what, text) => {
      const folder = temporaryFolder();
      const list = join(folder, 'home.sandglass-connections');
      writeFileSync(list, text);
      const all = await openTestConnections(folder);
      expect(all.warnings).toMatchObject([expect.stringContaining(list)]);
      expect(all.connections.list).toHaveLength(1);
      await all.client().collections.create({ name: 'works' });
      const refused = { code: 'CONNECTIONS_UNREADABLE', message: expect.stringContaining(list) };
      await expect(add(all, 'other')).rejects.toMatchObject(refused);
      await expect(all.client().connections.change({ id: 'home', name: 'x' })).rejects.toMatchObject(refused);
      expect(readFileSync(list, 'utf8')).toBe(text);
      expect(existsSync(join(folder, 'other.sandglass'))).toBe(false);
    },
  );
});
