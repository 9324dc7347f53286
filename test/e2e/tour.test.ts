import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { test } from './support/app.ts';

/** The tour of a collection, which other tests mark as seen. */

const stop = (page: Page, name: string) => page.getByRole('dialog', { name: `Tour: ${name}` });
const STOPS = ['Timeline', 'Documents', 'TTL indexes', 'Activity', 'Reaper'];

test('the first collection shows what each part is for, once, by keyboard alone', async ({ app }) => {
  const { page } = app;
  await page.evaluate(() => localStorage.removeItem('sandglass.tour'));
  await app.fill('toured', []);
  await app.fill('later', []);
  await app.open('#/collections/toured/timeline');
  for (const [i, name] of STOPS.entries()) {
    await expect(stop(page, name)).toContainText(`${i + 1} of ${STOPS.length}`);
    const button = stop(page, name).getByRole('button', { name: i === 4 ? 'Done' : 'Next' });
    await expect(button).toBeFocused();
    if (i === 0) await expectAccessible(page);
    await page.keyboard.press('Enter');
  }
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await app.open('#/collections/later/timeline');
  await expect(page.getByRole('heading', { name: 'later', exact: true })).toBeAttached();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'later', exact: true })).toBeAttached();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the tour is ended by Escape or Skip, and shown again by its command', async ({ app }) => {
  const { page } = app;
  await page.evaluate(() => localStorage.removeItem('sandglass.tour'));
  await app.fill('toured', []);
  await app.open('#/collections/toured/documents');
  await expect(stop(page, 'Timeline')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await app.open('#/overview');
  await app.open('#/collections/toured/documents');
  await expect(page.getByRole('heading', { name: 'toured', exact: true })).toBeAttached();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.keyboard.press('Control+k');
  await page.keyboard.type('show the tour');
  await page.keyboard.press('Enter');
  await expect(stop(page, 'Timeline')).toBeVisible();
  await stop(page, 'Timeline').getByRole('button', { name: 'Skip' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
