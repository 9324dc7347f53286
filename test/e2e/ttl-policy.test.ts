import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { type App, test } from './support/app.ts';

const DAY = 86_400_000;

/** Events of the last `count` days, one per day, in milliseconds. */
async function daily(app: App, collection: string, count: number): Promise<void> {
  const now = Date.now();
  await app.fill(
    collection,
    Array.from({ length: count }, (_, i) => ({
      _id: `e${String(i).padStart(4, '0')}`,
      time: now - i * DAY - 1_000,
    })),
  );
}

const byTime = (days: number) => ({
  kind: 'field',
  field: 'time',
  unit: 'milliseconds',
  expireAfter: days * 86_400,
});
const indexPath = (collection: string, index = '') =>
  `/api/collections/${collection}/ttl-indexes${index === '' ? '' : `/${index}`}`;

async function indexed(app: App, collection: string, name: string, days: number): Promise<void> {
  await app.rest('POST', indexPath(collection), { name, source: byTime(days) });
  await expect
    .poll(() => app.rest('GET', indexPath(collection, name)))
    .toMatchObject({ state: 'ready', job: null });
}

const history = (page: Page) => page.getByRole('region', { name: 'Policy history' });

async function inBothThemes(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
}

test('[X5] changes of an index are listed with old and new values, and one is reverted', async ({ app }) => {
  const { page } = app;
  await daily(app, 'audited', 50);
  await indexed(app, 'audited', 'kept', 48);
  await app.rest('PATCH', indexPath('audited', 'kept'), {
    expireAfter: 71 * 86_400,
    limits: { removalsPerSecond: 500 },
  });
  await app.open('#/collections/audited/ttl-indexes');
  await page.getByRole('link', { name: 'kept', exact: true }).click();
  const changed = history(page).getByRole('listitem').filter({ hasText: 'Changed' });
  await expect(changed).toContainText('48 days after time');
  await expect(changed).toContainText('71 days after time');
  await expect(changed).toContainText('at most 500 a second');
  await expect(changed).not.toContainText('Schedule');
  await expect(history(page).getByRole('listitem')).toHaveCount(2);

  // Two of the remaining documents are older than 48 days by then.
  await app.rest('POST', '/api/collections/audited/documents', [
    { _id: 'old1', time: Date.now() - 60 * DAY },
    { _id: 'old2', time: Date.now() - 60 * DAY },
  ]);
  await changed.getByRole('button', { name: 'Revert…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Revert kept?' });
  await expect(dialog.getByRole('row', { name: /At once/ })).toContainText('2');
  await expect(page).toHaveURL(/revert=\d+/);
  await inBothThemes(page);
  await dialog.getByRole('button', { name: 'Revert', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(history(page).getByRole('listitem').first()).toContainText('Reverted');
  expect(await app.rest('GET', indexPath('audited', 'kept'))).toMatchObject({
    source: byTime(48),
    limits: {},
  });
  await expect.poll(() => app.rest('GET', '/api/collections/audited')).toMatchObject({ documents: 48 });
  await inBothThemes(page);
});

test('[X5] dropped indexes of any caller are listed and restored', async ({ app }) => {
  const { page } = app;
  await daily(app, 'regretted', 20);
  await indexed(app, 'regretted', 'kept', 100);
  await app.open('#/collections/regretted/ttl-indexes');
  await page.getByRole('button', { name: 'More for kept' }).click();
  await page.getByRole('menuitem', { name: 'Drop index…' }).click();
  await expect(page.getByRole('dialog')).toContainText('It can be restored from its policy history');
  await page.getByRole('button', { name: 'Drop index' }).click();
  await expect(page.getByText('No TTL configured')).toBeVisible();
  await indexed(app, 'regretted', 'other', 100);
  await app.rest('DELETE', indexPath('regretted', 'other'));

  const dropped = page.getByRole('region', { name: 'Dropped indexes' });
  await expect(dropped.getByRole('listitem')).toHaveText([/^other/, /^kept/]);
  await expectAccessible(page);
  await dropped
    .getByRole('listitem')
    .filter({ hasText: 'kept' })
    .getByRole('link', { name: 'History' })
    .click();
  await expect(page.getByRole('status').filter({ hasText: 'kept was dropped' })).toBeVisible();
  await expect(history(page).getByRole('listitem').first()).toContainText('Dropped');
  await history(page).getByRole('button', { name: 'Restore…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Restore kept?' });
  await expect(dialog).toContainText('100 days after time');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Active' })).toContainText('100 days after time');
  await expect(history(page).getByRole('listitem').first()).toContainText('Restored');
  await app.open('#/collections/regretted/ttl-indexes');
  await expect(page.getByRole('link', { name: 'kept', exact: true })).toBeVisible();
  await expect(dropped.getByRole('listitem')).toHaveText([/^other/]);
});

test('[X5] an index is copied as a REST call, a command and statements of other systems, or shows why not', async ({
  app,
}) => {
  const { page } = app;
  await app.fill('copied', [{ _id: 'a', seenAt: '2999-01-01' }]);
  await app.rest('POST', indexPath('copied'), {
    name: 'moved',
    source: { kind: 'field', field: 'seenAt', unit: 'seconds', expireAfter: 60 },
    onExpire: { action: 'delete' },
  });
  await app.open('#/collections/copied/ttl-indexes/index/moved');
  const copy = page.getByRole('region', { name: 'Copy as' });
  await expect(copy).toContainText('POST /api/collections/copied/ttl-indexes');
  await copy.getByRole('radio', { name: 'Command line' }).click();
  await expect(copy).toContainText('sandglass ttl create copied');
  await expect(page).toHaveURL(/as=cli/);
  await copy.getByRole('radio', { name: 'MongoDB' }).click();
  await expect(copy).toContainText('expireAfterSeconds');
  await copy.getByRole('radio', { name: 'CockroachDB' }).click();
  await expect(copy).toContainText('ALTER TABLE');
  await inBothThemes(page);

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await copy.getByRole('radio', { name: 'ArangoDB' }).click();
  await copy.getByRole('button', { name: 'Copy' }).click();
  await expect(copy.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('seenAt');

  await app.rest('PATCH', indexPath('copied', 'moved'), {
    onExpire: { action: 'patch', patch: { seenAt: null } },
  });
  await copy.getByRole('radio', { name: 'CockroachDB' }).click();
  await expect(copy).toContainText('Row-level TTL only deletes.');
  await expect(copy.getByRole('button', { name: /Cop/ })).toHaveCount(0);
});

test('[R1, R8] a change that makes many documents due begins with observe, and becomes exact when the counts are right', async ({
  app,
}) => {
  const { page } = app;
  await app.rest('PATCH', '/api/settings', { confirmDocuments: 10 });
  await daily(app, 'careful', 100);
  await app.open('#/collections/careful/ttl-indexes/new');
  await page.getByRole('textbox', { name: 'Expires after' }).fill('40d');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('kept');
  const effect = page.getByRole('complementary', { name: 'Exact effect' });
  await expect(effect).toContainText('60 documents expire at once');
  await page.getByRole('button', { name: 'Review…' }).click();

  const ways = page.getByRole('group', { name: 'How should the 60 be removed?' });
  const call = page.getByRole('region', { name: 'The same change' });
  const name = page.getByRole('textbox', { name: /type its name/ });
  await expect(ways.getByRole('radio', { name: 'At once' })).toBeChecked();
  await ways.getByRole('textbox', { name: 'Removals per second' }).fill('5');
  await expect(ways.getByRole('radio', { name: 'At a rate' })).toBeChecked();
  await expect(ways).toContainText('done in about 12 s');
  await expect(call).toContainText('"limits": {"removalsPerSecond": 5}');
  await expect(name).toBeVisible();
  await inBothThemes(page);
  await ways.getByRole('textbox', { name: 'Removals per second' }).fill('0');
  await expect(page.getByRole('button', { name: 'Create index' })).toBeDisabled();
  await ways.locator('label').filter({ hasText: 'Observe first' }).click();
  await expect(call).toContainText('"schedule": {"mode": "observe"}');
  await expect(name).toBeHidden();
  await page.getByRole('button', { name: 'Create index' }).click();
  await expect(page.getByText('kept is built, and observes')).toBeVisible();
  await expect(page).toHaveURL(/ttl-indexes\/index\/kept/);
  await expect
    .poll(() => app.rest('GET', indexPath('careful', 'kept')))
    .toMatchObject({ state: 'observing', overdue: 60 });
  expect(await app.rest('GET', '/api/collections/careful')).toMatchObject({ documents: 100 });

  await app.open('#/collections/careful/ttl-indexes/edit/kept');
  await page.getByRole('radio', { name: 'Exact' }).click();
  await page.getByRole('button', { name: 'Review…' }).click();
  await expect(ways.getByRole('radio', { name: 'At once' })).toBeChecked();
  await name.fill('careful');
  await page.getByRole('button', { name: 'Change index' }).click();
  await expect.poll(() => app.rest('GET', '/api/collections/careful')).toMatchObject({ documents: 40 });
});

test('[R8] above the bounds of the settings the effect is confirmed, for more than half of a collection by its name', async ({
  app,
}) => {
  const { page } = app;
  await app.rest('PATCH', '/api/settings', { confirmDocuments: 10 });
  await daily(app, 'sized', 100);
  await app.open('#/collections/sized/ttl-indexes/new');
  const life = page.getByRole('textbox', { name: 'Expires after' });
  const effect = page.getByRole('complementary', { name: 'Exact effect' });
  const confirm = page.getByRole('region', { name: 'Confirm' });
  const create = page.getByRole('button', { name: 'Create index' });
  const back = page.getByRole('main').getByRole('button', { name: 'Back' });
  const review = async (days: string, due: number) => {
    await life.fill(days);
    await expect(effect).toContainText(`${due} documents expire at once`);
    await page.getByRole('button', { name: 'Review…' }).click();
  };
  await review('90d', 10);
  await expect(create).toBeEnabled();
  await expect(confirm).toHaveCount(0);
  await back.click();

  await review('50d', 50);
  await expect(confirm).toContainText('This removes 50 documents, 50.0 % of');
  await expect(confirm.getByRole('textbox')).toHaveCount(0);
  await expect(create).toBeEnabled();
  await back.click();

  await review('49d', 51);
  await expect(create).toBeDisabled();
  await confirm.getByRole('textbox', { name: /type its name/ }).fill('sized');
  await create.click();
  await expect.poll(() => app.rest('GET', '/api/collections/sized')).toMatchObject({ documents: 49 });
});

test('[R3] the limits of an index are set while it runs, and reset to the store’s defaults', async ({
  app,
}) => {
  const { page } = app;
  await daily(app, 'limited', 10);
  await indexed(app, 'limited', 'kept', 100);
  await app.open('#/collections/limited/ttl-indexes/edit/kept');
  await page.getByRole('button', { name: '8 ms batches, no rate limit: the store’s own' }).click();
  const rate = page.getByRole('textbox', { name: 'Removals' });
  await expect(rate).toHaveAccessibleDescription(/unlimited, the store’s default/);
  await rate.fill('lots');
  await expect(rate).toHaveAccessibleDescription(/“lots” is not a number/);
  await expect(page.getByRole('button', { name: 'Review…' })).toBeDisabled();
  await rate.fill('500');
  await page.getByRole('textbox', { name: 'Batch time' }).fill('2');
  await inBothThemes(page);
  await page.getByRole('button', { name: 'Review…' }).click();
  await expect(page.getByRole('table', { name: 'limited before and after' })).toContainText(
    'at most 500 a second',
  );
  await page.getByRole('button', { name: 'Change index' }).click();
  await expect
    .poll(async () => app.rest('GET', indexPath('limited', 'kept')))
    .toMatchObject({ limits: { removalsPerSecond: 500, batchMs: 2 } });
  await expect(page).toHaveURL(/timeline/);

  await app.open('#/collections/limited/ttl-indexes/edit/kept');
  await page.getByRole('button', { name: 'Removals: use the default' }).click();
  await expect(rate).toBeFocused();
  await expect(rate).toHaveValue('');
  await page.getByRole('button', { name: 'Review…' }).click();
  await expect(page.getByRole('region', { name: 'The same change' })).toContainText(
    '"limits": {"removalsPerSecond": null}',
  );
  await page.getByRole('button', { name: 'Change index' }).click();
  await expect
    .poll(() => app.rest('GET', indexPath('limited', 'kept')))
    .toHaveProperty('limits', { batchMs: 2 });
});

test.describe('with a circuit breaker that trips at ten', () => {
  test.beforeEach(({ app }) => app.rest('PATCH', '/api/settings', { breakerDocuments: 10 }));

  test('[R6, R8] a pending change is shown with its effect, and applied once it is confirmed', async ({
    app,
  }) => {
    const { page } = app;
    await daily(app, 'waiting', 40);
    await indexed(app, 'waiting', 'kept', 100);
    await app.rest('PATCH', indexPath('waiting', 'kept'), { expireAfter: 5 * 86_400 });
    await app.open('#/collections/waiting/timeline');
    const timeline = page.getByRole('region', { name: 'Timeline of waiting' });
    await expect(timeline).toContainText('kept awaits confirmation');
    await expect(timeline.getByRole('button', { name: 'set by hand' })).toHaveCount(0);
    await expectAccessible(page);
    await app.open('#/collections/waiting/ttl-indexes');
    const pending = page.getByRole('status').filter({ hasText: 'awaits confirmation' });
    await expect(pending).toContainText('5 days after time');
    await expect(pending).toContainText('35 would be due at once');
    expect(await app.rest('GET', '/api/collections/waiting')).toMatchObject({ documents: 40 });
    await pending.getByRole('button', { name: 'Confirm' }).click();
    await expect(pending).toHaveCount(0);
    await expect.poll(() => app.rest('GET', '/api/collections/waiting')).toMatchObject({ documents: 5 });
    await app.open('#/collections/waiting/ttl-indexes/index/kept');
    await expect(history(page).getByRole('listitem').first()).toContainText('Confirmed');
  });
});

test('[A5] quarantined documents are linked, with the error and the remedy', async ({ app }) => {
  const { page } = app;
  await daily(app, 'stuck', 6);
  await app.rest('POST', indexPath('stuck'), {
    name: 'kept',
    source: byTime(3),
    onExpire: { action: 'patch', patch: { seen: true } },
  });
  await expect.poll(() => app.rest('GET', indexPath('stuck', 'kept'))).toMatchObject({ quarantined: 3 });
  await app.open('#/collections/stuck/ttl-indexes/index/kept');
  const card = page.getByRole('listitem').filter({ hasText: 'Patches' });
  await expect(card).toContainText('A document is retried when it is written');
  await expect(card.getByRole('listitem').filter({ hasText: 'e0003' })).toContainText(
    'the action must remove or postpone the deadline',
  );
  await expectAccessible(page);
  await card.getByRole('link', { name: '3 documents are quarantined' }).click();
  await expect(page).toHaveURL(/index=kept&reason=quarantined/);
  await expect(page.getByRole('row').filter({ hasText: /^e000/ })).toHaveCount(3);
});
