import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { sandglass } from '../../support/cli.ts';
import { startServedHost } from '../../support/served-host.ts';
import { temporaryStoreFile } from '../../support/temporary.ts';

it('connections of the store’s owner are listed, tested, added and removed; each is reached by its own file', async () => {
  const host = await startServedHost();
  onTestFinished(async () => void (await host.stop()));
  const [home, other] = [join(host.folder, 'test.sandglass'), join(host.folder, 'other.sandglass')];
  const command = (...words: string[]) => sandglass(['connection', ...words, '--store', home]);
  expect(await command('test', other)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('no such file yet'),
  });
  const added = await command('add', other, 'Second', '--environment', 'production', '--json');
  const { id } = JSON.parse(added.stdout);
  expect((await command('add', other, 'Again')).code).toBe(5);
  for (const target of [join(host.folder, 'third.sandglass'), 'redis://127.0.0.1:1'])
    expect(await command('add', 'Third', target)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`sandglass connection add ${target} Third`),
    });
  expect(existsSync('Third')).toBe(false);
  expect((await command('test', host.folder)).code).toBe(1);
  const list = await command('list');
  expect(list.stdout).toMatch(new RegExp(`${id} +Second +open +production`));

  // The same process owns the other file, with another local socket.
  const made = await sandglass(['collections', 'create', 'things', '--store', other]);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse((await sandglass(['collections', '--json', '--store', home])).stdout)).toEqual([]);
  expect(JSON.parse((await sandglass(['collections', '--json', '--store', other])).stdout)).toHaveLength(1);

  expect((await command('remove', id)).code).toBe(0);
  expect((await command('remove', id)).code).toBe(3);
  expect(existsSync(other)).toBe(true);
}, 120_000);

it('an exported list has no secrets, and is imported closed, without what is connected already', async () => {
  const [from, to] = [await startServedHost(), await startServedHost()];
  onTestFinished(async () => void (await Promise.all([from.stop(), to.stop()])));
  const at = (host: typeof from, ...words: string[]) =>
    sandglass(['connection', ...words, '--store', join(host.folder, 'test.sandglass')]);
  const other = join(from.folder, 'other.sandglass');
  await at(from, 'add', other, 'orders', '--environment', 'production', '--read-only');
  await at(from, 'add', join(from.folder, 'third.sandglass'), 'third', '--environment', 'production');
  const exported = JSON.parse((await at(from, 'export')).stdout);
  expect(exported).toMatchObject({
    version: 1,
    connections: [{ name: 'third', environment: 'production', target: { kind: 'file' } }],
  });
  const target = {
    kind: 'redis',
    uri: 'redis://ada@cache.internal:6379/0',
    ssh: { host: 'bastion', port: 22, user: 'ada' },
  };
  const label = { name: 'cache', colour: 2, environment: 'production', readOnly: true };
  const file = join(to.folder, 'connections.json');
  writeFileSync(
    file,
    JSON.stringify({ version: 1, connections: [...exported.connections, { ...label, target }] }),
  );
  expect((await at(to, 'import', file)).stdout).toMatch(/third is closed.*\n.*cache is closed/);
  expect((await at(to, 'import', file)).stdout).toMatch(/third: .* is connected already/);
  const again = JSON.parse((await at(to, 'export')).stdout);
  expect(again.connections).toEqual([...exported.connections, { ...label, target }]);
  writeFileSync(file, '{"version":2}');
  expect((await at(to, 'import', file)).code).toBe(2);
}, 120_000);

it('without a running owner of the store, connections cannot be listed', async () => {
  const store = temporaryStoreFile();
  await sandglass(['collections', 'create', 'c', '--store', store]);
  expect((await sandglass(['connection', 'list', '--store', store])).code).toBe(6);
});
