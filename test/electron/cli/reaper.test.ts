import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandglassHere } from '../../support/cli.ts';
import { fetchFrom, type ServedHost, startServedHost } from '../../support/served-host.ts';
import { temporaryFolder, temporaryStoreFile } from '../../support/temporary.ts';

let host: ServedHost;
let store: string;
beforeAll(async () => {
  host = await startServedHost();
  store = join(host.folder, 'test.sandglass');
});
afterAll(() => host.stop());

const run = (...words: string[]) => sandglassHere([...words, '--store', store]);
const json = async (...words: string[]) => JSON.parse((await run(...words, '--json')).stdout);

let counter = 0;
/** Creates a collection with an index by_at and ten documents that are due in an hour. */
async function filled(): Promise<string> {
  const name = `things${++counter}`;
  const at = Date.now() / 1000;
  const input = Array.from({ length: 10 }, (_, i) => `{"_id":"d${i}","at":${at}}\n`).join('');
  await sandglassHere(['import', '-', name, '--store', store], { input });
  await run('ttl', 'create', name, '--name', 'by_at', '--field', 'at', '--expire-after', '1h');
  return name;
}
const count = async (name: string) =>
  (await json('collections')).find((one: { name: string }) => one.name === name).documents;

describe('sandglass reaper', () => {
  it('pauses and resumes an index, a collection and the store, and prints the caller [R6]', async () => {
    const name = await filled();
    expect((await run('reaper', 'pause', `${name}/by_at`)).stdout).toMatch(
      new RegExp(`^${name}/by_at is paused by .+, just now\\.$`, 'm'),
    );
    expect((await run('reaper', 'pause', name)).code).toBe(0);
    expect(await json('reaper', 'pause')).toMatchObject({ state: 'paused' });
    const status = await run('reaper', 'status');
    expect(status.stdout).toMatch(/^reaper +paused$/m);
    expect(status.stdout).toMatch(/^The store is paused by /m);
    for (const scope of [[], [name], [`${name}/by_at`]]) await run('reaper', 'resume', ...scope);
    expect((await run('reaper', 'status')).stdout).not.toContain('paused');
    expect(await run('reaper', 'confirm', `${name}/nothing`)).toMatchObject({ code: 3 });
    expect(await run('reaper', 'confirm', `${name}/by_at`)).toMatchObject({
      code: 5,
      stderr: `Nothing of ${name}/by_at is held.\n`,
    });
    expect(await run('reaper', 'pause', 'nowhere')).toMatchObject({ code: 3 });
    expect(await run('reaper', 'pause', `${name}/nothing`)).toMatchObject({ code: 3 });
  });

  it('runs a pass now, also where paused [R6]', async () => {
    const name = await filled();
    await run('reaper', 'pause', name);
    await run('ttl', 'set', name, 'by_at', '--expire-after', '0', '--yes');
    expect(await count(name)).toBe(10);
    expect((await run('reaper', 'run', name)).stdout).toMatch(/^10 removed, 0 changed, 0 quarantined in /);
    expect(await count(name)).toBe(0);
  });

  it('[R8] makes many documents due only after a confirmation', async () => {
    const name = await filled();
    await run('settings', 'confirmDocuments=5');
    await run('reaper', 'pause', name);
    await run('ttl', 'set', name, 'by_at', '--expire-after', '0', '--yes');
    for (const verb of ['run', 'resume'])
      expect(await run('reaper', verb, name)).toMatchObject({
        code: 5,
        stderr: expect.stringContaining(
          '10 of 10 documents would become due. Nothing was changed; give --yes to confirm.',
        ),
      });
    expect(await count(name)).toBe(10);
    expect((await run('reaper', 'run', name, '--yes')).stdout).toMatch(/^10 removed/);
    expect(await run('reaper', 'resume', name)).toMatchObject({ code: 0 });
    await run('settings', 'confirmDocuments=default');
  });

  it('[R9] shows a hold and ends it', async () => {
    const name = await filled();
    const input = `{"_id":"old","at":${Date.now() / 1000 - 86_400}}\n`;
    const imported = await sandglassHere(['import', '-', name, '--store', store], { input });
    expect(imported.stdout).toContain('Past their deadline on arrival: 1.');
    const { stdout } = await run('reaper', 'status');
    expect(stdout).toMatch(new RegExp(`^${name} is held, .+ \\(sandglass reaper confirm ${name}\\)$`, 'm'));
    expect(await count(name)).toBe(11);
    expect(await json('reaper', 'confirm', name)).toMatchObject({ holds: [] });
    await expect.poll(() => count(name)).toBe(10);
  });
});

