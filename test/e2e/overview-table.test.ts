import { expect } from '@playwright/test';
import { test } from './support/app.ts';

/** The table of collections on the overview. */

const documents = (count: number) => Array.from({ length: count }, (_, i) => ({ _id: `d${i}` }));

test('the table is sorted by clicks on a heading: descending, ascending, then unsorted', async ({
  app: { page, fill, open },
}) => {
  await fill('few', documents(2));
  await fill('many', documents(30));
  await fill('some', documents(7));
  await open('#/overview');
  const table = page.getByRole('table', { name: 'Collections' });
  const names = () =>
    table
      .getByRole('row')
      .getByRole('link', { name: /^(few|many|some)$/ })
      .allTextContents();
  await expect.poll(names).toEqual(['few', 'many', 'some']);
  const heading = table.getByRole('columnheader', { name: 'Documents' });
  await heading.getByRole('button').click();
  await expect(heading).toHaveAttribute('aria-sort', 'descending');
  await expect.poll(names).toEqual(['many', 'some', 'few']);
  await heading.getByRole('button').click();
  await expect(heading).toHaveAttribute('aria-sort', 'ascending');
  await expect.poll(names).toEqual(['few', 'some', 'many']);
  await heading.getByRole('button').press('Enter');
  await expect(heading).toHaveAttribute('aria-sort', 'none');
  await expect.poll(names).toEqual(['few', 'many', 'some']);
});

test('the table renders the visible rows of 200 collections, and all of them can be reached', async ({
  app: { page, rest, open },
}) => {
  const names = Array.from({ length: 200 }, (_, i) => `shop-${String(i).padStart(4, '0')}`);
  for (let from = 0; from < names.length; from += 50)
    await Promise.all(names.slice(from, from + 50).map(name => rest('POST', '/api/collections', { name })));
  await open('#/overview');
  const table = page.getByRole('table', { name: 'Collections' });
  await expect(table.getByRole('link', { name: 'shop-0000' })).toBeVisible();
  expect(await table.getByRole('row').count()).toBeLessThan(80);
  await expect(table).toHaveAttribute('aria-rowcount', '201');
  await table.evaluate(element => element.closest('section')?.scrollTo(0, 1e9));
  await expect(table.getByRole('link', { name: 'shop-0199' })).toBeVisible();
  await table.getByRole('button', { name: 'Collection' }).click();
  await table.getByRole('button', { name: 'Collection' }).click();
  await table.evaluate(element => element.closest('section')?.scrollTo(0, 0));
  await expect(table.getByRole('link', { name: 'shop-0199' })).toBeVisible();
});
