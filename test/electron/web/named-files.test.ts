import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { fetchFrom, startServedHost } from '../../support/served-host.ts';
import { temporaryFolder } from '../../support/temporary.ts';

/** Starts a served host with two folders apart from its store, called over the network with its launch token. */
async function hostWithFolders() {
  const folder = temporaryFolder();
  const [backups, stores] = [join(folder, 'backups'), join(folder, 'stores')];
  for (const one of [backups, stores]) mkdirSync(one);
  const host = await startServedHost({ folder, flags: ['--backup-dir', backups, '--stores-dir', stores] });
  onTestFinished(async () => void (await host.stop()));
  const json = async (method: string, path: string, body?: object, token = host.token) => {
    const { status, text } = await fetchFrom({ ...host, token }, method, path, body && JSON.stringify(body));
    return { status, body: JSON.parse(text) };
  };
  return { host, json, folder, backups, stores };
}

/** Invalid file names: paths, names of other files, control characters. */
const NO_NAMES = (folder: string) => [
  join(folder, 'authorized_keys'),
  join(folder, 'x.sandglass'),
  '../x.sandglass',
  '..\\x.sandglass',
  'a/b.sandglass',
  '~/x.sandglass',
  'authorized_keys',
  'x.sandglass-wal',
  '.sandglass',
  '.hidden.sandglass',
  'a\nb.sandglass',
  'a\u0000.sandglass',
  `${'x'.repeat(300)}.sandglass`,
  '',
];

it('[P1] a token can write a backup by file name, to --backup-dir only', async () => {
  const { json, folder, backups } = await hostWithFolders();
  writeFileSync(join(folder, 'there.sandglass'), 'taken');
  // The store creates files of its own meanwhile.
  const others = () =>
    readdirSync(folder)
      .filter(name => !name.startsWith('test.sandglass'))
      .sort();
  const before = others();
  const refusals = new Set<string>();
  for (const file of [...NO_NAMES(folder), join(folder, 'there.sandglass'), '../there.sandglass']) {
    const { status, body } = await json('POST', '/api/backup', { file });
    expect([file, status, body.code]).toEqual([file, 400, 'INVALID_FILE']);
    refusals.add(JSON.stringify(body));
  }
  // The answer is the same for all names, so that it does not disclose which files exist.
  expect(refusals.size).toBe(1);
  expect(others()).toEqual(before);

  const started = await json('POST', '/api/backup', { file: 'night.sandglass' });
  expect(started).toMatchObject({ status: 200, body: { kind: 'backup', subject: 'night.sandglass' } });
  await expect
    .poll(async () => (await json('GET', `/api/jobs/${started.body.id}`)).body.state, { timeout: 15_000 })
    .toBe('done');
  const job = (await json('GET', `/api/jobs/${started.body.id}`)).body;
  expect(job.result).toBe('night.sandglass');
  expect(existsSync(join(backups, 'night.sandglass'))).toBe(true);

  // Every reader can read why a job failed: file names, without their folders.
  const failure = async (file: string): Promise<string> => {
    const { body } = await json('POST', '/api/backup', { file });
    const path = `/api/jobs/${body.id}`;
    await expect.poll(async () => (await json('GET', path)).body.state, { timeout: 15_000 }).toBe('failed');
    return (await json('GET', path)).body.error;
  };
  const taken = await failure('night.sandglass');
  expect(taken).toContain('There is a file night.sandglass already');
  expect(taken).not.toContain(folder);
  rmSync(backups, { recursive: true });
  const noFolder = await failure('day.sandglass');
  expect(noFolder).toContain('day.sandglass');
  expect(noFolder).not.toContain(folder);
}, 60_000);

it('[P1, P2] a token can list and connect the stores in --stores-dir and --backup-dir, and no other file', async () => {
  const { json, folder, backups, stores } = await hostWithFolders();
  writeFileSync(join(folder, 'there.sandglass'), 'not a store, and longer than a head of one');
  const tested = new Set<string>();
  for (const file of [...NO_NAMES(folder), join(folder, 'there.sandglass'), '/etc/passwd', '/dev/null']) {
    const target = { kind: 'file', file };
    const test = await json('POST', '/api/connections/test', target);
    expect([file, test.status, test.body.is]).toEqual([file, 200, 'refused']);
    tested.add(JSON.stringify(test.body));
    const add = await json('POST', '/api/connections', { name: 'x', target });
    expect([file, add.status, add.body.code]).toEqual([file, 400, 'INVALID_CONNECTION']);
    tested.add(JSON.stringify({ is: 'refused', code: add.body.code, message: add.body.message }));
  }
  expect(tested.size).toBe(1);

  expect(
    (
      await json('POST', '/api/connections', {
        name: 'Orders',
        target: { kind: 'file', file: 'orders.sandglass' },
      })
    ).status,
  ).toBe(201);
  expect(existsSync(join(stores, 'orders.sandglass'))).toBe(true);
  const started = await json('POST', '/api/backup', { file: 'night.sandglass' });
  await expect
    .poll(async () => (await json('GET', `/api/jobs/${started.body.id}`)).body.state, { timeout: 15_000 })
    .toBe('done');
  writeFileSync(join(stores, 'notes.txt'), '');
  mkdirSync(join(stores, 'folder.sandglass'));
  const files = await json('GET', '/api/connections/files');
  expect(files).toMatchObject({
    status: 200,
    body: {
      stores: [{ file: 'orders.sandglass', isConnected: true }],
      backups: [{ file: 'night.sandglass', isConnected: false, bytes: expect.any(Number) }],
    },
  });
  expect(JSON.stringify(files.body)).not.toContain(folder);

  const backup = { kind: 'file', file: 'night.sandglass', folder: 'backups' };
  expect((await json('POST', '/api/connections/test', backup)).body).toMatchObject({ is: 'store' });
  const opened = await json('POST', '/api/connections', { name: 'Night', target: backup });
  expect(opened).toMatchObject({ status: 201, body: { target: { file: join(backups, 'night.sandglass') } } });

  const reader = (await json('POST', '/api/tokens', { name: 'reader', permission: 'read' })).body.token;
  expect((await json('GET', '/api/connections/files', undefined, reader)).status).toBe(403);
  expect((await json('GET', '/api/store')).body).toMatchObject({ namesPaths: false });
}, 60_000);
