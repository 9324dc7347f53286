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
