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
import { lineToDoor, lineToHost } from '../../../electron/host/local-socket/socket-client.ts';
import { newDoorPath, removeStaleDoors } from '../../../electron/host/local-socket/socket-path.ts';
import { openDoor } from '../../../electron/host/local-socket/socket-server.ts';
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

async function lineTo(served: ServedHost) {
  const door = readOwner(storeOf(served))?.door;
  if (door === undefined) throw new Error('the owner names no door');
  const line = await lineToDoor(door);
  onTestFinished(line.close);
  return line;
}

describe('the owner of a store', () => {
  it('says its process, its door and its address beside the store', () => {
    expect(readOwner(storeOf(host))).toEqual({
      pid: host.process.pid,
      door: expect.any(String),
      address: `${host.origin}/`,
    });
  });

  it('lets the person’s other processes in by its door, without a token, to do everything [P1]', async () => {
    const { client } = await lineTo(host);
    expect(await client.store.info()).toMatchObject({ user: currentUser(), permission: 'configure' });
    await client.collections.create({ name: 'by the door' });
    expect((await client.collections.list()).map(({ name }) => name)).toContain('by the door');
  });

  it('takes away door and word when it goes', async () => {
    const other = await startServedHost();
    const line = await lineTo(other);
    const owner = readOwner(storeOf(other));
    await other.stop();
    expect(await line.closed).toBe('gone');
    expect(owner?.door !== undefined && existsSync(owner.door)).toBe(false);
  });

  it('is followed by the next one where it was killed', async () => {
    const first = await startServedHost();
    const before = readOwner(storeOf(first));
    first.process.kill('SIGKILL');
    await once(first.process, 'exit');
    expect(readOwner(storeOf(first))).toEqual(before);
    const second = await startServedHost({ folder: first.folder });
    onTestFinished(async () => void (await second.stop()));
    const after = readOwner(storeOf(second));
    expect(after?.door).not.toBe(before?.door);
    expect(before?.door !== undefined && existsSync(before.door)).toBe(false);
    expect(await (await lineTo(second)).client.collections.list()).toEqual([]);
  });
});

describe.runIf(process.platform !== 'win32')('a door', () => {
  it('is in a folder of its owner’s alone', () => {
    const door = readOwner(storeOf(host))?.door ?? '';
    expect(statSync(dirname(door)).mode & 0o777).toBe(0o700);
    expect(Buffer.byteLength(door)).toBeLessThan(104);
  });

  it('of someone dead is removed, one that is open stays', async () => {
    const stale = newDoorPath();
    const child = spawn(process.execPath, [
      '-e',
      `require('node:net').createServer().listen(${JSON.stringify(stale)}, () => process.kill(process.pid, 'SIGKILL'))`,
    ]);
    await once(child, 'exit');
    expect(existsSync(stale)).toBe(true);
    const { host: engine } = await startTestThread();
    const path = newDoorPath();
    const attach: Parameters<typeof openDoor>[0]['attach'] = port => {
      engine.attach(port);
      return true;
    };
    await using _door = await openDoor({ path, attach, clock: systemClock, log });
    expect(existsSync(stale)).toBe(false);
    await removeStaleDoors();
    expect(readdirSync(dirname(path))).toContain(path.slice(dirname(path).length + 1));
    const line = await lineToDoor(path);
    expect(await line.client.collections.list()).toEqual([]);
    line.close();
  });

  it('that leads nowhere is an error, and a word that is none is no owner', async () => {
    await expect(lineToDoor(newDoorPath())).rejects.toThrow('ENOENT');
    const other = await startServedHost();
    onTestFinished(async () => void (await other.stop()));
    writeFileSync(`${storeOf(other)}-owner`, 'nonsense');
    expect(readOwner(storeOf(other))).toBeNull();
    expect(readFileSync(`${storeOf(other)}-owner`, 'utf8')).toBe('nonsense');
  });
});

describe('a line to a served host', () => {
  it('takes its address and a token, and ends as refused without one [P1]', async () => {
    const line = await lineToHost(host.link, host.token);
    expect(await line.client.store.info()).toMatchObject({ permission: 'configure' });
    line.close();
    const refused = await lineToHost(host.origin, 'wrong');
    expect(await refused.closed).toBe('token refused');
  });
});

describe.runIf(process.platform !== 'win32')('a socket that an owner file names', () => {
  it('is used only where its folder is this user’s alone', async () => {
    const folder = temporaryFolder();
    const path = join(folder, '1-00000000.sock');
    const server = createServer().listen(path);
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    chmodSync(folder, 0o755);
    await expect(lineToDoor(path)).rejects.toThrow('is no socket that only you can reach');
    chmodSync(folder, 0o700);
    const link = join(temporaryFolder(), 'link.sock');
    symlinkSync(path, link);
    await expect(lineToDoor(link)).rejects.toThrow('is no socket that only you can reach');
    await expect(lineToDoor(join(folder, 'gone.sock'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
