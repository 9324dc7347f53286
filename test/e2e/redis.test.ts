import { spawnSync } from 'node:child_process';
import { expect, type Page } from '@playwright/test';
import { NEEDS_REDIS, type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { expectAccessible, test } from './support/app.ts';

/** Redis in the window: connected by its address, with the timeline of its keys, their deadlines and their expiry. */

test.skip(NEEDS_REDIS !== undefined, NEEDS_REDIS);

let redis: RedisServer;
test.beforeEach(async () => {
  redis = await startRedisServer('--notify-keyspace-events', 'KEA');
});
test.afterEach(() => redis.stop());

/** Sends lines to the server with its own client. */
function send(...lines: string[]): string {
  const { stdout, status } = spawnSync('redis-cli', ['-p', String(redis.port)], {
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  return stdout;
}

const dialog = (page: Page) => page.getByRole('dialog');

async function connect(page: Page): Promise<void> {
  await dialog(page).getByRole('textbox', { name: 'File or address' }).fill(redis.uri);
  await dialog(page).getByRole('button', { name: 'Add connection' }).click();
  await expect(page).toHaveURL(/#\/on\/c-[0-9a-f]+\/overview$/);
}

test('the timeline of a running Redis is two clicks away from its address', async ({
  app: { open },
  page,
}) => {
  send(
    ...Array.from({ length: 500 }, (_, i) => `SET session:${i} value-${i} PX ${60_000 + i * 1_000}`),
    ...Array.from({ length: 40 }, (_, i) => `SET config:${i} value-${i}`),
  );
  await open('#/connections/add');
  await dialog(page).getByRole('textbox', { name: 'File or address' }).fill(redis.uri);
  await dialog(page).getByRole('button', { name: 'Test' }).click();
  await expect(dialog(page).getByRole('status')).toContainText(/Redis 7\.\d.* 540 keys/);
  await connect(page);

  const table = page.getByRole('region', { name: 'Collections' });
  await expect(table.getByRole('row', { name: /session/ })).toContainText('500');
  await expect(table.getByRole('row', { name: /config/ })).toContainText('40');
  await expect(page.getByRole('banner').getByText(/^Redis 7/)).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByRole('button', { name: /Pause/ })).toHaveCount(0);
});

test('keys are listed with their deadlines; one gets a new deadline, which Redis has then too', async ({
  app: { open },
  page,
}) => {
  send('SET session:1 a PX 3600000', 'SET session:2 b PX 7200000', 'HSET session:3 name Ada');
  await open('#/connections/add');
  await connect(page);
  await page.getByRole('link', { name: 'session' }).first().click();
  await page.getByRole('link', { name: /^Keys/ }).click();
  const grid = page.getByRole('row', { name: /session:3/ });
  await expect(grid).toContainText('Never');
  await grid.click();
  await page.getByRole('button', { name: 'Set expiration…' }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('2h');
  await page.getByRole('button', { name: 'Stage 1' }).click();
  await page.getByRole('button', { name: 'Apply to 1' }).click();
  await expect.poll(() => Number(send('TTL session:3'))).toBeGreaterThan(7_000);
});

test('a key that expires leaves the list, and its lag is measured', async ({ app: { open }, page }) => {
  send('SET gone:1 a PX 8000', 'SET gone:2 b PX 3600000');
  await open('#/connections/add');
  await connect(page);
  await expect(page.getByRole('row', { name: /gone/ })).toContainText('2');
  await expect(page.getByRole('row', { name: /gone/ })).toContainText('1', { timeout: 15_000 });
  const place = new URL(page.url()).hash.replace(/overview$/, 'activity/expired');
  await open(place);
  await expect(page.getByRole('row', { name: /gone:1/ })).toBeVisible();
});

test('a server that cannot be reached is reported, and the figures stay', async ({ app: { open }, page }) => {
  send('SET cart:1 a PX 3600000');
  await open('#/connections/add');
  await connect(page);
  await expect(page.getByRole('row', { name: /cart/ })).toBeVisible();
  await redis.kill();
  await expect(page.getByRole('alert').filter({ hasText: 'cannot be reached' })).toBeVisible({
    timeout: 15_000,
  });
  await expect(page.getByRole('row', { name: /cart/ })).toBeVisible();
  await redis.start();
  await expect(page.getByRole('alert').filter({ hasText: 'cannot be reached' })).toHaveCount(0, {
    timeout: 30_000,
  });
});
