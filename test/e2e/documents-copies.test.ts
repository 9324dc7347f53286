import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { test } from './support/app.ts';

const documents = [
  { _id: 'one', seats: 3, meta: { ip: 'x' } },
  { _id: 'two', seats: 4, meta: { ip: 'y' } },
];
const row = (page: Page, id: string) => page.getByRole('row', { name: new RegExp(`^Select ${id} `) });
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

test('a cell, a row and a selection are copied by the context menu and by Ctrl+C @served', async ({
  app,
}) => {
  const { page } = app;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await app.fill('copies', documents);
  await app.open('#/collections/copies/documents?sort=_id');
  await row(page, 'one').getByText('3', { exact: true }).click({ button: 'right' });
  await expectAccessible(page);
  await page.getByRole('menuitem', { name: 'Copy seats' }).click();
  await expect(page.getByText('seats copied')).toBeVisible();
  expect(await copied(page)).toBe('3');

  await row(page, 'one').getByText('3', { exact: true }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Copy document as CSV' }).click();
  await expect.poll(() => copied(page)).toBe('_id,seats,meta.ip\none,3,x\n');

  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  await expect(page.getByText('2 documents copied as JSON')).toBeVisible();
  expect(JSON.parse(await copied(page))).toEqual(documents);
});

test('a document is shown as a table, as JSON or as a tree; the choice is remembered', async ({ app }) => {
  const { page } = app;
  const items = Array.from({ length: 5_000 }, (_, n) => ({ n }));
  await app.fill('shapes', []);
  await app.rest('PUT', '/api/collections/shapes/documents/big', { meta: { ip: 'x' }, items });
  await app.open('#/collections/shapes/documents');
  await row(page, 'big').click();
  const details = page.getByRole('complementary', { name: 'Document big' });
  await details.getByRole('radio', { name: 'Tree' }).click();
  const tree = details.getByRole('tree', { name: 'Document as a tree' });
  await expect(tree.getByRole('treeitem', { name: /ip/ })).toBeVisible();
  await tree.getByRole('treeitem', { name: /items/ }).click();
  await expect(tree.getByRole('treeitem', { name: /items/ })).toHaveAttribute('aria-expanded', 'true');
  await tree.focus();
  await page.keyboard.press('End');
  await expect(tree.getByText('4999', { exact: true })).toBeVisible();
  await expectAccessible(page);

  await page.reload();
  await row(page, 'big').click();
  await expect(tree).toBeVisible();
  await details.getByRole('radio', { name: 'Table' }).click();
  await expect(details.getByRole('treeitem', { name: /items\[3\]\.n/ })).toBeVisible();
});

test('a filter is saved under a name and offered again, like recent ones', async ({ app }) => {
  const { page } = app;
  await app.fill('filtered', documents);
  await app.open('#/collections/filtered/documents?filter=two');
  await expect(row(page, 'one')).toHaveCount(0);
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('textbox', { name: 'Name of this filter' }).fill('second');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await app.open('#/collections/filtered/documents');
  await expect(row(page, 'one')).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('button', { name: /^second/ }).click();
  await expect(row(page, 'one')).toHaveCount(0);
});

test('staged edits of a closed window are shown in another one; those of an open window are not @served', async ({
  app,
}) => {
  const { page } = app;
  await app.fill('kept', documents);
  const address = '#/collections/kept/documents?sort=_id';
  await app.open(address);
  const stageIn = async (window: Page, id: string) => {
    await window.getByRole('checkbox', { name: `Select ${id}` }).check();
    await window.getByRole('button', { name: 'Clear expiration' }).click();
    await expect(window.getByText('1 staged edit.')).toBeVisible();
  };
  await stageIn(page, 'one');
  // A copy of the tab has its session storage too.
  const [other] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(href => void window.open(href), page.url()),
  ]);
  await expect(row(other, 'two')).toBeVisible();
  await stageIn(other, 'two');

  await page.reload();
  await expect(page.getByText('1 staged edit.')).toBeVisible();
  await other.close();
  await page.reload();
  await expect(page.getByText('2 staged edits.')).toBeVisible();
});

test('tabs of the window: opened by Ctrl and a click, chosen, closed, and kept over a reload', async ({
  app,
}) => {
  const { page } = app;
  await app.fill('tab-a', documents);
  await app.fill('tab-b', documents);
  await app.open('#/collections/tab-a/documents');
  await expect(row(page, 'one')).toBeVisible();
  await page
    .getByRole('link', { name: /tab-b/ })
    .first()
    .click({ modifiers: ['Control'] });
  const strip = page.getByRole('tablist', { name: 'Open tabs' });
  await expect(strip.getByRole('tab')).toHaveText(['tab-a', 'tab-b']);
  await expect(strip.getByRole('tab', { name: 'tab-a' })).toHaveAttribute('aria-selected', 'true');
  await strip.getByRole('tab', { name: 'tab-b' }).click();
  await expect(page).toHaveURL(/tab-b/);
  await page.goBack();
  await expect(strip.getByRole('tab', { name: 'tab-a' })).toHaveAttribute('aria-selected', 'true');
  await expectAccessible(page);

  await page.reload();
  await expect(strip.getByRole('tab')).toHaveText(['tab-a', 'tab-b']);
  await page.keyboard.press('Alt+PageDown');
  await expect(page).toHaveURL(/tab-b/);
  await page.keyboard.press('Alt+w');
  await expect(strip).toHaveCount(0);
  await expect(page).toHaveURL(/tab-a/);
});
