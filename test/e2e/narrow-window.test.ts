import { expect, type Page } from '@playwright/test';
import { test } from './support/app.ts';

/** A window of 480 by 800: nothing is beyond its edge, and a TTL index is created in it. */

test.use({ viewport: { width: 480, height: 800 } });

const HOUR = 3_600_000;
const sessions = Array.from({ length: 300 }, (_, i) => ({
  _id: `u_${String(i).padStart(4, '0')}`,
  tenant: 'acme',
  seenAt: new Date(Date.now() - i * HOUR).toISOString(),
}));

const PAGES = [
  '#/overview',
  '#/collections/sessions/timeline',
  '#/collections/sessions/documents',
  '#/collections/sessions/documents?cel=doc.tenant%20%3D%3D%20%22acme%22',
  '#/collections/sessions/ttl-indexes',
  '#/collections/sessions/ttl-indexes/new',
  '#/collections/sessions/activity',
  '#/activity',
  '#/activity/passes',
  '#/health',
  '#/settings',
  '#/settings/access',
  '#/connections',
];

/** Returns elements that end beyond the window, and are within nothing that scrolls. */
const findBeyondWindow = (page: Page) =>
  page.evaluate(() => {
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    return [...document.querySelectorAll('body *')]
      .filter(element => {
        const { right, width, height } = element.getBoundingClientRect();
        const isHidden = width * height === 0 || element.closest('.visually-hidden') !== null;
        return !isHidden && right > innerWidth + 1 && !scrolls(element.parentElement);
      })
      .map(({ tagName, className, textContent }) => `${tagName} ${className} ${textContent?.slice(0, 40)}`);
  });

test('no page has anything beyond the edge', { tag: '@served' }, async ({ app: { page, fill, open } }) => {
  test.slow();
  await fill('sessions', sessions);
  const beyond: string[] = [];
  for (const at of PAGES) {
    await open(at);
    await expect(page.getByRole('main')).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    beyond.push(...(await findBeyondWindow(page)).map(found => `${at}: ${found}`));
  }
  expect(beyond).toEqual([]);
});

test('the sidebar leads to a collection, where a TTL index is created', async ({
  app: { page, fill, open },
}) => {
  await fill('sessions', sessions);
  await open('#/overview');
  const sidebar = page.getByRole('complementary', { name: 'Navigation' });
  await expect(sidebar).toHaveCount(0);
  await page.getByRole('button', { name: 'Show the sidebar' }).click();
  await sidebar.getByRole('link', { name: /^sessions/ }).click();
  await expect(sidebar).toHaveCount(0);
  await page.getByRole('link', { name: 'Create TTL index', exact: true }).first().click();
  await expect(page.getByRole('radio', { name: 'seenAt' })).toBeChecked();
  await page.getByRole('textbox', { name: 'Expires after' }).fill('30d');
  await expect(page.getByRole('complementary', { name: 'Exact effect' })).toContainText('300');
  await page.getByRole('button', { name: /^Review/ }).click();
  await page.getByRole('button', { name: /^Create index/ }).click();
  await expect(page.getByRole('link', { name: /^TTL indexes 1/ })).toBeVisible();
  await page.getByRole('button', { name: 'Show the sidebar' }).click();
  await page.keyboard.press('Escape');
  await expect(sidebar).toHaveCount(0);
});
