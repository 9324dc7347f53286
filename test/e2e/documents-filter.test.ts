import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { test } from './support/app.ts';

const rowOf = (page: Page, id: string) => page.getByRole('row').filter({ hasText: id });
const people = Array.from({ length: 20 }, (_, i) => ({
  _id: `p${String(i).padStart(2, '0')}`,
  tenant: i % 2 === 0 ? 'acme' : 'hooli',
  ...(i > 3 && { seats: i }),
}));

test('the list is filtered by CEL, shows an error with its column, and keeps the filter in the address', async ({
  app,
}) => {
  const { page } = app;
  await app.fill('by_cel', people);
  await app.open('#/collections/by_cel/documents?sort=_id');
  await expect(rowOf(page, 'p00')).toBeVisible();
  await page.getByRole('radio', { name: 'CEL' }).click();
  const box = page.getByRole('searchbox', { name: 'Filter by CEL' });
  await box.fill('doc.tenant == "acme" && doc.seats >= 10');
  await expect(page.getByText('5 of 20')).toBeVisible();
  await expect(rowOf(page, 'p10')).toBeVisible();
  await expect(rowOf(page, 'p00')).toHaveCount(0);

  await box.fill('doc.tenant == "acme" & doc.seats >= 10');
  await expect(page.getByText('Column 22:', { exact: false })).toBeVisible();
  await expect(box.locator('.cm-lintRange-error')).toHaveText('&');
  await expect(box).toHaveAttribute('aria-invalid', 'true');
  // The former list stays.
  await expect(rowOf(page, 'p10')).toBeVisible();
  await expectAccessible(page);

  await box.fill('doc.tenant == "acme" && doc.seats >= 18');
  await expect(page.getByText('1 of 20')).toBeVisible();
  await page.reload();
  await expect(box).toHaveText('doc.tenant == "acme" && doc.seats >= 18');
  await expect(page.getByText('1 of 20')).toBeVisible();
  await page.getByRole('radio', { name: 'Text' }).click();
  await expect(page.getByRole('searchbox', { name: 'Filter by text' })).toHaveValue('');
  await expect(rowOf(page, 'p00')).toBeVisible();
  expect(page.url()).not.toContain('cel=');
});

test('a CEL filter is completed from the fields, stays on one line, and is cleared by Escape', async ({
  app,
}) => {
  const { page } = app;
  await app.fill('completed_cel', people);
  await app.open('#/collections/completed_cel/documents?sort=_id');
  await page.getByRole('radio', { name: 'CEL' }).click();
  const box = page.getByRole('searchbox', { name: 'Filter by CEL' });
  await expect(box).toBeVisible();
  await page.keyboard.press('/');
  await expect(box).toBeFocused();
  await page.keyboard.type('doc.sea');
  await page.getByRole('option', { name: 'seats' }).click();
  await page.keyboard.type(' > 18');
  await page.keyboard.press('Enter');
  await expect(box).toHaveText('doc.seats > 18');
  await expect(page.getByText('1 of 20')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(rowOf(page, 'p00')).toBeVisible();
  expect(page.url()).not.toContain('cel=');
});

test('an error in the address is shown, and can be cleared', async ({ app }) => {
  const { page } = app;
  await app.fill('bad_cel', people);
  await app.open('#/collections/bad_cel/documents?cel=doc.seats%20~%202');
  await expect(page.getByText('Invalid filter')).toBeVisible();
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await expect(rowOf(page, 'p00')).toBeVisible();
});

test('[E3] the documents of a CEL filter are changed in bulk', async ({ app }) => {
  const { page } = app;
  const many = Array.from({ length: 1_200 }, (_, i) => ({ _id: `m${i}`, n: i }));
  await app.fill('many_cel', many);
  await app.open('#/collections/many_cel/documents?cel=doc.n%20%3E%3D%20100');
  await expect(rowOf(page, 'm100').first()).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select all loaded documents' }).check();
  await page.getByRole('button', { name: /^Select all ([\d,]+ )?matching$/ }).click();
  await page.getByRole('button', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('matching doc.n >= 100');
  await expect(dialog.locator('pre .j-c').first()).toHaveText('POST');
  await dialog.getByRole('textbox').fill('many_cel');
  await dialog.getByRole('button', { name: 'Delete all' }).click();
  await expect
    .poll(async () => await app.rest('GET', '/api/collections/many_cel'))
    .toMatchObject({ documents: 100 });
});

test('[D7] the list is sorted by the last write if an index keeps that order, and otherwise shows why not', async ({
  app,
}) => {
  const { page } = app;
  await app.fill('written', people);
  await app.open('#/collections/written/documents');
  const head = page.getByRole('columnheader', { name: 'Last write' });
  await expect(head).toHaveAttribute('title', /needs a TTL index on the last write/);
  await expect(head.getByRole('button', { name: 'Last write', exact: true })).toHaveCount(0);
  await app.open('#/collections/written/documents?sort=updatedAt');
  await expect(page.getByText('Sorting by last write needs an index')).toBeVisible();
  await page.getByRole('button', { name: 'Sort by deadline' }).click();
  await app.rest('POST', '/api/collections/written/ttl-indexes', {
    name: 'idle',
    source: { kind: 'lastModified', expireAfter: 86_400 },
  });
  await app.rest('PUT', '/api/collections/written/documents/p07', { tenant: 'acme' });
  await head.getByRole('button', { name: 'Last write', exact: true }).click();
  await head.getByRole('button', { name: 'Last write', exact: true }).click();
  await expect(head).toHaveAttribute('aria-sort', 'descending');
  await expect(page.getByRole('row').nth(1)).toContainText('p07');
  expect(page.url()).toContain('sort=updatedAt');
});
