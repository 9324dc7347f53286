import { spawnSync } from 'node:child_process';
import { expect, type Locator, type Page } from '@playwright/test';
import { NEEDS_REDIS, type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { expectAccessible } from './support/accessibility.ts';
import { test } from './support/app.ts';
import { dropFile } from './support/drop-file.ts';

/** Redis in the window: connected by its address, with the timeline of its keys, their deadlines and their expiry. */

test.skip(NEEDS_REDIS !== undefined, NEEDS_REDIS);

let redis: RedisServer;
test.beforeEach(async () => {
  redis = await startRedisServer('--notify-keyspace-events', 'KEA');
});
test.afterEach(() => redis.stop());

/** Sends commands to the server with redis-cli. */
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

test('the tour of a prefix has its own words, and no stop for what Redis lacks', async ({
  app: { open },
  page,
}) => {
  send('SET session:1 v PX 3600000');
  await open('#/connections/add');
  await connect(page);
  await page.evaluate(() => localStorage.removeItem('sandglass.tour'));
  const [, connection = ''] = /on\/(c-[0-9a-f]+)/.exec(page.url()) ?? [];
  await open(`#/on/${connection}/collections/session/timeline`);
  for (const [i, name] of ['Timeline', 'Keys', 'Activity', 'Reaper'].entries()) {
    const stop = dialog(page).filter({ hasText: `${i + 1} of 4` });
    await expect(stop).toContainText(name);
    await expect(stop).not.toContainText(/document/i);
    await stop.getByRole('button', { name: i === 3 ? 'Done' : 'Next' }).click();
  }
  await expect(dialog(page)).toHaveCount(0);
});

test('the timeline of a Redis server is shown two clicks after its address is entered', async ({
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
  await expect(table.getByRole('columnheader', { name: 'Prefix' })).toBeVisible();
  await expect(table).toContainText('2 prefixes');
  await expect(page.getByText(/^keys per/)).toBeVisible();
  await expect(page.getByRole('banner').getByText(/^Redis 7/)).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByRole('button', { name: /Pause/ })).toHaveCount(0);

  await open('#/connections');
  const rows = page.getByRole('region', { name: 'All connections' }).getByRole('row');
  await expect(rows.filter({ hasText: 'home' })).toContainText(/\d (kB|MB)/);
  // A server has no file.
  await expect(rows.filter({ hasText: 'redis://' })).not.toContainText(/\d k?B/);
});

test('keys are listed with their deadlines; a changed deadline is written to Redis', async ({
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

/** Connects, opens the details of the key session:1, and returns the editor of its value. */
async function editorOfKey(page: Page): Promise<Locator> {
  await connect(page);
  await page.getByRole('link', { name: 'session' }).first().click();
  await page.getByRole('link', { name: /^Keys/ }).click();
  await page.getByRole('row', { name: /session:1/ }).click();
  return page.getByRole('textbox', { name: /^Document, / });
}

test('a value that was changed elsewhere is shown, also if the TTL is the same, and the editor of an edited one says so', async ({
  app: { open },
  page,
}) => {
  send('SET session:1 first PX 3600000');
  await open('#/connections/add');
  const text = await editorOfKey(page);
  await expect(text).toHaveText(/"first"/);
  send('SET session:1 second KEEPTTL');
  await expect(text).toHaveText(/"second"/);
  await text.fill('{ "_id": "session:1", "type": "string", "value": "mine" }');
  send('SET session:1 third KEEPTTL');
  await expect(page.getByText('The document was changed elsewhere')).toBeVisible();
  await page.getByRole('button', { name: 'Show stored version' }).click();
  await expect(text).toHaveText(/"third"/);
});

test('a value is saved over the value that was edited, and not over a newer one', async ({
  app: { open },
  page,
}) => {
  // Nothing says that the value has changed, until it is saved.
  send('CONFIG SET notify-keyspace-events ""', 'SET session:1 first PX 3600000');
  await open('#/connections/add');
  const text = await editorOfKey(page);
  await expect(text).toHaveText(/"first"/);
  send('SET session:1 second KEEPTTL');
  await text.fill('{ "_id": "session:1", "type": "string", "value": "mine" }');
  const save = page.getByRole('button', { name: 'Save' });
  await save.click();
  await expect(page.getByText('The document was changed elsewhere')).toBeVisible();
  expect(send('GET session:1').trim()).toBe('second');
  await save.click();
  await expect(save).toBeDisabled();
  await expect(text).toHaveText(/"mine"/);
  await expect(page.getByText('The document was changed elsewhere')).toHaveCount(0);
  expect(send('GET session:1').trim()).toBe('mine');
  expect(Number(send('TTL session:1'))).toBeGreaterThan(3_000);
});

test('[E3] the deadlines of all matching keys are set under a condition, and undone', async ({
  app: { open },
  page,
}) => {
  // More keys than a page loads at once.
  send(`EVAL "for i = 2, 900 do redis.call('SET', 'task:' .. i, 'x') end" 0`, 'SET task:1 a PX 3600000');
  await open('#/connections/add');
  await connect(page);
  await page.getByRole('link', { name: 'task' }).first().click();
  await page.getByRole('link', { name: /^Keys/ }).click();
  await page.getByRole('checkbox', { name: 'Select task:1', exact: true }).click();
  await page.getByRole('button', { name: /^Select all ([\d,]+ )?matching$/ }).click();
  await page.getByRole('button', { name: 'Set expiration…' }).click();
  await page.getByRole('combobox', { name: 'Applies to' }).click();
  await page.getByRole('option', { name: /NX/ }).click();
  await page.getByRole('button', { name: 'Review…' }).click();
  const dialog = page.getByRole('dialog', { name: /^Set the expiration/ });
  await expect(dialog).toContainText('1 stay unchanged.');
  await expect(dialog).toContainText('Undo is offered at the end.');
  await dialog.getByRole('button', { name: /^Apply to all/ }).click();
  const result = page.getByRole('region', { name: 'Result of the change' });
  await expect(result).toContainText('899 set, 1 left unchanged.');
  expect(Number(send('TTL task:2'))).toBeGreaterThan(3_600);
  await result.getByRole('button', { name: 'Undo' }).click();
  await expect(result).toContainText('899 set back.');
  expect(Number(send('TTL task:2'))).toBe(-1);
});

test('a file is imported into the keys of a prefix, and what exists is replaced', async ({
  app: { open },
  page,
}) => {
  send('SET session:1 old PX 3600000');
  await open('#/connections/add');
  await connect(page);
  await page.getByRole('link', { name: 'session' }).first().click();
  await page.getByRole('link', { name: /^Keys/ }).click();
  await expect(page.getByRole('row', { name: /session:1/ })).toBeVisible();
  await dropFile(page, 'session.ndjson', '{"_id":"1","name":"Ada"}\n{"_id":"2","name":"Bob"}\n');
  const importing = page.getByRole('dialog', { name: 'Import session.ndjson' });
  await expectAccessible(page);
  await importing.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(importing).toContainText('2 keys stored');
  expect(send('GET session:1', 'GET session:2')).toBe('{"name":"Ada"}\n{"name":"Bob"}\n');
});

test('an expired key is removed from the list, and its lag is measured', async ({ app: { open }, page }) => {
  send('SET gone:1 a PX 8000', 'SET gone:2 b PX 3600000');
  await open('#/connections/add');
  await connect(page);
  await expect(page.getByRole('row', { name: /gone/ })).toContainText('2');
  await expect(page.getByRole('row', { name: /gone/ })).toContainText('1', { timeout: 15_000 });
  const place = new URL(page.url()).hash.replace(/overview$/, 'activity/expired');
  await open(place);
  await expect(page.getByRole('row', { name: /gone:1/ })).toBeVisible();
});

test('an unreachable server is reported, and its figures are still shown', async ({
  app: { open },
  page,
}) => {
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

test('a page has the settings for reading keys: notifications, prefixes, pause', async ({
  app: { open },
  page,
}) => {
  send('CONFIG SET notify-keyspace-events ""');
  send(
    ...Array.from({ length: 60 }, (_, i) => `SET session:${i} a PX 3600000`),
    ...Array.from({ length: 20 }, (_, i) => `SET session:${i}:cart a`),
  );
  await open('#/connections/add');
  await connect(page);
  await expect(page.getByRole('row', { name: /session/ })).toContainText('80');
  await open(new URL(page.url()).hash.replace(/overview$/, 'settings/reading'));
  await expectAccessible(page);

  const notifications = page.getByRole('region', { name: 'Notifications' });
  await expect(notifications).toContainText('CONFIG SET notify-keyspace-events', { timeout: 20_000 });
  await notifications.getByRole('button', { name: 'Turn on until the server restarts' }).click();
  await expect(notifications.getByRole('status')).toContainText('sends a message for each change', {
    timeout: 20_000,
  });
  expect(send('CONFIG GET notify-keyspace-events')).toContain('E');

  const prefixes = page.getByRole('region', { name: 'Prefixes' });
  await prefixes.getByRole('button', { name: 'Add a pattern' }).click();
  await prefixes.getByRole('textbox', { name: 'Pattern' }).fill('session:*:cart');
  await prefixes.getByRole('textbox', { name: 'Name of the group' }).fill('carts');
  await prefixes.getByRole('button', { name: 'Apply and read again' }).click();
  await expect(page.getByText('The grouping of keys was changed.')).toBeVisible();
  const sidebar = page.getByRole('navigation', { name: 'Collections' });
  await expect(sidebar.getByRole('link', { name: /carts/ })).toContainText('20', { timeout: 20_000 });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(sidebar.getByRole('link', { name: /carts/ })).toHaveCount(0, { timeout: 20_000 });

  await page.getByRole('button', { name: 'Pause reading' }).click();
  await expect(page.getByText('Reading the deadlines is paused.')).toBeVisible();
  send('DEL session:1');
  await page.getByRole('textbox', { name: 'Keys per second' }).fill('5000');
  await page.keyboard.press('Enter');
  await expect(page.getByText('At most 5,000 keys a second are read.')).toBeVisible();
  await page.getByRole('button', { name: 'Resume reading' }).click();
  await expect(sidebar.getByRole('link', { name: /session/ })).toContainText('79', { timeout: 20_000 });
});
