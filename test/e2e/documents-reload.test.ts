import { expect, type Page } from '@playwright/test';
import { test } from './support/app.ts';

const documents = Array.from({ length: 5 }, (_, i) => ({ _id: `d${i}`, n: i }));
const row = (page: Page, id: string) => page.getByRole('row').filter({ hasText: id });
const stageClear = async (page: Page, ids: readonly string[]) => {
  for (const id of ids) await page.getByRole('checkbox', { name: `Select ${id}` }).check();
  await page.getByRole('button', { name: 'Clear expiration' }).click();
};

test('staged edits and unsaved text survive a reload; edits of documents that changed meanwhile are dropped, with a message', async ({
  app,
}) => {
  const { page } = app;
  await app.fill('reloaded', documents);
  await app.open('#/collections/reloaded/documents?sort=_id');
  await stageClear(page, ['d0', 'd1', 'd2']);
  await expect(page.getByText('3 staged edits.')).toBeVisible();
  await row(page, 'd4').click();
  const text = page.getByRole('textbox', { name: /^Document, / });
  await text.fill('{"n": 99');
  await expect(page.getByText('Invalid')).toBeVisible();

  await page.reload();
  await expect(page.getByText('3 staged edits.')).toBeVisible();
  await expect(row(page, 'd4')).toContainText('unsaved');
  await row(page, 'd4').click();
  await expect(text).toHaveText('{"n": 99');
  await page.getByRole('button', { name: 'Revert' }).click();

  // The window is elsewhere meanwhile: it would drop the edits, and tell so, before the reload.
  const address = page.url();
  await page.goto('about:blank');
  await app.rest('PUT', '/api/collections/reloaded/documents/d1', { n: 7 });
  await app.rest('DELETE', '/api/collections/reloaded/documents/d2');
  await page.goto(address);
  await expect(page.getByText('1 staged edit.')).toBeVisible();
  await expect(page.getByText('2 staged edits dropped')).toBeVisible();
  await expect(
    page.getByText('Their documents changed, expired or were deleted.', { exact: false }),
  ).toBeVisible();

  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByText('staged edit.')).toHaveCount(0);
  await page.reload();
  await expect(row(page, 'd0')).toBeVisible();
  await expect(page.getByText('staged edit', { exact: false })).toHaveCount(0);
});

test('a change of the language keeps staged edits, unsaved text and a typed TTL index; undo continues after it', async ({
  app,
}) => {
  const { page } = app;
  await app.fill('kept', documents);
  await app.open('#/collections/kept/documents?sort=_id');
  await stageClear(page, ['d0']);
  await stageClear(page, ['d1', 'd2']);
  await expect(page.getByText('3 staged edits.')).toBeVisible();
  await row(page, 'd4').click();
  const text = page.getByRole('textbox', { name: /^Document, / });
  await text.fill('{"n": 99');
  await expect(page.getByText('Invalid')).toBeVisible();
  await app.open('#/collections/kept/ttl-indexes/new');
  await page.getByRole('combobox', { name: 'Path of the field' }).fill('typed.field');

  await app.open('#/settings/appearance');
  await page.getByRole('radiogroup', { name: 'Language' }).getByRole('radio', { name: 'Deutsch' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await page.getByRole('radiogroup', { name: 'Sprache' }).getByRole('radio', { name: 'English' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');

  await app.open('#/collections/kept/ttl-indexes/new');
  await expect(page.getByRole('combobox', { name: 'Path of the field' })).toHaveValue('typed.field');
  await app.open('#/collections/kept/documents?sort=_id');
  await expect(page.getByText('3 staged edits.')).toBeVisible();
  await expect(row(page, 'd4')).toContainText('unsaved');
  await row(page, 'd3').focus();
  await page.keyboard.press('Control+z');
  await expect(page.getByText('1 staged edit.')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(page.getByText('staged edit', { exact: false })).toHaveCount(0);
});

test('after a reload, edits that were applied before it are undone', async ({ app }) => {
  const { page } = app;
  await app.fill('applied', documents);
  await app.rest('POST', '/api/collections/applied/expirations', { ids: ['d0'], set: { never: true } });
  await app.open('#/collections/applied/documents?sort=_id');
  await expect(row(page, 'd0')).toContainText('Pinned');
  await stageClear(page, ['d0']);
  await page.keyboard.press('Control+Enter');
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result).toContainText('1 set.');
  await expect(row(page, 'd0')).not.toContainText('Pinned');
  await page.reload();
  await expect(result).toContainText('1 set.');
  await page.keyboard.press('Control+z');
  await expect(row(page, 'd0')).toContainText('Pinned');
});

test('pending changes of production are not kept unless that was chosen; their loss must be confirmed @served', async ({
  app,
}) => {
  const { page } = app;
  await app.fill('live', documents);
  await app.rest('PATCH', '/api/connections/home', { environment: 'production' });
  await app.open('#/collections/live/documents?sort=_id');
  await stageClear(page, ['d0']);
  await expect(page.getByText('1 staged edit.')).toBeVisible();
  await app.open('#/settings/appearance');
  const language = page.getByRole('radiogroup', { name: 'Language' });
  await language.getByRole('radio', { name: 'Deutsch' }).click();
  await page.getByRole('button', { name: 'Keep the language' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await language.getByRole('radio', { name: 'Deutsch' }).click();
  await page.getByRole('button', { name: 'Discard and change' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await page.getByRole('radiogroup', { name: 'Sprache' }).getByRole('radio', { name: 'English' }).click();
  await app.open('#/collections/live/documents?sort=_id');
  await expect(row(page, 'd0')).toBeVisible();
  await expect(page.getByText('staged edit', { exact: false })).toHaveCount(0);

  await app.open('#/settings/appearance');
  await page
    .getByRole('radiogroup', { name: 'Drafts of production' })
    .getByRole('radio', { name: 'Kept', exact: true })
    .click();
  await app.open('#/collections/live/documents?sort=_id');
  await stageClear(page, ['d0']);
  await expect(page.getByText('1 staged edit.')).toBeVisible();
  await page.reload();
  await expect(page.getByText('1 staged edit.')).toBeVisible();
});
