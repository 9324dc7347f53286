import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import Sqlite from 'better-sqlite3';
import { z } from 'zod';
import { fetchFrom } from '../support/served-host.ts';
import { expectAccessible } from './support/accessibility.ts';
import { test } from './support/app.ts';

test('[R3] a setting is changed at once, undone, refused if it is invalid, and reset to its default', async ({
  app,
}) => {
  const { page, rest } = app;
  await app.open('#/settings');
  const batch = page.getByRole('textbox', { name: 'Batch time' });
  await expect(batch).toHaveValue('8 ms');
  await batch.fill('12 ms');
  await batch.press('Enter');
  await expect(page.getByText('Batch time: 12 ms')).toBeVisible();
  await expect.poll(() => rest('GET', '/api/settings')).toMatchObject({ batchMs: 12 });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => rest('GET', '/api/settings')).toMatchObject({ batchMs: 8 });

  await batch.fill('0.1');
  await batch.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'From 0.5 ms to 1000 ms.' })).toBeVisible();
  await expect(batch).toHaveAttribute('aria-invalid', 'true');
  expect(await rest('GET', '/api/settings')).toMatchObject({ batchMs: 8 });
  await batch.press('Escape');
  await expect(batch).toHaveValue('8 ms');

  await rest('PATCH', '/api/settings', { removalsPerSecond: 500 });
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Removals per second' })).toHaveValue('500');
  await page.getByRole('button', { name: /^Reset Removals per second/ }).click();
  await expect(page.getByRole('textbox', { name: 'Removals per second' })).toHaveValue('0');
  await expect.poll(() => rest('GET', '/api/settings')).toMatchObject({ removalsPerSecond: 0 });
});

test('[X4] retention shows how much of its space is used', async ({ app }) => {
  const { page } = app;
  await app.open('#/settings/keeping');
  await expect(page.getByRole('progressbar', { name: 'Restoring, space used' })).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Change log, space used' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'At most' }).first()).toHaveValue('1 GiB');
});

