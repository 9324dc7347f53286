import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { test } from './support/app.ts';

const COUNT = 20_000;
const padded = (i: number) => String(i).padStart(5, '0');
const grid = (page: Page) => page.getByRole('grid');

/** Returns the number of the first visible row; elements may be in any order while scrolling. */
async function firstSeen(page: Page): Promise<number> {
  const ids = await grid(page)
    .getByRole('row')
    .evaluateAll(rows => rows.map(row => /d(\d{5})/.exec(row.textContent ?? '')?.[1] ?? ''));
  const known = ids.filter(id => id !== '').map(Number);
  // Rows that are loading are empty.
  return known.length === 0 ? Number.NaN : Math.min(...known);
}

test('a long list in the order of _id scrolls approximately by the thumb, and exactly from there', async ({
  app,
}) => {
  const { page } = app;
  await app.fill('far', []);
  for (let from = 0; from < COUNT; from += 5_000) {
    const part = Array.from({ length: 5_000 }, (_, i) => ({ _id: `d${padded(from + i)}` }));
    await app.rest('POST', '/api/collections/far/documents', part);
  }
  const asked: string[] = [];
  page.on('websocket', socket =>
    socket.on('framesent', ({ payload }) => {
      if (payload.includes('documents/list')) asked.push(String(payload));
    }),
  );
  await app.open('#/collections/far/documents?sort=_id');
  await page.reload();
  await expect(page.getByRole('row').filter({ hasText: 'd00000' })).toBeVisible();
  asked.length = 0;
  await page.locator('.grid').evaluate(scroller => scroller.scrollTo(0, scroller.scrollHeight * 0.75));
  await expect.poll(() => firstSeen(page)).toBeGreaterThan(COUNT * 0.74);
  expect(await firstSeen(page)).toBeLessThan(COUNT * 0.76);
  // A jump: the pages in between were not read.
  expect(asked.length).toBeLessThan(12);

  await grid(page).focus();
  for (const step of [200, 200, -200, -200, -200, -200]) {
    const before = await firstSeen(page);
    await page.locator('.grid').evaluate((scroller, by) => scroller.scrollBy(0, by * 28), step);
    await expect.poll(() => firstSeen(page)).toBe(before + step);
  }
  await expectAccessible(page);
});
