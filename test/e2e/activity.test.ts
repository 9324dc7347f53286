import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { startServedHost } from '../support/served-host.ts';
import { expectAccessible } from './support/accessibility.ts';
import { type App, test } from './support/app.ts';

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const result = (page: Page) => page.getByRole('region', { name: 'Result' });
const dialog = (page: Page) => page.getByRole('dialog');

/** A collection whose documents expire at their date, which is past. */
async function expire(
  app: App,
  collection: string,
  ids: readonly string[],
  at = '2001-01-01',
): Promise<void> {
  await app.fill(collection, []);
  await app.rest('POST', `/api/collections/${collection}/ttl-indexes`, {
    name: 'at_date',
    source: { kind: 'field', field: 'at', unit: 'seconds', expireAfter: 0 },
  });
  await app.rest(
    'POST',
    `/api/collections/${collection}/documents`,
    ids.map(_id => ({ _id, at, of: collection })),
  );
}

const read = (app: App, collection: string, id: string) =>
  app.rest('GET', `/api/collections/${collection}/documents/${id}`);

test('the feed shows an expiry within a second, and one row for a whole batch', async ({ app }) => {
  const { page } = app;
  await app.fill('feed_now', [{ _id: 'before' }]);
  await app.open('#/activity');
  await expect(rowOf(page, 'before')).toBeVisible();
  await expire(app, 'feed_seen', ['gone_1']);
  await expect(rowOf(page, 'Removed').filter({ hasText: 'gone_1' })).toBeVisible({ timeout: 1_000 });
  await app.rest(
    'POST',
    '/api/collections/feed_now/documents',
    Array.from({ length: 400 }, (_, i) => ({ _id: `many_${i}` })),
  );
  const batch = rowOf(page, 'many_0 and 399 more');
  await expect(batch).toContainText('Inserted');
  await expectAccessible(page);
  await batch.click();
  const details = page.getByRole('complementary', { name: /^Revision/ });
  await expect(details).toContainText('400 documents inserted into feed_now.');
  await expect(details).toContainText('and 300 more, not listed');
  await expectAccessible(page);
});

test('the feed keeps its rows in place while the pointer is over it, and counts new changes', async ({
  app,
}) => {
  const { page } = app;
  await app.fill('still', [{ _id: 'first' }]);
  await app.open('#/activity?collection=still');
  await expect(rowOf(page, 'first')).toBeVisible();
  await page.getByRole('button', { name: /^Stop following/ }).click();
  await app.rest('POST', '/api/collections/still/documents', [{ _id: 'second' }]);
  const offer = page.getByRole('button', { name: '1 new' });
  await expect(offer).toBeVisible();
  await expect(rowOf(page, 'second')).toHaveCount(0);
  await offer.click();
  await expect(rowOf(page, 'second')).toBeVisible();
  await app.rest('POST', '/api/collections/still/documents', [{ _id: 'third' }]);
  await expect(offer).toBeVisible();
  await page.getByRole('grid', { name: 'Live feed' }).focus();
  await page.keyboard.press('Space');
  await expect(rowOf(page, 'third')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Stop following/ })).toBeVisible();
});