test('[P1] a token is shown once, works with its permission, and is refused once it is revoked', {
  tag: '@served',
}, async ({ app }) => {
  const { page, host } = app;
  await app.open('#/settings/access');
  await page.getByRole('textbox', { name: 'Name of the new token' }).fill('nightly-export');
  await page.getByRole('button', { name: 'Create token' }).click();
  const made = page.getByRole('textbox', { name: 'The new token', exact: true });
  await expect(made).toBeVisible();
  const token = await made.inputValue();
  const asked = (method: string, path: string) => fetchFrom({ origin: host.origin, token }, method, path);
  expect((await asked('GET', '/api/collections')).status).toBe(200);
  expect((await asked('POST', '/api/reaper/pause')).status).toBe(403);
  await expectAccessible(page);

  await page.reload();
  await expect(page.getByRole('row', { name: /nightly-export/ })).toContainText('read');
  await expect(page.getByText(token)).toHaveCount(0);
  await page.getByRole('button', { name: 'Revoke nightly-export' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke token' }).click();
  await expect(page.getByRole('row', { name: /nightly-export/ })).toHaveCount(0);
  expect((await asked('GET', '/api/collections')).status).toBe(401);
});

test('[P1] the permission read shows the settings, and why they cannot be changed', {
  tag: '@served',
}, async ({ app }) => {
  const { page, rest, host } = app;
  const answer = await rest('POST', '/api/tokens', { name: 'watcher', permission: 'read' });
  const { token } = answer as { token: string };
  await page.goto('about:blank');
  await page.goto(`${host.origin}/#token=${token}`);
  await app.open('#/settings');
  await expect(page.getByRole('textbox', { name: 'Batch time' })).toBeDisabled();
  await expect(page.getByText('This needs the permission configure; watcher has read.')).toBeVisible();
  await app.open('#/settings/access');
  await expect(page.getByText('Tokens need the permission configure')).toBeVisible();
  await expect(page.getByRole('button', { name: 'New collection…' })).toHaveCount(0);
  await expectAccessible(page);
});

test('[B1] a backup is written, verified and named', async ({ app }) => {
  const { page, folder } = app;
  await app.fill('kept', [{ _id: 'a' }]);
  await app.open('#/settings/backup');
  const file = join(folder, 'copy.sandglass');
  const path = page.getByRole('textbox', { name: /^File.*on the machine that runs the store$/ });
  await expect(path).toHaveValue(/test-\d{4}-\d\d-\d\d-\d{4}\.sandglass$/);
  await path.fill(app.fileAsNamed('copy.sandglass'));
  await page.getByRole('button', { name: 'Back up now' }).click();
  await expect(page.getByText(/written and checked in/)).toBeVisible();
  expect((await stat(file)).size).toBeGreaterThan(1_000);
  await page.getByRole('button', { name: 'Back up now' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'copy.sandglass' })).toBeVisible();
  await expect(page.getByText('No followers')).toBeVisible();
  await expectAccessible(page);
});

test('[S3] the file is compacted and checked, each with its result', async ({ app }) => {
  const { page } = app;
  await app.fill('kept', [{ _id: 'a' }, { _id: 'b' }]);
  await app.open('#/settings/backup');
  const file = page.getByRole('region', { name: 'File' });
  await expect(file).toContainText(/Compacting needs .+ of free disk space/);
  await file.getByRole('button', { name: 'Compact' }).click();
  await expect(file.getByRole('status')).toContainText(/Compacted: .+ before, .+ after\./);
  await file.getByRole('button', { name: 'Check file' }).click();
  await expect(file.getByText('2 documents, no problem found')).toBeVisible();
  await expectAccessible(page);
});

test('[S3] compacting is cancelled beside its button, also after a reload, and can be done later', async ({
  app,
}) => {
  const { page, rest } = app;
  await app.fill('kept', [{ _id: 'a' }]);
  await app.open('#/settings/backup');
  const file = page.getByRole('region', { name: 'File' });
  const { file: path } = z.object({ file: z.string() }).parse(await rest('GET', '/api/store'));
  // A writer of another process: the copy cannot be written back while it holds the lock.
  const other = new Sqlite(path, { timeout: 5_000 });
  try {
    other.exec('BEGIN IMMEDIATE');
    await file.getByRole('button', { name: 'Compact' }).click();
    await expect(file.getByRole('progressbar', { name: 'Compact' })).toBeVisible();
    await page.reload();
    await expect(file.getByRole('progressbar', { name: 'Compact' })).toBeVisible();
    await expectAccessible(page);
    await file.getByRole('button', { name: 'Cancel' }).click();
    await expect
      .poll(() => rest('GET', '/api/jobs'))
      .toEqual(expect.arrayContaining([expect.objectContaining({ kind: 'compact', state: 'cancelled' })]));
    await expect(file.getByRole('progressbar')).toHaveCount(0);
  } finally {
    other.close();
  }
  await file.getByRole('button', { name: 'Compact' }).click();
  await expect(file.getByRole('status')).toContainText(/Compacted: .+ before, .+ after\./);
});

test('alerts are sent to an address that is set, tested and removed again', async ({ app }) => {
  const { page } = app;
  const received: { signature: string; body: string }[] = [];
  const receiver = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      received.push({ signature: String(request.headers['sandglass-signature']), body });
      response.writeHead(received.length === 1 ? 503 : 204).end();
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const bound = receiver.address();
  const url = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}/hook`;
  try {
    await app.open('#/settings/alerts');
    const webhook = page.getByRole('region', { name: 'Webhook' });
    const address = webhook.getByRole('textbox', { name: 'Webhook address' });
    const save = webhook.getByRole('button', { name: 'Save' });
    await address.fill('http://hooks.example.com/in');
    await webhook.getByLabel('Webhook secret').fill('a secret of many characters');
    await save.click();
    await expect(webhook.getByRole('alert')).toContainText('Use https://');
    await expect(address).toHaveAttribute('aria-invalid', 'true');
    await address.fill(url);
    await save.click();
    await expect(webhook.getByText('Nothing was sent yet.')).toBeVisible();
    await expectAccessible(page);

    const sendTest = webhook.getByRole('button', { name: 'Send a test' });
    await sendTest.click();
    await expect(webhook.getByRole('status')).toContainText('The address answered 503');
    await sendTest.click();
    await expect(webhook.getByRole('status')).toContainText(/^Delivered/);
    expect(received[1]?.signature).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
    expect(JSON.parse(received[1]?.body ?? '')).toMatchObject({ event: 'test' });

    await page.reload();
    await expect(address).toHaveValue(url);
    await webhook.getByRole('button', { name: 'Remove' }).click();
    await expect(address).toHaveValue('');
    expect(await app.rest('GET', '/api/webhook')).toMatchObject({ url: null });
  } finally {
    receiver.close();
  }
});

test('every section has an address, and no serious violation in either theme', async ({ app }) => {
  test.slow();
  const { page } = app;
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    for (const [section, heading] of [
      ['removal', 'Batches'],
      ['holds', 'Circuit breaker'],
      ['keeping', 'Change log'],
      ['access', 'Access tokens'],
      ['backup', 'Followers'],
      ['alerts', 'Webhook'],
      ['appearance', 'Appearance'],
    ]) {
      await app.open(`#/settings/${section}`);
      await expect(page.getByRole('heading', { name: heading ?? '' })).toBeVisible();
      await expectAccessible(page);
    }
  }
  await page.getByRole('radiogroup', { name: 'Theme' }).getByRole('radio', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});
