import { existsSync } from 'node:fs';
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

it('without a running owner of the store, connections cannot be listed', async () => {
  const store = temporaryStoreFile();
  await sandglass(['collections', 'create', 'c', '--store', store]);
  expect((await sandglass(['connection', 'list', '--store', store])).code).toBe(6);
});
