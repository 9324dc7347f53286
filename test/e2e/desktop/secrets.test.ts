import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { canStartDesktop, inTrueElectron, makeFolder, startDesktop } from '../../support/desktop.ts';
import { NEEDS_REDIS, type RedisServer, startRedisServer } from '../../support/redis-server.ts';

test.skip(!canStartDesktop, 'the Electron double needs a POSIX shell');
test.skip(inTrueElectron, 'the keychain is the system’s');
test.skip(NEEDS_REDIS !== undefined, NEEDS_REDIS);

const PASSWORD = 'hunter2';
let redis: RedisServer;
test.beforeEach(async () => {
  redis = await startRedisServer('--requirepass', PASSWORD);
});
test.afterEach(() => redis.stop());

const dialog = (page: Page) => page.getByRole('dialog');

async function addConnection(page: Page): Promise<void> {
  await page.evaluate(() => {
    location.hash = '#/connections/add';
  });
  await dialog(page).getByRole('textbox', { name: 'File or address' }).fill(redis.uri);
  await dialog(page).getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
}

async function save(page: Page): Promise<string> {
  await dialog(page).getByRole('button', { name: 'Add connection' }).click();
  await expect(page).toHaveURL(/#\/on\/c-[0-9a-f]+\/overview$/);
  return new URL(page.url()).hash;
}

test('a password is kept encrypted by the keychain, and opens the connection after a restart', async () => {
  test.setTimeout(120_000);
  const folder = await makeFolder();
  const keychain = randomBytes(32).toString('hex');
  const first = await startDesktop({ folder, keychain });
  await addConnection(first.page);
  await expect(dialog(first.page)).toContainText('kept encrypted by this system’s keychain');
  await save(first.page);
  await first.stop();
  const kept = await readFile(join(folder, 'connection-secrets.json'), 'utf8');
  expect(kept).not.toContain(PASSWORD);
  expect(kept).not.toContain(Buffer.from(PASSWORD).toString('base64'));

  const second = await startDesktop({ folder, keychain });
  await second.page.evaluate(() => {
    location.hash = '#/connections';
  });
  await expect(second.page.getByRole('row', { name: /127\.0\.0\.1/ })).toContainText('Open');
  await second.stop();
});

test('without a keychain that encrypts, the window says so, nothing is written, and the password is requested', async () => {
  test.setTimeout(120_000);
  const folder = await makeFolder();
  const first = await startDesktop({ folder });
  await addConnection(first.page);
  await expect(dialog(first.page)).toContainText('no keychain that encrypts (basic_text)');
  const place = await save(first.page);
  await first.stop();
  await expect(readFile(join(folder, 'connection-secrets.json'))).rejects.toMatchObject({ code: 'ENOENT' });

  const second = await startDesktop({ folder });
  await second.page.evaluate(hash => {
    location.hash = hash;
  }, place);
  const password = second.page.getByRole('textbox', { name: 'Password of 127.0.0.1' });
  await password.fill(PASSWORD);
  await second.page.getByRole('button', { name: 'Open with this password' }).click();
  await expect(password).toHaveCount(0);
  await expect(second.page.getByRole('banner').getByText(/^Redis 7/)).toBeVisible();
  await second.stop();
});
