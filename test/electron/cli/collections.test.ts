import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandglassHere } from '../../support/cli.ts';
import { type ServedHost, startServedHost } from '../../support/served-host.ts';

let host: ServedHost;
let store: string;
beforeAll(async () => {
  host = await startServedHost();
  store = join(host.folder, 'test.sandglass');
});
afterAll(() => host.stop());

const run = (...words: string[]) => sandglassHere([...words, '--store', store]);
const json = async (...words: string[]) => JSON.parse((await run(...words, '--json')).stdout);
const write = (name: string, input: string) =>
  sandglassHere(['import', '-', name, '--store', store], { input });
const names = async () => (await json('collections')).map(({ name }: { name: string }) => name);

describe('sandglass collections', () => {
  it('creates a collection, once', async () => {
    expect(await run('collections', 'create', 'made')).toMatchObject({ code: 0, stdout: 'Created made.\n' });
    expect(await names()).toContain('made');
    expect(await run('collections', 'create', 'made')).toMatchObject({ code: 5 });
  });

  it('drops an empty collection at once, and requests a confirmation if documents would be dropped', async () => {
    await write('full', '{"_id":"a"}\n{"_id":"b"}\n');
    expect(await run('collections', 'drop', 'full')).toMatchObject({
      code: 5,
      stderr:
        'full would be dropped with its 2 documents and its indexes. Nothing was changed; give --yes to confirm.\n',
    });
    expect(await names()).toContain('full');
    const dropped = await run('collections', 'drop', 'full', '--yes');
    expect(dropped).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Dropped full and 2 documents\.$/m),
    });
    expect(await names()).not.toContain('full');
    await run('collections', 'create', 'empty');
    expect(await run('collections', 'drop', 'empty')).toMatchObject({ code: 0 });
    expect(await run('collections', 'drop', 'empty')).toMatchObject({ code: 3 });
  });

  it('is named in the error of `ttl create` for a missing collection', async () => {
    const words = ['ttl', 'create', 'nowhere', '--field', 'at', '--expire-after', '1h'];
    expect(await run(...words)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('`sandglass collections create` and `sandglass import` create one.'),
    });
    const { stderr } = await run(...words, '--json');
    expect(JSON.parse(stderr)).toMatchObject({ code: 'COLLECTION_NOT_FOUND' });
  });
});

describe('sandglass expired', () => {
  it('[X4] lists expired documents with the ids for restore', async () => {
    await write('gone', `{"_id":"a","at":${Date.now() / 1000}}\n`);
    expect((await run('expired', 'gone')).stdout).toBe('No expired documents are recorded.\n');
    await run('ttl', 'create', 'gone', '--name', 'by_at', '--field', 'at', '--expire-after', '0', '--yes');
    await expect.poll(async () => (await json('expired', 'gone')).expired.length).toBe(1);
    const { stdout } = await run('expired', 'gone');
    const id = /^ *(\d+) +gone +a +.* by_at +delete +\S+ \S+, ends in /m.exec(stdout)?.[1] ?? 'none';
    expect(await run('restore', id)).toMatchObject({ code: 0, stdout: '1 restored, 0 not.\n' });
    expect((await run('expired', 'gone')).stdout).toMatch(/ restored$/m);
    expect(await run('expired', 'nowhere')).toMatchObject({ code: 3 });
  });
});

describe('sandglass ttl history', () => {
  it('[X5] lists each change with its difference, and one can be reverted', async () => {
    await write('changed', `{"_id":"a","at":${Date.now() / 1000 - 60}}\n`);
    const place = ['changed', 'by_at'];
    await run('ttl', 'create', 'changed', '--name', 'by_at', '--field', 'at', '--expire-after', '1h');
    await run('ttl', 'set', ...place, '--schedule', 'observe', '--retention', '2d');
    await run('ttl', 'set', ...place, '--expire-after', '1s');
    const { stdout } = await run('ttl', 'history', ...place);
    expect(stdout).toMatch(/^ *\d+ +change .* deadline at \+ 1h → at \+ 1s$/m);
    expect(stdout).toMatch(/^ *\d+ +change .* schedule exact → observe, retention default → 2d$/m);
    expect(stdout).toMatch(/^ *\d+ +create .* deadline at \+ 1h, action delete, schedule exact$/m);

    const [lengthened, observed] = await json('ttl', 'history', ...place);
    expect(await run('ttl', 'revert', ...place, String(lengthened.id))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('deadline at + 1h, action delete, schedule observe, retention 2d'),
    });
    await run('ttl', 'set', ...place, '--expire-after', '1s');
    const acting = { id: String(observed.id), before: observed.before.schedule.mode };
    expect(acting.before).toBe('exact');
    // Before the first change, the deadline was an hour after the document's time, so nothing expires.
    expect(await run('ttl', 'revert', ...place, acting.id)).toMatchObject({ code: 0 });
    expect(await json('ttl', 'list', 'changed')).toMatchObject([
      { schedule: { mode: 'exact' }, retention: null },
    ]);
    expect(await run('ttl', 'revert', ...place, '999999')).toMatchObject({ code: 3 });
    expect(await run('ttl', 'revert', ...place, 'first')).toMatchObject({ code: 2 });
  });

  it('[R8] requests a confirmation of a revert that makes documents due', async () => {
    await write('reverted', `{"_id":"a","at":${Date.now() / 1000 - 60}}\n`);
    const place = ['reverted', 'by_at'];
    await run('ttl', 'create', 'reverted', '--name', 'by_at', '--field', 'at', '--expire-after', '1h');
    await run('reaper', 'pause', 'reverted');
    await run('ttl', 'set', ...place, '--expire-after', '1s', '--yes');
    await run('ttl', 'set', ...place, '--expire-after', '1h');
    const [longer] = await json('ttl', 'history', ...place);
    const words = ['ttl', 'revert', ...place, String(longer.id)];
    expect(await run(...words)).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('1 document would be due at once. Nothing was changed'),
    });
    expect(await run(...words, '--yes')).toMatchObject({ code: 0 });
    expect(await json('ttl', 'list', 'reverted')).toMatchObject([{ source: { expireAfter: 1 } }]);
  });
});

describe('sandglass settings', () => {
  it('[R3] shows all settings, changes the given ones, and resets one to its default', async () => {
    expect((await run('settings')).stdout).toMatch(/^retention +86400 \(default\)$/m);
    const changed = await run('settings', 'retention=36h', 'breakerShare=0.25');
    expect(changed.stdout).toMatch(/^retention +129600$/m);
    expect(await json('settings')).toMatchObject({ retention: 129_600, breakerShare: 0.25, batchMs: 8 });
    expect((await run('settings', 'retention=default')).stdout).toMatch(/^retention +86400 \(default\)$/m);
    for (const word of ['colour=1', 'retention', 'batchMs=2s', 'batchMs=many'])
      expect(await run('settings', word)).toMatchObject({ code: 2 });
    expect(await run('settings', 'breakerShare=2')).toMatchObject({ code: 2 });
    expect(await json('settings')).toMatchObject({ breakerShare: 0.25 });
  });
});
