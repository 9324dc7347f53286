import { expect } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { test } from './support/app.ts';

const items = Array.from({ length: 9_000 }, (_, i) => ({
  id: i,
  name: `item number ${i}`,
  tags: ['a', 'b'],
}));
const text = 'x'.repeat(300_000);

test('[C1] a document of a megabyte is listed by its beginnings, opened folded, and saved whole', async ({
  app,
}) => {
  const { page } = app;
  await app.rest('POST', '/api/collections', { name: 'large' });
  for (const id of ['big0', 'big1'])
    await app.rest('PUT', `/api/collections/large/documents/${id}`, { n: 1, items, text, last: true });
  await app.open('#/collections/large/documents?sort=_id');
  const row = page.getByRole('row').filter({ hasText: 'big1' });
  await row.click();
  const box = page.getByRole('textbox', { name: /^Document, / });
  await expect(box).toHaveValue(/⟦a\d+: 71,967 lines⟧/);
  await expect(page.getByRole('button', { name: 'Unfold at cursor' })).toBeDisabled();
  await expectAccessible(page);

  const shown = await box.inputValue();
  expect(shown.length).toBeLessThan(20_000);
  await box.fill(shown.replace('"last": true', '"last": false'));
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(row).not.toContainText('unsaved');
  await expect
    .poll(() => app.rest('GET', '/api/collections/large/documents/big1'))
    .toMatchObject({ document: { last: false, text, items } });

  // The cursor into the first of both.
  await box.evaluate(element => {
    if (element instanceof HTMLTextAreaElement) {
      const at = element.value.indexOf('⟦') + 2;
      element.focus();
      element.setSelectionRange(at, at);
    }
  });
  await page.keyboard.press('ArrowRight');
  await page.getByRole('button', { name: 'Unfold at cursor' }).click();
  await expect(box).toHaveValue(/"item number 30"/);
});
