import { expect } from '@playwright/test';
import { test } from './support/app.ts';

/** A part of the window that fails leaves the other parts usable, and offers Retry. */

test('a page whose code cannot be loaded shows the error beside the rail, and Retry shows the page @served', async ({
  app: { page, open },
}) => {
  const chunk = /\/assets\/HealthPage-.+\.js/;
  await page.route(chunk, route => route.abort());
  await page.reload();
  await open('#/connections');
  await page.getByRole('link', { name: 'Health' }).click();
  const failure = page.getByRole('alert').filter({ hasText: 'Health could not be shown' });
  await expect(failure).toContainText('Its code did not load');
  await expect(page.getByRole('complementary', { name: 'Navigation' })).toBeVisible();
  await expect(failure.getByRole('button', { name: 'Reload the window' })).toBeVisible();
  await failure.getByRole('button', { name: 'Retry' }).click();
  await expect(failure).toBeVisible();
  await page.unroute(chunk);
  await failure.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { name: 'Health', exact: true })).toBeAttached();
  await expect(failure).toHaveCount(0);
});

test('another page is shown after one that failed, and the details can be copied @served', async ({
  app: { page, open },
}) => {
  const chunk = /\/assets\/SettingsPage-.+\.js/;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.route(chunk, route => route.abort());
  await page.reload();
  await open('#/settings');
  const failure = page.getByRole('alert').filter({ hasText: 'Settings could not be shown' });
  await failure.getByRole('button', { name: 'Copy details' }).click();
  await expect(failure.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^Settings\n.*#\/settings\n/);
  await open('#/activity');
  await expect(page.getByRole('heading', { name: 'Activity', exact: true })).toBeAttached();
  await expect(failure).toHaveCount(0);
  await page.unroute(chunk);
});
