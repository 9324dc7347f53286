import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { takeOwnership } from '../../../electron/engine/backends/embedded/file/ownership.ts';
import { sandglass, startSandglass } from '../../support/cli.ts';
import { fetchFrom, type ServedHost, startServedHost } from '../../support/served-host.ts';
import { temporaryFolder, temporaryStoreFile } from '../../support/temporary.ts';

let host: ServedHost;
let store: string;
beforeAll(async () => {
  host = await startServedHost();
  store = join(host.folder, 'test.sandglass');
  await fetchFrom(host, 'POST', '/api/collections', '{"name": "things"}');
});
afterAll(() => host.stop());

const names = ({ stdout }: { stdout: string }) =>
  (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);

describe('the store that a command uses', () => {
  it('is opened through its owner on this machine', async () => {
    const result = await sandglass(['collections', '--json', '--store', store]);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(names(result)).toEqual(['things']);
  });

  it('is on a served host with --url and a token: an option, in the URL, or in the environment', async () => {
    const results = await Promise.all([
      sandglass(['collections', '--json', '--url', host.origin, '--token', host.token]),
      sandglass(['collections', '--json', '--url', host.link]),
      sandglass(['collections', '--json', '--url', host.origin], { env: { SANDGLASS_TOKEN: host.token } }),
    ]);
    for (const result of results) {
      expect(result).toMatchObject({ code: 0, stderr: '' });
      expect(names(result)).toEqual(['things']);
    }
  });

  it('is opened in the command itself where no process has it open, with a message', async () => {
    const own = temporaryStoreFile();
    const made = await sandglass(['import', '-', 'fresh', '--store', own], { input: '{"_id":"a"}\n' });
    expect(made).toMatchObject({ code: 0, stdout: '1 inserted, 0 updated, 0 refused.\n' });
    expect(made.stderr).toBe(
      `No other process has ${own} open: it is open in this command, and its reaper runs until the command ends.\n`,
    );
    expect(names(await sandglass(['collections', '--json', '--store', own]))).toEqual(['fresh']);
  });

  it('is opened through another command that has it open', async () => {
    const own = temporaryStoreFile();
    await sandglass(['import', '-', 'fresh', '--store', own], { input: '{"_id":"a"}\n' });
    const watching = startSandglass(['watch', '--store', own]);
    onTestFinished(() => void watching.process.kill('SIGKILL'));
    await watching.prints('its reaper runs until the command ends');
    const other = await sandglass(['import', '-', 'fresh', '--store', own], { input: '{"_id":"b"}\n' });
    expect(other).toMatchObject({ code: 0, stderr: '' });
    await watching.prints(/insert {2}fresh {2}b/);
    watching.process.kill('SIGINT');
    expect((await watching.ended).code).toBe(0);
  });

  it('is the default store in SANDGLASS_HOME', async () => {
    const home = temporaryFolder();
    const result = await sandglass(['collections'], { env: { SANDGLASS_HOME: home } });
    expect(result).toMatchObject({ code: 3, stdout: '' });
    expect(result.stderr).toContain(`There is no store at ${join(home, 'app.sandglass')}.`);
  });
});

describe('sandglass serve', () => {
  it('serves a store with the flags of npm start, until SIGTERM', async () => {
    const own = temporaryStoreFile();
    const serving = startSandglass(['serve', '--no-open', '--port', '0', '--store', own]);
    onTestFinished(() => void serving.process.kill('SIGKILL'));
    await serving.prints(/Sandglass is at http:\/\/127\.0\.0\.1:\d+\/#token=/);
    expect(await sandglass(['collections', '--store', own])).toEqual({
      code: 0,
      stdout: 'There are no collections.\n',
      stderr: '',
    });
    serving.process.kill('SIGTERM');
    expect((await serving.ended).code).toBe(0);
  });

  it('ends with 2 for an unknown flag', async () => {
    const { code, stderr } = await sandglass(['serve', '--colour']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'There is no flag --colour.\n' });
  });
});

describe('a store that cannot be opened', () => {
  it('is not created by a command that only reads, which ends with 3', async () => {
    const own = temporaryStoreFile();
    expect(await sandglass(['ttl', 'list', '--store', own])).toMatchObject({ code: 3, stdout: '' });
    expect(await sandglass(['collections', '--json', '--store', own])).toMatchObject({ code: 3 });
  });

  it('in use by a process without a local socket ends with 6 and the process id', async () => {
    const own = temporaryStoreFile();
    const release = takeOwnership(own);
    onTestFinished(release);
    const { code, stderr } = await sandglass(['import', '-', 'x', '--store', own], { input: '{}' });
    expect(code).toBe(6);
    expect(stderr).toContain(`${own} is open in another Sandglass (process ${process.pid})`);
  });

  it('at an address without a server ends with 6', async () => {
    const { code, stderr } = await sandglass([
      'collections',
      '--url',
      'http://127.0.0.1:9',
      '--token',
      'x',
      '--json',
    ]);
    expect(code).toBe(6);
    expect(JSON.parse(stderr)).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('of an owner that was killed is opened in the command', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandglass-cli-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const killed = await startServedHost({ folder });
    await fetchFrom(killed, 'POST', '/api/collections', '{"name": "left"}');
    await killed.stop('SIGKILL');
    const result = await sandglass(['collections', '--json', '--store', join(folder, 'test.sandglass')]);
    expect(result.code).toBe(0);
    expect(names(result)).toEqual(['left']);
  });
});

describe('tokens on the command line', () => {
  const remote = (token: string, ...words: string[]) =>
    sandglass([...words, '--url', host.origin, '--token', token]);

  it('[P1] are created, shown once, listed with their last use, and revoked', async () => {
    const made = await sandglass(['token', 'create', 'dashboard', '--permission', 'read', '--store', store]);
    expect(made).toMatchObject({ code: 0, stderr: 'This token is shown only once and is not stored:\n' });
    const token = made.stdout.trim();
    expect(token).toMatch(/^[\w-]{43}$/);

    expect(await remote(token, 'collections')).toMatchObject({ code: 0 });
    const list = await sandglass(['token', 'list', '--store', store]);
    expect(list.stdout).not.toContain(token);
    expect(list.stdout).toMatch(/^dashboard +read +.+ (just now|ago) +no end$/m);

    const refused = await remote(token, 'reaper', 'pause');
    expect(refused).toMatchObject({ code: 4, stdout: '' });
    expect(refused.stderr).toContain('reaper.pause needs the permission configure, and dashboard has read');

    const again = await sandglass([
      'token',
      'create',
      'dashboard',
      '--permission',
      'write',
      '--store',
      store,
    ]);
    expect(again.code).toBe(5);
    expect(await sandglass(['token', 'revoke', 'dashboard', '--store', store])).toMatchObject({
      code: 0,
      stdout: 'Revoked dashboard.\n',
    });
    expect((await sandglass(['token', 'revoke', 'dashboard', '--store', store])).code).toBe(3);
    expect(await remote(token, 'collections')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('refuses this token'),
    });
  });

  it('[P1] are recorded as the author of a change', async () => {
    const { stdout } = await sandglass([
      'token',
      'create',
      'night shift',
      '--permission',
      'configure',
      '--store',
      store,
    ]);
    const paused = await remote(stdout.trim(), 'reaper', 'pause', 'things');
    expect(paused).toMatchObject({ code: 0, stderr: '' });
    expect(paused.stdout).toMatch(/^things is paused by night shift, just now\.$/m);
    expect((await remote(stdout.trim(), 'reaper', 'resume', 'things')).stdout).not.toContain('paused by');
  });
});
