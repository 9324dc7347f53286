import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { type App, test } from './support/app.ts';

const HOUR = 3_600_000;
const effect = (page: Page) => page.getByRole('complementary', { name: 'Exact effect' });
const onlyIndex = async (app: App, collection: string): Promise<unknown> =>
  app.rest('GET', `/api/collections/${collection}/ttl-indexes`);

/** Forty documents, one per hour up to now, each with its own TTL; every fourth has none. */
async function made(app: App, collection: string): Promise<void> {
  const now = Date.now();
  await app.fill(
    collection,
    Array.from({ length: 40 }, (_, i) => ({
      _id: `m${String(i).padStart(2, '0')}`,
      createdAt: now - i * HOUR,
      ttl: i % 4 === 3 ? 'none' : 20 * 3600 + 1800,
      plan: i % 2 === 0 ? 'free' : 'paid',
    })),
  );
}

test('[D2] the duration comes from a field: documents that expire or never do, and the stored definition', async ({
  app,
}) => {
  const { page } = app;
  await made(app, 'owned');
  await app.open('#/collections/owned/ttl-indexes/new');
  await expect(page.getByRole('radio', { name: 'createdAt' })).toBeChecked();
  await page.getByRole('button', { name: 'duration from a field' }).click();
  await expect(page.getByRole('button', { name: 'Review…' })).toBeDisabled();
  await page.getByRole('combobox', { name: 'Expires after' }).fill('ttl');
  // Documents created 21 hours ago and before, without those that have no TTL.
  await expect(effect(page)).toContainText('14 documents expire at once');
  await expect(effect(page)).toContainText('10 hold no duration of their own');
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('createdAt_own');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Review…' }).click();
  await page.getByRole('button', { name: 'Create index' }).click();
  await expect(page).toHaveURL(/#\/collections\/owned\/timeline/);
  await expect
    .poll(() => app.rest('GET', '/api/collections/owned'))
    .toMatchObject({ documents: 26, ttlIndexes: 1 });
  await app.open('#/collections/owned/ttl-indexes');
  await expect(page.getByRole('listitem').filter({ hasText: 'createdAt_own' })).toContainText(
    'Deletes the duration in ttl after createdAt',
  );
});

test('[D8, A2, R1] an expression is checked while it is typed, with the column of an error; a patch with a cron schedule', async ({
  app,
}) => {
  const { page } = app;
  await made(app, 'computed');
  await app.open('#/collections/computed/ttl-indexes/new');
  await page.getByRole('radio', { name: 'An expression' }).click();
  const expression = page.getByRole('textbox', { name: 'Expression' });
  await expression.fill('timestampMs(doc.createdAt) + duratoin("1h")');
  await expect(expression).toHaveAccessibleDescription(/Column 30/);
  await expect(expression).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByRole('button', { name: 'Review…' })).toBeDisabled();
  await expectAccessible(page);
  const right = 'timestampMs(doc.createdAt) + duration(doc.plan == "free" ? "10h" : "720h")';
  await expression.fill(right);
  await expect(effect(page)).toContainText('15 documents expire at once');

  await page.getByRole('radio', { name: 'Patch' }).click();
  const patch = page.getByRole('textbox', { name: 'Patch' });
  await patch.fill('{"plan": ');
  await expect(patch).toHaveAccessibleDescription(/Not valid JSON/);
  await expect(page.getByRole('button', { name: 'Review…' })).toBeDisabled();
  await patch.fill('{"plan": "paid"}');
  await page.getByRole('button', { name: 'Exact: at each deadline' }).click();
  await page.getByRole('radio', { name: 'Cron…' }).click();
  await page.getByRole('textbox', { name: 'Crontab line' }).fill('0 3 1 1 *');
  await page.getByRole('textbox', { name: 'Keep restorable for' }).fill('2h');
  await expect(effect(page)).toContainText('Each is patched and kept.');

  await page.getByRole('button', { name: 'Review…' }).click();
  const change = page.getByRole('table', { name: 'computed before and after' });
  await expect(change.getByRole('row', { name: /^On expiry/ })).toContainText('patch {"plan": "paid"}');
  await expect(change.getByRole('row', { name: /^Documents/ })).not.toContainText('fewer');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create index' }).click();
  await expect(page).toHaveURL(/#\/collections\/computed\/timeline/);
  expect(await onlyIndex(app, 'computed')).toMatchObject([
    {
      name: 'expression',
      source: { kind: 'expression', expression: right },
      onExpire: { action: 'patch', patch: { plan: 'paid' } },
      schedule: { mode: 'cron', cron: '0 3 1 1 *', timeZone: 'UTC' },
      retention: 7_200,
    },
  ]);
});

test('[D8] an expression is changed in place: its exact effect first, and the index keeps its name and its counts', async ({
  app,
}) => {
  const { page } = app;
  await made(app, 'changed');
  const first = 'timestampMs(doc.createdAt) + duration("720h")';
  await app.rest('POST', '/api/collections/changed/ttl-indexes', {
    name: 'by_plan',
    source: { kind: 'expression', expression: first },
  });
  await app.open('#/collections/changed/ttl-indexes');
  const card = page.getByRole('listitem').filter({ hasText: 'by_plan' });
  await card.getByRole('link', { name: 'Edit…' }).click();
  const expression = page.getByRole('textbox', { name: 'Expression' });
  await expect(expression).toHaveText(first);
  await expression.fill('timestampMs(doc.createdAt) + duratoin("10h")');
  await expect(expression).toHaveAccessibleDescription(/Column 30/);
  const second = 'timestampMs(doc.createdAt) + duration(doc.plan == "free" ? "10h" : "720h")';
  await expression.fill(second);
  await expect(effect(page)).toContainText('15 documents expire at once');
  await expect(page.getByText('stays in effect until this one is built')).toBeVisible();
  await expectAccessible(page);
  expect(await onlyIndex(app, 'changed')).toMatchObject([{ source: { expression: first } }]);
  await page.getByRole('button', { name: 'Review…' }).click();
  await page.getByRole('button', { name: 'Change index' }).click();
  await expect
    .poll(() => onlyIndex(app, 'changed'))
    .toMatchObject([{ name: 'by_plan', source: { expression: second }, successor: null }]);
  await expect.poll(() => app.rest('GET', '/api/collections/changed')).toMatchObject({ documents: 25 });
});

test('[D7, A4] the last write, and a move to another collection; the source cannot be changed, and the schedule can be set to observe', async ({
  app,
}) => {
  const { page } = app;
  await made(app, 'touched');
  await app.open('#/collections/touched/ttl-indexes/new');
  await page.getByRole('radio', { name: 'The last write' }).click();
  await page.getByRole('textbox', { name: 'Expires after' }).fill('30d');
  await page.getByRole('radio', { name: 'Move' }).click();
  const target = page.getByRole('combobox', { name: 'To collection' });
  await target.fill('touched');
  await expect(target).toHaveAccessibleDescription(/Documents are already in touched/);
  await target.fill('touched_archive');
  await expect(target).toHaveAccessibleDescription(/There is no collection named touched_archive yet/);
  await expect(page.getByRole('button', { name: 'Review…' })).toBeDisabled();
  await page.getByRole('button', { name: 'Create it' }).click();
  await expect(effect(page).getByRole('row', { name: /^Later/ })).toContainText('40');
  await page.getByRole('button', { name: 'Review…' }).click();
  await page.getByRole('button', { name: 'Create index' }).click();
  await expect(page).toHaveURL(/#\/collections\/touched\/timeline/);
  await app.open('#/collections/touched/ttl-indexes');
  const card = page.getByRole('listitem').filter({ hasText: 'lastModified_30d' });
  await expect(card).toContainText('Moves to touched_archive 30 days after the last write');

  await card.getByRole('link', { name: 'Edit…' }).click();
  await expect(page.getByText('The source of an index cannot be changed')).toBeVisible();
  await expect(page.getByRole('radiogroup', { name: 'Source' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Exact: at each deadline' }).click();
  await page.getByRole('radio', { name: 'Observe' }).click();
  await page.getByRole('button', { name: 'Review…' }).click();
  await page.getByRole('button', { name: 'Change index' }).click();
  await expect(page).toHaveURL(/ttl-indexes\/index\/lastModified_30d/);
  expect(await onlyIndex(app, 'touched')).toMatchObject([
    { onExpire: { action: 'move', to: 'touched_archive' }, schedule: { mode: 'observe' } },
  ]);
  await app.open('#/collections/touched/ttl-indexes');
  await expect(card).toContainText('Observe: counts only');
});

test('[R6] a paused index is shown on every tab of its collection, and resumed there', async ({ app }) => {
  const { page } = app;
  await made(app, 'halted');
  await app.rest('POST', '/api/collections/halted/ttl-indexes', {
    name: 'plenty',
    source: { kind: 'lastModified', expireAfter: 86_400 },
  });
  await app.rest('POST', '/api/reaper/pause', { collection: 'halted', index: 'plenty' });
  for (const tab of ['timeline', 'documents', 'ttl-indexes']) {
    await app.open(`#/collections/halted/${tab}`);
    await expect(page.getByText(/plenty is paused by .* since/)).toBeVisible();
  }
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Resume this index' }).click();
  await expect(page.getByText(/plenty is paused by/)).toHaveCount(0);
  expect(await app.rest('GET', '/api/reaper')).toMatchObject({ pausedIndexes: [] });
});

test('[A5] a document that is still due after its patch is quarantined, counted and listed', async ({
  app,
}) => {
  const { page } = app;
  await app.fill('stuck', [
    { _id: 'q1', at: '2020-01-01', n: 1 },
    { _id: 'q2', at: '2999-01-01', n: 2 },
  ]);
  await app.rest('POST', '/api/collections/stuck/ttl-indexes', {
    name: 'at_patched',
    source: { kind: 'field', field: 'at', unit: 'seconds', expireAfter: 0 },
    onExpire: { action: 'patch', patch: { seen: true } },
  });
  await app.open('#/collections/stuck/documents');
  const row = page.getByRole('row').filter({ hasText: 'q1' });
  await expect(row).toContainText('Quarantined');
  await page.getByRole('button', { name: /^Quarantined 1/ }).click();
  await expect(row).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'q2' })).toHaveCount(0);
  await expectAccessible(page);
  await app.open('#/collections/stuck/ttl-indexes');
  await expect(page.getByRole('listitem').filter({ hasText: 'at_patched' })).toContainText('1 quarantined');
});
