import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readOwner } from '../../../electron/engine/files/owner-file.ts';
import { systemClock } from '../../../electron/engine/platform/clock.ts';
import { createLogger } from '../../../electron/engine/platform/logger.ts';
import { currentUser } from '../../../electron/engine/platform/paths.ts';
import {
  connectToLocalSocket,
  connectToServedHost,
} from '../../../electron/host/local-socket/socket-client.ts';
import { newSocketPath, removeStaleSockets } from '../../../electron/host/local-socket/socket-path.ts';
import { listenOnLocalSocket } from '../../../electron/host/local-socket/socket-server.ts';
import { NEEDS_POSIX, runsHere } from '../../support/runs-here.ts';
import { type ServedHost, startServedHost } from '../../support/served-host.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { startTestThread } from '../../support/thread.ts';

const log = createLogger('warn', systemClock.now);
let host: ServedHost;
const storeOf = ({ folder }: ServedHost) => join(folder, 'test.sandglass');
beforeAll(async () => {
  host = await startServedHost();
});
afterAll(() => host.stop());

async function connectTo(served: ServedHost) {
  const path = readOwner(storeOf(served))?.socketPath;
  if (path === undefined) throw new Error('the owner file names no socket');
  const connection = await connectToLocalSocket(path);
  onTestFinished(connection.close);
  return connection;
}

describe('the owner of a store', () => {
  it('writes its process id, its socket and its address beside the store', () => {
    expect(readOwner(storeOf(host))).toEqual({
      pid: host.process.pid,
      socketPath: expect.any(String),
      address: `${host.origin}/`,
    });
  });

  it('gives the user’s other processes every permission through its socket, without a token [P1]', async () => {
    const { client } = await connectTo(host);
    expect(await client.store.info()).toMatchObject({ user: currentUser(), permission: 'configure' });
    await client.collections.create({ name: 'by socket' });
    expect((await client.collections.list()).map(({ name }) => name)).toContain('by socket');
  });

  it('removes its socket and its file when it closes', async () => {
    const other = await startServedHost();
    const connection = await connectTo(other);
    const owner = readOwner(storeOf(other));
    await other.stop();
    expect(await connection.closed).toBe('gone');
    expect(owner?.socketPath !== undefined && existsSync(owner.socketPath)).toBe(false);
  });

  it('that was killed is replaced by the next one, which removes its socket', async () => {
    const first = await startServedHost();
    const before = readOwner(storeOf(first));
    first.process.kill('SIGKILL');
    await once(first.process, 'exit');
    expect(readOwner(storeOf(first))).toEqual(before);
    const second = await startServedHost({ folder: first.folder });
    onTestFinished(async () => void (await second.stop()));
    const after = readOwner(storeOf(second));
    expect(after?.socketPath).not.toBe(before?.socketPath);
    expect(before?.socketPath !== undefined && existsSync(before.socketPath)).toBe(false);
    expect(await (await connectTo(second)).client.collections.list()).toEqual([]);
  });
});

describe.runIf(runsHere('a local socket', NEEDS_POSIX))('a local socket', () => {
  it('is in a folder that only its owner may enter', () => {
    const path = readOwner(storeOf(host))?.socketPath ?? '';
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(Buffer.byteLength(path)).toBeLessThan(104);
  });

  it('of a killed process is removed, and one in use is not', async () => {
    const stale = newSocketPath();
    const child = spawn(process.execPath, [
      '-e',
      `require('node:net').createServer().listen(${JSON.stringify(stale)}, () => process.kill(process.pid, 'SIGKILL'))`,
    ]);
    await once(child, 'exit');
    expect(existsSync(stale)).toBe(true);
    const { host: engine } = await startTestThread();
    const path = newSocketPath();
    const attach: Parameters<typeof listenOnLocalSocket>[0]['attach'] = port => {
      engine.attach(port);
      return true;
    };
    await using _socket = await listenOnLocalSocket({ path, attach, clock: systemClock, log });
    expect(existsSync(stale)).toBe(false);
    await removeStaleSockets();
    expect(readdirSync(dirname(path))).toContain(path.slice(dirname(path).length + 1));
    const connection = await connectToLocalSocket(path);
    expect(await connection.client.collections.list()).toEqual([]);
    connection.close();
  });

  it('that does not exist is reported as an error, and an unreadable owner file names no owner', async () => {
    await expect(connectToLocalSocket(newSocketPath())).rejects.toThrow('ENOENT');
    const other = await startServedHost();
    onTestFinished(async () => void (await other.stop()));
    writeFileSync(`${storeOf(other)}-owner`, 'nonsense');
    expect(readOwner(storeOf(other))).toBeNull();
    expect(readFileSync(`${storeOf(other)}-owner`, 'utf8')).toBe('nonsense');
  });
});

describe('a connection to a served host', () => {
  it('needs its address and a token, and is closed with a refusal for a wrong one [P1]', async () => {
    const connection = await connectToServedHost(host.link, host.token);
    expect(await connection.client.store.info()).toMatchObject({ permission: 'configure' });
    connection.close();
    const refused = await connectToServedHost(host.origin, 'wrong');
    expect(await refused.closed).toBe('token refused');
  });
});

describe.runIf(runsHere('a socket that an owner file names', NEEDS_POSIX))(
  'a socket that an owner file names',
  () => {
    it('is used only where no other user may enter its folder', async () => {
      const folder = temporaryFolder();
      const path = join(folder, '1-00000000.sock');
      const server = createServer().listen(path);
      onTestFinished(() => void server.close());
      await once(server, 'listening');
      chmodSync(folder, 0o755);
      await expect(connectToLocalSocket(path)).rejects.toThrow('is not a socket that only you can reach');
      chmodSync(folder, 0o700);
      const link = join(temporaryFolder(), 'link.sock');
      symlinkSync(path, link);
      await expect(connectToLocalSocket(link)).rejects.toThrow('is not a socket that only you can reach');
      await expect(connectToLocalSocket(join(folder, 'gone.sock'))).rejects.toMatchObject({ code: 'ENOENT' });
    });
  },
);
