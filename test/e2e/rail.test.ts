import { expect, type Page } from '@playwright/test';
import { test } from './support/app.ts';

/** The sidebar of a store with many collections. */

const rail = (page: Page) => page.getByRole('navigation', { name: 'Collections' });
const nameOf = (i: number) => `shop-${String(i).padStart(4, '0')}`;

test('the sidebar renders the visible collections, filters them, and is used by keyboard', async ({
  app: { page, rest, open },
}) => {
  await open('#/overview');
  for (let i = 0; i < 5; i++) await rest('POST', '/api/collections', { name: nameOf(i) });
  await expect(rail(page).getByRole('link', { name: nameOf(4) })).toBeVisible();
  const filter = rail(page).getByRole('searchbox', { name: 'Filter collections' });
  await expect(filter).toHaveCount(0);

  for (let i = 5; i < 120; i += 23)
    await Promise.all(
      Array.from({ length: 23 }, (_, n) => i + n).map(n =>
        rest('POST', '/api/collections', { name: nameOf(n) }),
      ),
    );
  await expect(filter).toBeVisible();
  await expect(rail(page).getByRole('link', { name: nameOf(0) })).toBeVisible();
  expect(await rail(page).getByRole('link').count()).toBeLessThan(70);
  await rail(page).evaluate(element => {
    if (element.closest('.rail-body') === null) throw new Error('No .rail-body.');
    element.closest('.rail-body')?.scrollTo(0, 1e9);
  });
  await expect(rail(page).getByRole('link', { name: nameOf(119) })).toBeVisible();

  await filter.fill('SHOP-011');
  await expect(rail(page).getByRole('link')).toHaveCount(10);
  await expect(rail(page).getByRole('status')).toHaveText('10');
  await filter.press('ArrowDown');
  await expect(rail(page).getByRole('link', { name: nameOf(110) })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(rail(page).getByRole('link', { name: nameOf(111) })).toBeFocused();
  await filter.fill('0117');
  await filter.press('Enter');
  await expect(page).toHaveURL(/#\/collections\/shop-0117/);
  await filter.press('Escape');
  await expect(filter).toHaveValue('');
});
