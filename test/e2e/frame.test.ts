import { expect } from '@playwright/test';
import { test } from './support/app.ts';

/** What stands around every page: the top bar, the rail, the palette, the banners. */

const documents = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ _id: `d${i}`, seenAt: Date.now() + 60_000 * (i + 1) }));

test.describe('a window of 1024 by 700', () => {
  test.use({ viewport: { width: 1024, height: 700 } });

  test('keeps names: the crumb its page, the table its collections, with the rail and without', async ({
    app: { page, fill, open },
  }) => {
    await fill('small-window', documents(3));
    await open('#/overview');
    const name = page.getByRole('main').getByRole('link', { name: 'small-window' });
    await expect.poll(async () => (await name.boundingBox())?.width ?? 0).toBeGreaterThan(60);
    await page.keyboard.press('Control+b');
    await expect(page.getByRole('complementary', { name: 'Navigation' })).toBeVisible();
    const cell = page.getByRole('main').getByRole('cell', { name: 'small-window' });
    expect((await cell.boundingBox())?.width).toBeGreaterThanOrEqual(110);
    await open('#/collections/small-window/ttl-indexes/new');
    const crumb = page.getByRole('banner').getByText('New TTL index');
    const search = page.getByRole('button', { name: /Search or run/ });
    const end = await crumb.evaluate(element => element.getBoundingClientRect().right);
    expect(end).toBeLessThanOrEqual((await search.boundingBox())?.x ?? 0);
    await expect(page.getByRole('banner').getByRole('link', { name: 'small-window' })).toBeVisible();
  });
});

test('a paused collection says so on its page, leads to what waits, and resumes there', async ({
  app: { page, rest, fill, open },
}) => {
  await fill('held', documents(3));
  await rest('POST', '/api/reaper/pause', { collection: 'held' });
  const source = { kind: 'field', field: 'seenAt', expireAfter: 0, unit: 'milliseconds' };
  await rest('POST', '/api/collections/held/ttl-indexes', { name: 'seen', source });
  await rest('POST', '/api/collections/held/documents', { _id: 'late', seenAt: Date.now() - 60_000 });
  await open('#/collections/held/timeline');
  const banner = page.getByRole('status').filter({ hasText: /held is paused by .+ since/ });
  await expect(banner).toContainText('1 document is past the deadline');
  await expect(page.getByRole('banner').getByRole('button', { name: /^Paused here/ })).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText('shrinking');
  await page.getByLabel('Figures of held').getByRole('link', { name: '1', exact: true }).click();
  await expect(page.getByRole('main')).toContainText('late');
  await banner.getByRole('button', { name: 'Resume this collection' }).click();
  await expect(banner).toHaveCount(0);
  await expect(page.getByRole('banner').getByRole('button', { name: /^Running/ })).toBeVisible();
});