describe('sandglass restore', () => {
  it('[X4] restores single documents or those of a time span, pinned or with a new expiration', async () => {
    const name = await filled();
    await run('ttl', 'set', name, 'by_at', '--expire-after', '0', '--yes');
    await expect.poll(() => count(name)).toBe(0);
    const { text } = await fetchFrom(host, 'GET', `/api/expired?collection=${name}&limit=2`);
    const ids = (JSON.parse(text).expired as { id: string }[]).map(({ id }) => id);
    expect(await run('restore', ...ids, '--after', '2h')).toMatchObject({
      code: 0,
      stdout: '2 restored, 0 not.\n',
    });
    expect(await count(name)).toBe(2);
    // The two restored documents are left out.
    const span = ['restore', '--collection', name, '--since', '1h'];
    expect(await run(...span)).toMatchObject({ code: 0, stdout: '8 restored, 0 not.\n' });
    expect(await count(name)).toBe(10);
    const nothing = { code: 0, stdout: 'There is nothing to restore.\n' };
    expect(await run(...span)).toMatchObject(nothing);
    expect(await run('restore', '--collection', name, '--until', '2h')).toMatchObject(nothing);
    expect(await run('restore', ...ids)).toMatchObject({ code: 1 });
    expect(await run('restore', 'no-such-id')).toMatchObject({ code: expect.toBeOneOf([1, 3]) });
  });
});

describe('sandglass backup', () => {
  it('[B1] writes a copy that can be opened', async () => {
    const name = await filled();
    const file = join(temporaryFolder(), 'copy.sandglass');
    const made = await run('backup', file);
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining(file) });
    expect(existsSync(file)).toBe(true);
    expect(await run('backup', file)).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('A backup overwrites no file'),
    });
    const { stdout } = await sandglassHere(['collections', '--json', '--store', file]);
    expect(JSON.parse(stdout).find((one: { name: string }) => one.name === name)).toMatchObject({
      documents: 10,
    });
  });
});

describe('the file of a store', () => {
  it('[S3] is compacted by the command line, which prints its size before and after', async () => {
    const name = await filled();
    const made = await run('compact');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(/^Compacted: [\d.]+ \w+ before, [\d.]+ \w+ after\.\n$/);
    expect(await count(name)).toBe(10);
    expect(await json('compact')).toMatchObject({ kind: 'compact', state: 'done', error: null });
  });

  it('[S3] is checked by the command line: an intact file, and the defects of a damaged one with exit code 1', async () => {
    const own = temporaryStoreFile();
    const input = '{"_id":"a"}\n{"_id":"b"}\n';
    await sandglassHere(['import', '-', 'kept', '--store', own], { input });
    const whole = await sandglassHere(['check', '--store', own]);
    expect(whole).toMatchObject({ code: 0, stdout: 'The file is intact: 2 documents, no problem found.\n' });
    const db = new Sqlite(own);
    db.exec('UPDATE collections SET documents = 3');
    db.close();
    const wrong = await sandglassHere(['check', '--store', own]);
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr).toContain('Collection kept is counted with 3 documents and has 2');

    const saved = await sandglassHere(['recover', own, '--store', temporaryStoreFile()]);
    expect(saved).toMatchObject({
      code: 0,
      stdout: '2 documents recovered, of 1 collection; 1 lost.\n',
    });
    const used = await sandglassHere(['recover', own, '--store', own]);
    expect(used).toMatchObject({ code: 5, stderr: expect.stringContaining('into a new, empty one') });
  });
});
