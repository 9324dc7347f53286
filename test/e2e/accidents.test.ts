import { expect } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { type App, test } from './support/app.ts';

const HOUR = 3_600_000;

/** Documents, twenty by default; a change that makes more than ten of them due must be confirmed. */
async function fill(app: App, collection: string, count = 20): Promise<void> {
  await app.rest('PATCH', '/api/settings', { confirmDocuments: 10 });
  const documents = Array.from({ length: count }, (_, i) => ({
    _id: `d${i}`,
    at: Date.now() + HOUR * (i + 1),
  }));
  await app.fill(collection, documents);
}
const stored = async (app: App, collection: string): Promise<unknown> =>
  app.rest('GET', `/api/collections/${collection}`);

test('[X4] documents deleted by hand are reported with Restore, and Ctrl+Z restores them', async ({
  app,
}) => {
  const { page } = app;
  await fill(app, 'mistaken');
  await app.open('#/collections/mistaken/documents');
  // Before documents are loaded, there are none to select.
  await expect(page.getByRole('row').filter({ hasText: 'd0' }).first()).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select all loaded documents' }).click();
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 20' }).click();
  await expect(page.getByText('All documents left')).toBeVisible();
  const toast = page.getByRole('status').filter({ hasText: '20 documents of mistaken deleted' });
  await toast.getByRole('button', { name: 'Restore…' }).click();
  const dialog = page.getByRole('dialog', { name: /^Restore all deleted documents of mistaken/ });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.keyboard.press('Control+z');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Restore all' }).click();
  await expect.poll(() => stored(app, 'mistaken')).toMatchObject({ documents: 20 });
  await page.getByRole('link', { name: 'Activity', exact: true }).last().click();
  await expect(page.getByRole('row').filter({ hasText: 'd7' })).toContainText('restored');
});

test('[R8] a manual pass in a paused collection requires its name, and removed documents can be restored from the message', async ({
  app,
}) => {
  const { page } = app;
  await fill(app, 'parked');
  await app.rest('POST', '/api/reaper/pause', { collection: 'parked' });
  await app.rest('POST', '/api/collections/parked/ttl-indexes', {
    name: 'past',
    source: { kind: 'expression', expression: 'timestamp(0) + duration("1h")' },
    expect: { dueAtOnce: 20 },
  });
  await expect.poll(() => stored(app, 'parked')).toMatchObject({ overdue: 20 });
  await app.open('#/collections/parked/timeline');
  await page
    .getByRole('button', { name: /^Run (now|one pass)/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: '20 documents become due' });
  await expect(dialog).toContainText('20 of 20 documents of parked');
  const run = dialog.getByRole('button', { name: 'Run' });
  await expect(run).toBeDisabled();
  await expectAccessible(page);
  await dialog.getByRole('textbox').fill('parked');
  await run.click();
  const toast = page.getByRole('status').filter({ hasText: '20 documents of parked expired' });
  await expect(toast).toBeVisible();
  await app.open('#/collections/parked/documents');
  await expect(page.getByText('All documents left')).toBeVisible();
  await page.getByRole('link', { name: 'Show and restore them…' }).click();
  // No row has to be ticked.
  await page.getByRole('button', { name: /^Restore all/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Restore all/ })
    .click();
  await expect.poll(() => stored(app, 'parked')).toMatchObject({ documents: 20, pinned: 20 });
});

test('[R8] a bulk change that makes all documents due soon shows its effect and requires the name', async ({
  app,
}) => {
  const { page } = app;
  await fill(app, 'hurried', 450);
  await app.open('#/collections/hurried/documents');
  await page.getByRole('checkbox', { name: 'Select d0', exact: true }).click();
  await page.getByRole('button', { name: /^Select all ([\d,]+ )?matching$/ }).click();
  await page.getByRole('button', { name: /^Set expiration/ }).click();
  await page.getByRole('textbox', { name: 'Duration' }).fill('2m');
  await page.getByRole('button', { name: 'Review…' }).click();
  const review = page.getByRole('dialog', { name: /^Set the expiration of all/ });
  await expect(review).toContainText('450 of 450 documents of hurried expire within 24 h because of this.');
  await review.getByRole('button', { name: 'Apply to all 450' }).click();
  const dialog = page.getByRole('dialog', { name: '450 documents become due' });
  await dialog.getByRole('textbox').fill('hurried');
  await dialog.getByRole('button', { name: 'Set' }).click();
  await expect(page.getByRole('region', { name: 'Result of the change' })).toContainText('450 set.');
});
