import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { type App, test } from './support/app.ts';

const COUNT = 450;
const rowOf = (page: Page, id: string) => page.getByRole('row').filter({ hasText: id });

/** More documents than one page of the list, every third of acme. */
async function many(app: App, collection: string): Promise<void> {
  await app.fill(
    collection,
    Array.from({ length: COUNT }, (_, i) => ({
      _id: `d${String(i).padStart(4, '0')}`,
      tenant: i % 3 === 0 ? 'acme' : 'hooli',
    })),
  );
}

async function chooseAllMatching(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Select d0000' }).click();
  await page.getByRole('button', { name: /^Select all ([\d,]+ )?matching$/ }).click();
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('matching selected');
}

const pinned = async (app: App, collection: string): Promise<unknown> =>
  app.rest('GET', `/api/collections/${collection}`);

test('[E3] all matching documents are pinned by their filter, loaded or not, and no other', async ({
  app,
}) => {
  const { page } = app;
  await many(app, 'tenants');
  await app.open('#/collections/tenants/documents?sort=_id&filter=hooli');
  await expect(rowOf(page, 'd0001')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select d0001' }).click();
  await page.getByRole('button', { name: /^Select all ([\d,]+ )?matching$/ }).click();
  await page.getByRole('button', { name: /^Set expiration/ }).click();
  await page.getByRole('radio', { name: 'Never' }).click();
  await page.getByRole('button', { name: 'Review…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Filter: containing “hooli”');
  await expect(dialog).toContainText('POST /api/collections/tenants/expirations');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Apply to all matching' }).click();
  const result = page.getByRole('region', { name: 'Result of the change' });
  await expect(result).toContainText('300 set.');
  expect(await pinned(app, 'tenants')).toMatchObject({ documents: COUNT, pinned: 300 });
  await expect(rowOf(page, 'd0001')).toContainText('Pinned');
  await result.getByRole('button', { name: 'Done' }).click();
  await expect(result).toHaveCount(0);
});

test('[E3] deleting a whole list requires the name of its collection', async ({ app }) => {
  const { page } = app;
  await many(app, 'emptied');
  await app.open('#/collections/emptied/documents?sort=_id');
  await chooseAllMatching(page);
  await expect(page.getByRole('checkbox', { name: 'Select d0005' })).toBeChecked();
  await page.getByRole('button', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog', { name: /^Delete all 450 matching/ });
  const confirm = dialog.getByRole('button', { name: 'Delete all 450' });
  await expect(confirm).toBeDisabled();
  await expectAccessible(page);
  await dialog.getByRole('textbox').fill('emptied');
  await confirm.click();
  await expect(page.getByRole('region', { name: 'Result of the change' })).toContainText('450 deleted.');
  await expect(page.getByText('All documents left')).toBeVisible();
});

test('selecting a row again ends the selection of all', async ({ app }) => {
  const { page } = app;
  await many(app, 'narrowed');
  await app.open('#/collections/narrowed/documents?sort=_id');
  await chooseAllMatching(page);
  await page.getByRole('checkbox', { name: 'Select d0003' }).click();
  const bar = page.getByRole('region', { name: 'Selection' });
  await expect(bar).toContainText('2 selected');
  await page.keyboard.press('Escape');
  await expect(bar).toHaveCount(0);
});
