import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { z } from 'zod';
import { openEmbeddedStore } from '../../electron/engine/backends/embedded/store.ts';
import { systemClock } from '../../electron/engine/platform/clock.ts';
import { expectAccessible } from './support/accessibility.ts';
import { test } from './support/app.ts';

const PAGE_BYTES = 4_096;
const COUNT = 300;

type App = Parameters<Parameters<typeof test>[2]>[0]['app'];

/** Makes a store with 300 documents and damages its file: noise in the list of tables and in a page of documents. */
async function damagedStore(app: App, name: string) {
  const path = join(app.folder, `${name}.sandglass`);
  const store = openEmbeddedStore({ file: path, clock: systemClock, reads: 'inline' });
  store.createCollection('orders');
  for (let i = 0; i < COUNT; i++) store.put('orders', `order ${i}`, { text: 'x'.repeat(500) });
  await store.close();
  const bytes = readFileSync(path);
  bytes.fill(0xa5, 100, PAGE_BYTES);
  bytes.fill(0xa5, bytes.length - 20 * PAGE_BYTES, bytes.length - 19 * PAGE_BYTES);
  writeFileSync(path, bytes);
  return { file: app.fileAsNamed(`${name}.sandglass`), path, bytes };
}

/** Adds a connection that is closed. Returns its id. */
async function addClosed(app: App, name: string, file: string): Promise<string> {
  const label = { name, colour: 2, environment: 'development', readOnly: false };
  const added = await app.rest('POST', '/api/connections', {
    ...label,
    target: { kind: 'file', file },
    closed: true,
  });
  return z.object({ id: z.string() }).parse(added).id;
}

test('[S3] a damaged store: its connection says so, and what can be read is saved into a new one', async ({
  app,
  page,
}) => {
  test.slow();
  const { file, path, bytes } = await damagedStore(app, 'broken');
  const id = await addClosed(app, 'broken', file);
  await app.open(`#/on/${id}/overview`);
  await page.getByRole('main').getByRole('button', { name: 'Open', exact: true }).click();
  const alert = page.getByRole('main').getByRole('alert').filter({ hasText: 'broken cannot be opened' });
  await expect(alert).toBeVisible();
  await page.getByRole('link', { name: 'Save what can be read…' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Save what can be read of broken' });
  await expect(dialog.getByRole('textbox', { name: 'New file' })).toHaveValue(
    file.replace('.sandglass', '-recovered.sandglass'),
  );
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
  await dialog.getByRole('button', { name: 'Save what can be read' }).click();
  await expect(dialog.getByRole('status')).toContainText(/2\d\d documents recovered, of 1 collection/);
  expect(readFileSync(path)).toEqual(bytes);
  await dialog.getByRole('link', { name: 'Open the new store' }).click();
  await page
    .getByRole('complementary', { name: 'Navigation' })
    .getByRole('link', { name: /orders/ })
    .click();
  await page.getByRole('link', { name: /^Documents/ }).click();
  await expect(page.getByRole('row', { name: /order 1\b/ }).first()).toBeVisible();
});

test('[S3] a damaged file that is refused as a new connection: what can be read of it is saved', async ({
  app,
  page,
}) => {
  test.slow();
  const { file, path, bytes } = await damagedStore(app, 'left');
  // The window is on a connection that is away: how files are named is asked of home.
  const away = await addClosed(app, 'away', app.fileAsNamed('away.sandglass'));
  await app.open(`#/on/${away}/connections/add`);
  const adding = page.getByRole('dialog', { name: 'Add a connection' });
  await adding.getByRole('textbox', { name: 'File or address' }).fill(file);
  const save = adding.getByRole('button', { name: 'Save what can be read…' });
  await expect(save).toHaveCount(0);
  await adding.getByRole('button', { name: 'Test' }).click();
  await expect(save).toBeVisible();
  await adding.getByRole('button', { name: 'Add connection' }).click();
  await expect(adding.getByRole('textbox', { name: 'File or address' })).toHaveAccessibleDescription(
    /left\.sandglass/,
  );
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
  await save.click();
  const saving = page.getByRole('dialog', { name: 'Save what can be read of left' });
  await expect(saving.getByRole('textbox', { name: 'New file' })).toHaveValue(
    file.replace('.sandglass', '-recovered.sandglass'),
  );
  await saving.getByRole('button', { name: 'Save what can be read' }).click();
  await expect(saving.getByRole('status')).toContainText(/2\d\d documents recovered, of 1 collection/);
  expect(readFileSync(path)).toEqual(bytes);
});
