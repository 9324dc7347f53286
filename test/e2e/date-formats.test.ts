import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { test } from './support/app.ts';

const effect = (page: Page) => page.getByRole('complementary', { name: 'Exact effect' });
const logs = Array.from({ length: 400 }, (_, i) => ({
  _id: `bgl-${String(i).padStart(4, '0')}`,
  Date: `2005.06.${String((i % 28) + 1).padStart(2, '0')}`,
  Us: `0${(i % 9) + 1}/0${(i % 8) + 1}/2005`,
  Time: '15:42:50',
  Node: `R02-M1-N0-C:J${i}`,
}));

test('[D3, X3] unreadable dates get no check mark; one click selects their format', async ({ app }) => {
  const { page } = app;
  await app.fill('bgl', logs);
  await app.open('#/collections/bgl/ttl-indexes/new');
  // An unambiguous format is selected with its field, and the zone is shown.
  await expect(page.getByRole('radio', { name: 'Date', exact: true })).toBeChecked();
  await expect(page.getByRole('textbox', { name: 'Date format' })).toHaveValue('yyyy.MM.dd');
  await expect(page.getByLabel('Without an offset, in')).toBeVisible();
  await expect(effect(page)).toContainText('400 documents expire at once');
  await expect(effect(page)).toContainText('Wed 1 Jun 2005 00:00:00 UTC');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Remove the format yyyy.MM.dd' }).click();
  await expect(page.getByText('ISO 8601, UTC without an offset')).toBeVisible();
  await expect(effect(page)).toContainText('All 400 values cannot be read, such as "2005.06.01"');
  await expect(effect(page)).toContainText('They never expire.');
  const form = page.locator('.form');
  await expect(form).toContainText('All 400 values look like yyyy.MM.dd.');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Read as yyyy.MM.dd' }).click();
  await expect(effect(page)).toContainText('400 documents expire at once');
  await expect(form).not.toContainText('values look like');
});

test('[D3] an ambiguous order of day and month is a choice; a date and a time of day become one expression', async ({
  app,
}) => {
  const { page } = app;
  await app.fill('unclear', logs);
  await app.open('#/collections/unclear/ttl-indexes/new?field=Us');
  await expect(page.locator('.form')).toContainText('do not show which number is the day');
  await expect(effect(page)).toContainText('All 400 values cannot be read');
  await page.getByRole('button', { name: 'Read as MM/dd/yyyy' }).click();
  await expect(page.getByRole('textbox', { name: 'Date format' })).toHaveValue('MM/dd/yyyy');
  await expect(effect(page)).toContainText('400 documents expire at once');

  await page.getByRole('radio', { name: 'Date', exact: true }).click();
  await page.getByRole('button', { name: 'Read both by an expression' }).click();
  await expect(page.getByRole('textbox', { name: 'Expression' })).toContainText(
    'timestamp(doc.Date + " " + doc.Time, "yyyy.MM.dd HH:mm:ss") + duration("30d")',
  );
  await expect(effect(page)).toContainText('Time: "15:42:50"');
});

test('[D3] no note of unreadable values is shown where every value is readable or missing', async ({
  app,
}) => {
  const { page } = app;
  await app.fill('fine', [
    { _id: 'a', at: new Date(Date.now() + 3_600_000).toISOString() },
    { _id: 'b', other: 1 },
  ]);
  await app.open('#/collections/fine/ttl-indexes/new');
  await expect(page.getByRole('radio', { name: 'at', exact: true })).toBeChecked();
  await expect(effect(page)).toContainText('No document expires at once.');
  await expect(effect(page)).not.toContainText('cannot be read');
  await expect(page.locator('.form')).not.toContainText('look like');
});
