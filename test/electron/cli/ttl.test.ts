import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandglassHere } from '../../support/cli.ts';
import { fetchFrom, type ServedHost, startServedHost } from '../../support/served-host.ts';

let host: ServedHost;
let store: string;
beforeAll(async () => {
  host = await startServedHost();
  store = join(host.folder, 'test.sandglass');
});
afterAll(() => host.stop());

const run = (...words: string[]) => sandglassHere([...words, '--store', store]);
const json = async (...words: string[]): Promise<unknown> =>
  JSON.parse((await run(...words, '--json')).stdout);

let counter = 0;
/** Creates a collection with ten documents whose `at` is `fromNow` seconds from now, each a minute after the one before. */
async function filled(fromNow: number): Promise<string> {
  const name = `things${++counter}`;
  const now = Date.now() / 1000;
  const input = Array.from({ length: 10 }, (_, i) => `{"_id":"d${i}","at":${now + fromNow + 60 * i}}\n`).join(
    '',
  );
  await sandglassHere(['import', '-', name, '--store', store], { input: `${input}{"_id":"none"}\n` });
  return name;
}
const count = async (name: string) =>
  JSON.parse((await fetchFrom(host, 'GET', `/api/collections/${name}`)).text).documents;

describe('sandglass ttl create', () => {
  it('shows the effect, creates the index and waits until it is built [X3]', async () => {
    const name = await filled(0);
    const made = await run('ttl', 'create', name, '--field', 'at', '--expire-after', '30d');
    expect(made).toMatchObject({ code: 0, stdout: `Created at_30d on ${name} (ready).\n` });
    expect(made.stderr).toMatch(/^due at once +0$/m);
    expect(made.stderr).toMatch(/^later +10 \(/m);
    expect(made.stderr).toMatch(/^ {2}never: missing.*, 1 document, such as none$/m);
    const again = await run(
      'ttl',
      'create',
      name,
      '--name',
      'at_30d',
      '--field',
      'at',
      '--expire-after',
      '1d',
    );
    expect(again).toMatchObject({ code: 5, stdout: '' });
  });

  it('requests a confirmation if documents would be due at once; needs --yes without a terminal [R8]', async () => {
    const name = await filled(-3600);
    const words = ['ttl', 'create', name, '--field', 'at', '--expire-after', '1s'];
    const refused = await run(...words);
    expect(refused).toMatchObject({ code: 5, stdout: '' });
    expect(refused.stderr).toContain(
      '10 documents would be due at once. Nothing was changed; give --yes to confirm.',
    );
    expect(await json('ttl', 'list', name)).toEqual([]);
    expect(await count(name)).toBe(11);

    const no = await sandglassHere([...words, '--store', store], { isTTY: true, input: 'n\n' });
    expect(no).toMatchObject({ code: 5, stderr: expect.stringContaining('Continue? [y/N]') });
    expect(await json('ttl', 'list', name)).toEqual([]);

    const yes = await sandglassHere([...words, '--store', store], { isTTY: true, input: 'y\n' });
    expect(yes.code).toBe(0);
    await expect.poll(() => count(name)).toBe(1);
  });

  it('accepts --yes, and creates an observing index without it [R1]', async () => {
    const name = await filled(-3600);
    const observing = await run(
      'ttl',
      'create',
      name,
      '--field',
      'at',
      '--expire-after',
      '1s',
      '--schedule',
      'observe',
      '--name',
      'look',
    );
    expect(observing.code).toBe(0);
    expect(await count(name)).toBe(11);
    const acting = await run(
      'ttl',
      'create',
      name,
      '--field',
      'at',
      '--expire-after',
      '1s',
      '--yes',
      '--name',
      'act',
    );
    expect(acting.code).toBe(0);
    await expect.poll(() => count(name)).toBe(1);
  });

  it('passes every part of a definition [R1, R3, A2, X4]', async () => {
    const name = await filled(3600);
    const made = await json(
      ...[
        'ttl',
        'create',
        name,
        '--name',
        'all',
        '--field',
        'at',
        '--expire-after',
        '1h',
        '--action',
        'patch:{"at":null}',
      ],
      ...[
        '--schedule',
        'every:5s',
        '--rate',
        '500',
        '--batch-ms',
        '4',
        '--batch-size',
        '100',
        '--retention',
        '7d',
      ],
    );
    expect(made).toMatchObject({
      name: 'all',
      onExpire: { action: 'patch', patch: { at: null } },
      schedule: { mode: 'every', everyMs: 5_000 },
      limits: { removalsPerSecond: 500, batchMs: 4, batchSize: 100 },
      retention: 604_800,
    });
  });

  it('reports an invalid definition and a missing collection', async () => {
    const name = await filled(0);
    expect(await run('ttl', 'create', 'nowhere', '--field', 'at', '--expire-after', '1d')).toMatchObject({
      code: 3,
    });
    const bad = await run('ttl', 'create', name, '--expression', 'doc.at +');
    expect(bad).toMatchObject({ code: 2, stdout: '' });
    expect(bad.stderr).toMatch(/column|character|end/i);
  });
});

describe('the other ttl commands', () => {
  it('set changes the given options, with the same check; default resets a limit [R3, R8]', async () => {
    const name = await filled(-3600);
    await run('ttl', 'create', name, '--name', 'i', '--field', 'at', '--expire-after', '30d', '--rate', '5');
    expect(
      await run('ttl', 'set', name, 'i', '--expire-after', '60d', '--rate', 'default', '--retention', '1h'),
    ).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('at + 60d'),
    });
    expect(await json('ttl', 'list', name)).toMatchObject([
      { limits: {}, retention: 3600, source: { expireAfter: 5_184_000 } },
    ]);
    const shorter = ['ttl', 'set', name, 'i', '--expire-after', '1s'];
    expect(await run(...shorter)).toMatchObject({ code: 5 });
    expect(await count(name)).toBe(11);
    expect(await run(...shorter, '--yes')).toMatchObject({ code: 0 });
    await expect.poll(() => count(name)).toBe(1);
    expect(await run('ttl', 'set', name, 'missing', '--expire-after', '1d')).toMatchObject({ code: 3 });
  });

  it('preview shows the effect of creating, changing and dropping, without writing [X3]', async () => {
    const name = await filled(-3600);
    await run('ttl', 'create', name, '--name', 'i', '--field', 'at', '--expire-after', '30d');
    const previews = [
      ['ttl', 'preview', name, '--field', 'at', '--expire-after', '1s'],
      ['ttl', 'preview', name, 'i', '--expire-after', '1s'],
      ['ttl', 'preview', name, 'i', '--drop'],
    ];
    const answers = await Promise.all(previews.map(words => json(...words)));
    expect(answers).toMatchObject([
      { kind: 'create', dueAtOnce: 10 },
      { kind: 'change', dueAtOnce: 10 },
      { kind: 'drop', dueAtOnce: 0, never: { count: 11 } },
    ]);
    expect((await run(...(previews[1] ?? []))).stdout).toMatch(/^due at once +10 \(/m);
    expect(await count(name)).toBe(11);
    expect(await run('ttl', 'preview', name, 'i')).toMatchObject({ code: 2 });
  });

  it('[D3, X3] preview names values that cannot be read, with the options that read them', async () => {
    const name = await filled(-3600);
    await sandglassHere(['import', '-', name, '--store', store], { input: '{"day":"2005.06.03"}\n' });
    const plain = ['ttl', 'preview', name, '--field', 'day', '--expire-after', '0'];
    expect((await run(...plain)).stdout).toContain(
      `unreadable: 1 value, such as "2005.06.03"; they look like --format 'yyyy.MM.dd'`,
    );
    const read = await run(...plain, '--format', 'yyyy.MM.dd', '--zone', 'Asia/Tokyo');
    expect(read).toMatchObject({ code: 0 });
    expect(read.stdout).not.toContain('unreadable');
  });

  it('list --definitions prints commands that create the same indexes [X5]', async () => {
    const name = await filled(3600);
    const words = [
      '--name',
      'i',
      '--field',
      'at',
      '--expire-after',
      '30d',
      '--schedule',
      'every:5s',
      '--rate',
      '7',
    ];
    await run('ttl', 'create', name, ...words);
    const { stdout } = await run('ttl', 'list', name, '--definitions');
    const [made] = (await json('ttl', 'list', name)) as object[];
    await run('ttl', 'drop', name, 'i');
    const line = stdout.trim().split(' ');
    expect(line.shift()).toBe('sandglass');
    expect((await run(...line)).code).toBe(0);
    const [again] = (await json('ttl', 'list', name)) as object[];
    expect(again).toEqual({ ...made, createdAt: expect.any(Number) });
  });

  it('list, explain and drop [X1]', async () => {
    const name = await filled(3600);
    await run('ttl', 'create', name, '--name', 'i', '--field', 'at', '--expire-after', '30d');
    const { stdout } = await run('ttl', 'list', name);
    expect(stdout).toMatch(new RegExp(`^${name} +i +at \\+ 30d +delete +exact +10 +0 +1 +in 30 d`, 'm'));
    expect((await run('ttl', 'explain', name, 'd0')).stdout).toMatch(
      /^Deadline: .+ \(in 30 d.*\), from i\.$/m,
    );
    expect(await json('ttl', 'explain', name, 'none')).toMatchObject({ state: 'never', deadlineAt: null });
    expect((await run('ttl', 'explain', name)).stdout).toMatch(
      /^i: 10 documents with a deadline.+\n {2}missing.*: 1 document, such as none$/m,
    );
    expect(await run('ttl', 'explain', name, 'nobody')).toMatchObject({ code: 3 });
    expect(await run('ttl', 'drop', name, 'i')).toMatchObject({
      code: 0,
      stdout: `Dropped i on ${name}; 10 documents had their deadline from it.\n`,
    });
    expect((await run('ttl', 'list', name)).stdout).toBe('There are no TTL indexes.\n');
    expect(await run('ttl', 'drop', name, 'i')).toMatchObject({ code: 3 });
  });
});

