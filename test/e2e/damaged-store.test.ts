import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { z } from 'zod';
import { expectAccessible } from './support/accessibility.ts';
import { test } from './support/app.ts';

const PAGE_BYTES = 4_096;
const COUNT = 300;

test('[S3] a damaged store: its connection says so, and what can be read is saved into a new one', async ({
  app,
  page,
}) => {
  test.slow();
  const file = app.fileAsNamed('broken.sandglass');
  const { id } = z.object({ id: z.string() }).parse(
    await app.rest('POST', '/api/connections', {
      name: 'broken',
      colour: 2,
      environment: 'development',
      readOnly: false,
      target: { kind: 'file', file },
    }),
  );
  const on = `connection=${id}`;
  await app.rest('POST', `/api/connections/${id}/open`, {});
  await app.rest('POST', `/api/collections?${on}`, { name: 'orders' });
  const documents = Array.from({ length: COUNT }, (_, i) => ({ _id: `order ${i}`, text: 'x'.repeat(500) }));
  await app.rest('POST', `/api/collections/orders/documents?${on}`, documents);
  await app.rest('POST', `/api/connections/${id}/close`, {});

  // Noise in the list of tables and in a page of documents.
  const path = join(app.folder, 'broken.sandglass');
  const bytes = readFileSync(path);
  bytes.fill(0xa5, 100, PAGE_BYTES);
  bytes.fill(0xa5, bytes.length - 20 * PAGE_BYTES, bytes.length - 19 * PAGE_BYTES);
  writeFileSync(path, bytes);

  await app.open(`#/on/${id}/overview`);
  await page.getByRole('main').getByRole('button', { name: 'Open', exact: true }).click();
  const alert = page.getByRole('main').getByRole('alert').filter({ hasText: 'broken cannot be opened' });
  await expect(alert).toBeVisible();
  await page.getByRole('link', { name: 'Save what can be read…' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Save what can be read of broken' });
  await expect(dialog.getByRole('textbox', { name: 'New file' })).toHaveValue(
    file.replace('.sandglass', '-recovered.sandglass'),
  );
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
  await dialog.getByRole('button', { name: 'Save what can be read' }).click();
  await expect(dialog.getByRole('status')).toContainText(/2\d\d documents recovered, of 1 collection/);
  expect(readFileSync(path)).toEqual(bytes);
  await dialog.getByRole('link', { name: 'Open the new store' }).click();
  await page
    .getByRole('complementary', { name: 'Navigation' })
    .getByRole('link', { name: /orders/ })
    .click();
  await page.getByRole('link', { name: /^Documents/ }).click();
  await expect(page.getByRole('row', { name: /order 1\b/ }).first()).toBeVisible();
});
