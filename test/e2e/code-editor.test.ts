import { expect } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { test } from './support/app.ts';

/** The editor of CEL and JSON, under the content security policy of the host. */

test('[D8] an expression is completed from the fields of the collection, and an error is marked at its place', async ({
  app: { page, fill, open },
}) => {
  const refused: string[] = [];
  page.on('console', message => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text());
  });
  await fill('completed', [{ _id: 'a', createdAt: Date.now(), plan: 'free' }]);
  await open('#/collections/completed/ttl-indexes/new');
  await page.getByRole('radio', { name: 'An expression' }).click();
  const expression = page.getByRole('textbox', { name: 'Expression' });
  await expression.pressSequentially('timestampMs(doc.crea');
  await page.getByRole('option', { name: /createdAt/ }).click();
  await expect(expression).toHaveText('timestampMs(doc.createdAt)');
  // The editor's own style element is in effect. Text pasted over coloured text gets style attributes from Chromium, which are refused.
  await expect(page.locator('.cm-scroller')).toHaveCSS('display', 'flex');
  expect(refused).toEqual([]);
  await expression.fill('doc.createdAt + duratoin("1h")');
  await expect(expression.locator('.cm-lintRange-error')).toHaveText('duratoin');
  await expectAccessible(page);
});

test('a document is folded, searched and marked at the line of an error', async ({
  app: { page, fill, open },
}) => {
  await fill('folded', [{ _id: 'one', inner: { a: 1, b: 2 } }]);
  await open('#/collections/folded/documents');
  await page.getByRole('row', { name: /one/ }).click();
  const text = page.getByRole('textbox', { name: /^Document, / });
  await expect(text).toHaveText(/"inner"/);
  await text.press('Control+Alt+[');
  await expect(text).not.toHaveText(/"b"/);
  await text.press('Control+Alt+]');
  await expect(text).toHaveText(/"b"/);
  await text.fill('{\n  "_id": "one",\n  oops\n}');
  await expect(text.locator('.cm-lintRange-error')).toHaveText(/oops/);
  await text.press('Control+f');
  await expect(page.getByRole('textbox', { name: 'Find' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(text).toBeFocused();
});
