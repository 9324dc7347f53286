import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { z } from 'zod';
import { expectAccessible } from './support/accessibility.ts';
import { test } from './support/app.ts';

const dialog = (page: Page, name?: string | RegExp) =>
  page.getByRole('dialog', name === undefined ? {} : { name });
const question = (page: Page) => dialog(page, 'Write to orders?');
const rail = (page: Page) => page.getByRole('complementary', { name: 'Navigation' });
const toast = (page: Page, text: string) => page.getByLabel('Messages').getByText(text);

async function inBothThemes(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
}

const listed = z.array(z.object({ name: z.string() }));
const hashOf = (page: Page) => new URL(page.url()).hash;

test('connections: tested, added, distinguished, confirmed in production, read-only, closed, opened and removed', async ({
  app,
  page,
}) => {
  test.slow();
  const { folder } = app;
  const file = app.fileAsNamed('orders.sandglass');
  await app.fill('connected_carts', [{ _id: 'at-home' }]);
  const [{ name: home = '' } = {}] = listed.parse(await app.rest('GET', '/api/connections'));

  // An invalid path first, then a valid one.
  await app.open('#/connections/add');
  const path = dialog(page).getByRole('textbox', { name: 'File or address' });
  await expect(path).toBeFocused();
  await path.fill(app.namesPaths ? 'orders.sandglass' : '/data/orders.sandglass');
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('alert')).toContainText(app.namesPaths ? 'full path' : 'file name');
  const noStore = app.fileAsNamed('notes.sandglass');
  writeFileSync(
    join(folder, 'notes.sandglass'),
    'Not a store, and longer than the head of one would be. '.repeat(4),
  );
  await path.fill(noStore);
  await dialog(page).getByRole('button', { name: 'Test' }).click();
  await expect(dialog(page).getByRole('status')).toContainText('notes.sandglass');
  await expectAccessible(page);
  await path.fill(file);
  await dialog(page).getByRole('button', { name: 'Test' }).click();
  await expect(dialog(page).getByRole('status')).toContainText('creates an empty store');
  await expect(dialog(page).getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('orders');
  await dialog(page).getByRole('radio', { name: 'Production' }).click();
  await dialog(page).getByRole('button', { name: 'Add connection' }).click();

  // The window shows the connection as production.
  await expect(page).toHaveURL(/#\/on\/c-[0-9a-f]+\/overview$/);
  await expect(page.getByRole('banner').getByText('Production')).toBeVisible();
  await expect(rail(page).getByText('connected_carts')).toHaveCount(0);

  // Production requires confirmation: declined, confirmed, then no longer required.
  await rail(page).getByRole('button', { name: 'New collection…' }).click();
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill('connected_carts');
  await page.keyboard.press('Enter');
  await expect(question(page)).toContainText('Create the collection connected_carts.');
  await inBothThemes(page);
  await page.keyboard.press('Escape');
  await expect(dialog(page).getByRole('textbox', { name: 'Name' })).toHaveValue('connected_carts');
  await expect(question(page)).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await dialog(page).getByRole('button', { name: 'Create collection' }).click();
  await question(page).getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page).toHaveURL(/#\/on\/c-[0-9a-f]+\/collections\/connected_carts\/timeline$/);
  await page.getByRole('link', { name: /^Documents/ }).click();
  await page.getByRole('button', { name: 'New document…' }).first().click();
  await dialog(page).getByRole('textbox', { name: 'Document' }).fill('{"_id": "in-orders"}');
  await page.keyboard.press('Control+Enter');
  await question(page)
    .getByRole('checkbox', { name: /Do not ask again/ })
    .check();
  await question(page).getByRole('button', { name: 'Write', exact: true }).click();
  await expect(page.getByRole('row', { name: /in-orders/ })).toBeVisible();
  await expect(page.getByRole('banner').getByRole('button', { name: /Production/ })).toBeVisible();

  // The same name in both stores: neither shows the other's documents. The address survives a reload, and back returns.
  await page.reload();
  await expect(page.getByRole('row', { name: /in-orders/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /at-home/ })).toHaveCount(0);
  const inOrders = hashOf(page);
  await rail(page).getByRole('link', { name: home, exact: true }).click();
  await rail(page)
    .getByRole('link', { name: /connected_carts/ })
    .click();
  await page.getByRole('link', { name: /^Documents/ }).click();
  await expect(page.getByRole('row', { name: /at-home/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /in-orders/ })).toHaveCount(0);
  await expect(page.getByRole('banner').getByText('Production')).toHaveCount(0);
  for (let step = 0; step < 3; step += 1) await page.goBack();
  await expect.poll(() => hashOf(page)).toBe(inOrders);
  await expect(page.getByRole('row', { name: /in-orders/ })).toBeVisible();

  // Read-only, from the palette: no action that changes the store is offered.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('edit connection orders');
  await page.keyboard.press('Enter');
  await dialog(page).getByRole('checkbox', { name: 'Read-only' }).check();
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByRole('row', { name: /orders/ })).toContainText('Read-only');
  await inBothThemes(page);
  await app.open(inOrders);
  await expect(page.getByRole('banner').getByText('Read-only', { exact: true })).toBeVisible();
  await expect(page.getByRole('banner').getByRole('status')).toContainText('Off');
  await expect(page.getByRole('row', { name: /in-orders/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'New document…' })).toHaveCount(0);
  await expect(rail(page).getByRole('button', { name: 'New collection…' })).toHaveCount(0);
  await page.getByRole('row', { name: /in-orders/ }).click();
  await expect(page.getByText(/This connection is read-only/)).toBeVisible();

  // Closed while it is shown: the page reports it and opens it again.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('close connection orders');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'orders is closed' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('main').getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.getByRole('row', { name: /in-orders/ })).toBeVisible();

  // Removed: the window returns to home, and the file stays.
  await rail(page).getByRole('link', { name: 'All connections' }).click();
  await page.getByRole('button', { name: 'More for orders' }).click();
  await page.getByRole('menuitem', { name: 'Remove…' }).click();
  await expect(dialog(page)).toContainText(file);
  await dialog(page).getByRole('button', { name: 'Remove connection' }).click();
  await expect(page).toHaveURL(/#\/connections$/);
  await expect(toast(page, 'orders removed')).toBeVisible();
  await expect(page.getByRole('row', { name: /orders/ })).toHaveCount(0);
  expect(existsSync(join(folder, 'orders.sandglass'))).toBe(true);
});