test('the feed’s filters are in its address', async ({ app }) => {
  const { page } = app;
  await expire(app, 'narrow', ['was_due']);
  await app.rest('POST', '/api/collections/narrow/documents', [{ _id: 'stays', at: '2999-01-01' }]);
  await app.open('#/activity?collection=narrow');
  await expect(rowOf(page, 'stays')).toBeVisible();
  await page.getByRole('button', { name: 'Kind: all' }).click();
  await page.getByRole('menuitem', { name: 'expired', exact: true }).click();
  await expect(page).toHaveURL(/#\/activity\?collection=narrow&kind=expire$/);
  await expect(rowOf(page, 'was_due')).toBeVisible();
  await expect(rowOf(page, 'stays')).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Filter by id or index' }).fill('nobody');
  await expect(page.getByText('No recent change matches')).toBeVisible();
  await page.getByRole('button', { name: 'Show all changes' }).click();
  await expect(page).toHaveURL(/#\/activity$/);
});

test('[X4] an expired document is restored, pinned', async ({ app }) => {
  const { page } = app;
  await expire(app, 'single', ['lost']);
  await app.open('#/activity/expired?collection=single');
  await expect(rowOf(page, 'lost')).toContainText('deleted');
  await expectAccessible(page);
  await page.getByRole('checkbox', { name: 'Select lost' }).click();
  await page.getByRole('button', { name: 'Restore 1…' }).click();
  await expect(dialog(page).getByRole('radio', { name: 'Pinned' })).toBeChecked();
  await expect(dialog(page)).toContainText('Its _id is not in use.');
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Restore 1', exact: true }).click();
  await expect(result(page)).toContainText('1 restored.');
  expect(await read(app, 'single', 'lost')).toMatchObject({ state: 'pinned', document: { of: 'single' } });
  await expect(rowOf(page, 'lost')).toContainText('restored');
  await expect(page.getByRole('checkbox', { name: 'Select lost' })).toBeDisabled();
  await result(page).getByRole('link', { name: 'Open in single' }).click();
  await expect(page).toHaveURL(/#\/collections\/single\/documents\?filter=lost$/);
  await expect(rowOf(page, 'lost')).toBeVisible();
});

test('[X4] conflicts are resolved one by one; a skipped document stays selected with its reason', async ({
  app,
}) => {
  const { page } = app;
  await expire(app, 'taken', ['over', 'beside', 'kept', 'free']);
  await app.open('#/activity/expired?collection=taken');
  await expect(rowOf(page, 'free')).toBeVisible();
  for (const _id of ['over', 'beside', 'kept'])
    await app.rest('POST', '/api/collections/taken/documents', [{ _id, at: '2999-01-01', isNew: true }]);
  await page.getByRole('grid', { name: 'Expired' }).focus();
  await page.keyboard.press('Control+a');
  await page.getByRole('button', { name: 'Restore 4…' }).click();
  await expect(dialog(page)).toContainText('3 of 4 _ids are in use; 1 document can be restored unchanged.');
  await expectAccessible(page);
  await dialog(page)
    .getByRole('radiogroup', { name: 'If over is in use' })
    .getByRole('radio', { name: 'Replace' })
    .click();
  await dialog(page)
    .getByRole('radiogroup', { name: 'If beside is in use' })
    .getByRole('radio', { name: 'New _id' })
    .click();
  await dialog(page).getByRole('radio', { name: 'After' }).click();
  await dialog(page).getByRole('textbox', { name: 'Duration' }).fill('3h');
  await dialog(page).getByRole('button', { name: 'Restore 3', exact: true }).click();
  await expect(result(page)).toContainText('3 restored, 1 not.');
  expect(await read(app, 'taken', 'over')).toMatchObject({
    document: { of: 'taken' },
    deadlineFrom: 'explicit',
  });
  expect(await read(app, 'taken', 'beside')).toMatchObject({ document: { isNew: true } });
  expect(await app.rest('GET', '/api/collections/taken')).toMatchObject({ documents: 5 });
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('1 selected');
  await expect(rowOf(page, 'kept')).toContainText('_id is in use');
  await result(page).getByRole('button', { name: 'Show reasons' }).click();
  await expect(page.getByRole('region', { name: 'Not restored' })).toContainText('was written since');
  await expectAccessible(page);
  await result(page).getByRole('button', { name: 'Replace or rename 1…' }).click();
  await dialog(page).getByRole('radio', { name: 'Replace' }).first().click();
  await dialog(page).getByRole('button', { name: 'Restore 1', exact: true }).click();
  await expect(result(page)).toContainText('1 restored.');
  expect(await read(app, 'taken', 'kept')).toMatchObject({ document: { of: 'taken' } });
});

test('[X4] all expired documents of a collection are restored by a job, loaded or not', async ({ app }) => {
  const { page } = app;
  const ids = Array.from({ length: 1_500 }, (_, i) => `m${String(i).padStart(4, '0')}`);
  await expire(app, 'many_back', ids);
  await expect.poll(() => app.rest('GET', '/api/collections/many_back')).toMatchObject({ documents: 0 });
  await app.open('#/activity/expired?collection=many_back');
  await page.getByRole('checkbox', { name: 'Select m1499' }).click();
  await page.getByRole('button', { name: /^Select all in many_back/ }).click();
  await page.getByRole('button', { name: 'Restore all…' }).click();
  await dialog(page).getByRole('button', { name: 'Restore all', exact: true }).click();
  await expect(result(page)).toContainText('1,500 restored.');
  expect(await app.rest('GET', '/api/collections/many_back')).toMatchObject({
    documents: 1_500,
    pinned: 1_500,
  });
});

test('Shift selects a range of rows, and Escape clears it', async ({ app }) => {
  const { page } = app;
  await expire(app, 'spanned', ['s1', 's2', 's3', 's4']);
  await app.open('#/activity/expired?collection=spanned');
  await expect(rowOf(page, 's4')).toBeVisible();
  await page.getByRole('row').nth(1).click();
  await page
    .getByRole('row')
    .nth(3)
    .click({ modifiers: ['Shift'] });
  const selection = page.getByRole('region', { name: 'Selection' });
  await expect(selection).toContainText('3 selected');
  await page.keyboard.press('Escape');
  await expect(selection).toHaveCount(0);
  // Shift also selects a range by the checkboxes.
  await page.getByRole('checkbox', { name: 'Select s4' }).click();
  await page.getByRole('checkbox', { name: 'Select s2' }).click({ modifiers: ['Shift'] });
  await expect(selection).toContainText('3 selected');
});

test('[X4] a purge requires the name and leaves nothing to restore', async ({ app }) => {
  const { page } = app;
  await expire(app, 'purged', ['secret_1', 'secret_2']);
  await app.open('#/activity/expired?collection=purged');
  await expect(rowOf(page, 'secret_2')).toBeVisible();
  await page.getByRole('button', { name: 'Purge…' }).click();
  const confirm = dialog(page).getByRole('button', { name: 'Purge all' });
  await expect(confirm).toBeDisabled();
  await expectAccessible(page);
  await dialog(page).getByRole('textbox').fill('purged');
  await confirm.click();
  await expect(result(page)).toContainText('2 documents purged');
  await expect(result(page)).toContainText('Erased here; copies in backups and exports are not.');
  await expect(page.getByText('No entry matches')).toBeVisible();
});

test('[X4, V5] a purge is listed, pending on a follower by name until it is removed from the list', {
  tag: '@served',
}, async ({ app }) => {
  test.slow();
  const { page, host } = app;
  await expire(app, 'shared', ['secret_1']);
  await app.open('#/activity/expired?collection=shared');
  await expect(rowOf(page, 'secret_1')).toBeVisible();
  const follower = await startServedHost({
    run: 'build',
    flags: ['--follow', host.origin],
    env: { SANDGLASS_FOLLOW_TOKEN: host.token },
  });
  const followers = async () => (await app.rest('GET', '/api/followers')) as { name: string }[];
  await expect.poll(followers, { timeout: 20_000 }).toHaveLength(1);
  await follower.stop();
  const name = (await followers())[0]?.name ?? '';
  await page.getByRole('button', { name: 'Purge…' }).click();
  await dialog(page).getByRole('textbox').fill('shared');
  await dialog(page).getByRole('button', { name: 'Purge all' }).click();
  await expect(result(page)).toContainText(`Erased here, pending on ${name}.`);
  await page.getByRole('button', { name: 'Purges, 1 pending' }).click();
  const listed = rowOf(page, 'shared');
  await expect(listed).toContainText(`Erased here, pending on ${name}.`);
  await expectAccessible(page);
  await app.rest('DELETE', `/api/followers/${name}`);
  await expect(listed).toContainText(`Forgotten, not confirmed: ${name}.`);
});

test('[X4] a dropped collection can be restored, under another name if its own is in use', async ({
  app,
}) => {
  const { page } = app;
  await app.fill('fallen', [{ _id: 'a' }, { _id: 'b' }]);
  await app.rest('DELETE', '/api/collections/fallen');
  await app.fill('fallen', [{ _id: 'other' }]);
  await app.open('#/activity/expired');
  const dropped = page.getByRole('region', { name: 'Dropped collections' });
  await expect(dropped).toContainText('2 documents');
  await expectAccessible(page);
  await dropped.getByRole('button', { name: 'Restore fallen…' }).click();
  await expect(dialog(page).getByRole('textbox')).toHaveValue('fallen_restored');
  await dialog(page).getByRole('button', { name: 'Restore collection' }).click();
  await expect(page.getByText('Collection restored')).toBeVisible();
  expect(await app.rest('GET', '/api/collections/fallen_restored')).toMatchObject({ documents: 2 });
  await expect(dropped.getByRole('button', { name: 'Restore fallen…' })).toHaveCount(0);
});

test('[R7] passes show their trigger, their counts and their end', async ({ app }) => {
  const { page } = app;
  await expire(app, 'passed', ['p1', 'p2', 'p3']);
  await expect.poll(() => app.rest('GET', '/api/collections/passed')).toMatchObject({ documents: 0 });
  await app.open('#/activity/passes?collection=passed');
  const row = rowOf(page, 'passed');
  await expect(row).toContainText('Drained');
  await expectAccessible(page);
  await page.getByRole('grid', { name: 'Passes' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const details = page.getByRole('complementary', { name: /^Pass/ });
  await expect(details).toContainText('3 removed in passed');
  await expect(details).toContainText('at_date');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(details).toHaveCount(0);
});

test('expired documents and passes are exported as files with one line per entry', {
  tag: '@served',
}, async ({ app }) => {
  const { page } = app;
  await expire(app, 'filed', ['f1', 'f2']);
  await expect.poll(() => app.rest('GET', '/api/collections/filed')).toMatchObject({ documents: 0 });
  for (const [tab, key] of [
    ['expired', 'restorable'],
    ['passes', 'ending'],
  ] as const) {
    await app.open(`#/activity/${tab}?collection=filed`);
    await expect(rowOf(page, 'filed').first()).toBeVisible();
    const started = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as NDJSON' }).click();
    const download = await started;
    expect(download.suggestedFilename()).toMatch(new RegExp(`-${tab}-.*\\.ndjson$`));
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
    const rows: unknown[] = lines.map(line => JSON.parse(line));
    expect(rows).toHaveLength(tab === 'expired' ? 2 : 1);
    expect(rows[0]).toMatchObject({ collection: 'filed', [key]: expect.anything() });
  }
});

test('every tab is accessible also in the dark theme, and reached from the palette', async ({ app }) => {
  const { page } = app;
  await page.emulateMedia({ colorScheme: 'dark' });
  await expire(app, 'dark', ['night-owl']);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('Expired documents');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/activity\/expired$/);
  await expect(rowOf(page, 'night-owl')).toBeVisible();
  for (const tab of ['Live feed', 'Expired', 'Passes']) {
    await page.getByRole('link', { name: tab }).click();
    await expect(rowOf(page, 'dark').first()).toBeVisible();
    await expectAccessible(page);
  }
});