describe('sandglass ttl set of an observing index', () => {
  it('shows the effect of another schedule, and requests a confirmation of removals [R1, R8, X3]', async () => {
    const name = await filled(-3600);
    const source = ['--field', 'at', '--expire-after', '1s', '--name', 'look'];
    await run('ttl', 'create', name, ...source, '--schedule', 'observe');
    const words = ['ttl', 'set', name, 'look', '--schedule', 'exact'];
    const refused = await run(...words);
    expect(refused).toMatchObject({ code: 5, stdout: '' });
    expect(refused.stderr).toMatch(/^due at once +10 \(/m);
    expect(refused.stderr).toContain('Nothing was changed; give --yes to confirm.');
    expect(await count(name)).toBe(11);

    expect(await run(...words, '--yes')).toMatchObject({ code: 0 });
    await expect.poll(() => count(name)).toBe(1);
  });
});

describe('sandglass ttl set --expression', () => {
  it('shows the effect, requests a confirmation, and changes the expression in place [D8, X3]', async () => {
    const name = await filled(-3600);
    const now = Math.round(Date.now() / 1000);
    expect(await run('ttl', 'create', name, '--expression', 'doc.at + 86400', '--name', 'exp')).toMatchObject(
      { code: 0 },
    );
    const words = ['ttl', 'set', name, 'exp', '--expression'];
    const refused = await run(...words, 'doc.at');
    expect(refused).toMatchObject({ code: 5, stdout: '' });
    expect(refused.stderr).toMatch(/^due at once +10 \(/m);
    expect(refused.stderr).toContain('Nothing was changed; give --yes to confirm.');
    const expressionNow = async () =>
      JSON.parse((await fetchFrom(host, 'GET', `/api/collections/${name}/ttl-indexes/exp`)).text).source
        .expression;
    expect(await expressionNow()).toBe('doc.at + 86400');
    expect(await count(name)).toBe(11);

    // Without a deadline for the first document.
    const one = `doc.at > ${now - 3590} ? doc.at : null`;
    const changed = await run(...words, one, '--yes');
    expect(changed).toMatchObject({ code: 0 });
    expect(changed.stderr).toMatch(/^due at once +9 \(/m);
    await expect.poll(expressionNow).toBe(one);
    await expect.poll(() => count(name)).toBe(2);
    const [last] = JSON.parse((await run('ttl', 'history', name, 'exp', '--json')).stdout);
    expect(last).toMatchObject({ change: 'change', after: { source: { expression: one } } });
  });

  it('refuses an invalid expression, one with --expire-after, and one for an index without expression', async () => {
    const name = await filled(3600);
    await run('ttl', 'create', name, '--expression', 'doc.at', '--name', 'exp');
    await run('ttl', 'create', name, '--field', 'at', '--expire-after', '1d', '--name', 'plain');
    const words = ['ttl', 'set', name, 'exp', '--expression'];
    expect(await run(...words, 'doc.at +')).toMatchObject({ code: 2, stdout: '' });
    const both = await run(...words, 'doc.at', '--expire-after', '1h');
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('returns the deadline itself') });
    expect(await run('ttl', 'set', name, 'plain', '--expression', 'doc.at', '--yes')).toMatchObject({
      code: 2,
      stdout: '',
    });
  });
});
