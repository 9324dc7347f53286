import { expect, type Locator } from '@playwright/test';
import { test } from './support/app.ts';

/** The parts around every page: the top bar, the rail, the palette, the banners. */

const documents = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ _id: `d${i}`, seenAt: Date.now() + 60_000 * (i + 1) }));

test.describe('a window of 1024 by 700', () => {
  test.use({ viewport: { width: 1024, height: 700 } });

  test('shows names in the crumb and the table, with the rail and without', async ({
    app: { page, fill, open },
  }) => {
    await fill('small-window', documents(3));
    await open('#/overview');
    const name = page.getByRole('main').getByRole('link', { name: 'small-window' });
    await expect.poll(async () => (await name.boundingBox())?.width ?? 0).toBeGreaterThan(60);
    await page.keyboard.press('Control+b');
    await expect(page.getByRole('complementary', { name: 'Navigation' })).toBeVisible();
    const cell = page.getByRole('main').getByRole('cell', { name: 'small-window' });
    expect((await cell.boundingBox())?.width).toBeGreaterThanOrEqual(110);
    await open('#/collections/small-window/ttl-indexes/new');
    const crumb = page.getByRole('banner').getByText('New TTL index');
    const search = page.getByRole('button', { name: /Search or run/ });
    const end = await crumb.evaluate(element => element.getBoundingClientRect().right);
    expect(end).toBeLessThanOrEqual((await search.boundingBox())?.x ?? 0);
    await expect(page.getByRole('banner').getByRole('link', { name: 'small-window' })).toBeVisible();
  });
});

test('a paused collection shows a banner that leads to its overdue documents and resumes it', async ({
  app: { page, rest, fill, open },
}) => {
  await fill('held', documents(3));
  await rest('POST', '/api/reaper/pause', { collection: 'held' });
  const source = { kind: 'field', field: 'seenAt', expireAfter: 0, unit: 'milliseconds' };
  await rest('POST', '/api/collections/held/ttl-indexes', { name: 'seen', source });
  await rest('POST', '/api/collections/held/documents', { _id: 'late', seenAt: Date.now() - 60_000 });
  await open('#/collections/held/timeline');
  const banner = page.getByRole('status').filter({ hasText: /held is paused by .+ since/ });
  await expect(banner).toContainText('1 document is past the deadline');
  await expect(
    page.getByRole('banner').getByRole('button', { name: /^Paused\s*in this collection/ }),
  ).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText('shrinking');
  await page.getByLabel('Figures of held').getByRole('link', { name: '1', exact: true }).click();
  await expect(page.getByRole('main')).toContainText('late');
  await banner.getByRole('button', { name: 'Resume this collection' }).click();
  await expect(banner).toHaveCount(0);
  await expect(page.getByRole('banner').getByRole('button', { name: /^Running/ })).toBeVisible();
});

test('the palette opens on pages, and the focus returns through every dialog that it opens', async ({
  app: { page, fill, open },
}) => {
  await fill('places', []);
  await open('#/collections/places/timeline');
  const tab = page.getByRole('main').getByRole('link', { name: /^Documents/ });
  await tab.focus();
  await page.keyboard.press('Control+k');
  const first = page.getByRole('option', { selected: true });
  await expect(first).toContainText('Overview');
  await page.keyboard.press('Escape');
  await expect(tab).toBeFocused();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('keyboard');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(tab).toBeFocused();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
});

test('the palette has the actions of an index, a collection, the page and the window', async ({
  app: { page, rest, fill, open },
}) => {
  await fill('palette_here', documents(3));
  const source = { kind: 'field', field: 'seenAt', expireAfter: 0, unit: 'milliseconds' };
  await rest('POST', '/api/collections/palette_here/ttl-indexes', { name: 'seen', source });
  await open('#/collections/palette_here/timeline');
  async function run(typed: string, chosen: RegExp): Promise<void> {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(typed);
    const commands = page.getByRole('listbox', { name: 'Commands' });
    await expect(commands.getByRole('option', { selected: true })).toHaveText(chosen);
    await page.keyboard.press('Enter');
  }
  const pausedIndexes = async () =>
    ((await rest('GET', '/api/reaper')) as { pausedIndexes: unknown[] }).pausedIndexes.length;
  await run('pause index', /Pause index seen palette_here/);
  await expect.poll(pausedIndexes).toBe(1);
  await run('resume seen', /Resume paused index seen palette_here, paused by/);
  await expect.poll(pausedIndexes).toBe(0);
  await run('run seen', /Run index seen now/);
  await expect(page.getByText('Nothing of seen was due')).toBeVisible();
  await run('timeline 30 d', /Zoom the timeline to 30 d/);
  await expect(page).toHaveURL(/zoom=30d/);
  await run('timeline table', /Show the timeline as a table/);
  await expect(page.getByRole('region', { name: 'Timeline as a table' })).toBeVisible();
  await run('local', /Show times in local time/);
  await expect(page.getByRole('radio', { name: 'Local' })).toBeChecked();
  await run('dark', /Theme: dark/);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await run('drop index', /Drop index seen/);
  await page.getByRole('dialog', { name: 'Drop seen?' }).getByRole('button', { name: 'Cancel' }).click();
  await run('policy history', /Policy history of seen/);
  await run('drop collection palette_here', /Drop collection… palette_here/);
  await page
    .getByRole('dialog', { name: 'Drop this collection' })
    .getByRole('button', { name: 'Cancel' })
    .click();
  await run('health palette_here', /Health of palette_here/);
  await run('24 h', /Show 24 h of charts/);
  await expect(page.getByRole('radio', { name: '24 h' })).toBeChecked();
});

test('a name in use is reported while it is typed', async ({ app: { page, fill } }) => {
  await fill('taken_here', []);
  await page.getByRole('button', { name: 'New collection…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('taken_here');
  await expect(dialog.getByRole('alert')).toContainText('There is a collection of this name');
  await expect(dialog.getByRole('button', { name: 'Create collection' })).toBeDisabled();
});

test('a dropped file creates a collection with its name; the open collection is a choice, and invalid lines are shown first', async ({
  app: { page, fill, open },
}) => {
  await fill('target', documents(2));
  await open('#/collections/target/documents');
  await expect(page.getByRole('heading', { name: 'target', exact: true })).toBeAttached();
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['{"_id":"a"}\n{"_id":"b",\n{}\n'], 'visits.ndjson'));
    dispatchEvent(new DragEvent('drop', { dataTransfer }));
  });
  const dialog = page.getByRole('dialog', { name: 'Import visits.ndjson' });
  await expect(dialog.getByRole('combobox', { name: 'Collection' })).toHaveValue('visits');
  await expect(dialog).toContainText('Will be created.');
  await expect(dialog).toContainText('Line 2 is not JSON; it will be rejected.');
  await expect(dialog.getByRole('combobox', { name: /^Field that becomes/ })).toHaveValue(
    'Keep _id, generate if missing',
  );
  await dialog.getByRole('button', { name: /^Into target instead/ }).click();
  await expect(dialog).toContainText('Exists, with 2 documents. Documents with an equal _id are replaced.');
});

/** Returns the visible links and buttons of the page whose centre is covered by another element. */
const coveredIn = (main: Locator) =>
  main.evaluate(element =>
    [...element.querySelectorAll<HTMLElement>('a[href], button')].flatMap(action => {
      const { left, right, top, bottom } = action.getBoundingClientRect();
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      const cover = hit?.closest('[role=status], [role=alert], [role=group]');
      return cover == null || cover.contains(action) ? [] : [action.textContent];
    }),
  );

test('a message covers no link and no button of the page', async ({ app: { page, fill, open } }) => {
  // Enough collections to fill the overview, so that a link is at its bottom right.
  for (let i = 0; i < 24; i++) await fill(`part-${i}`, documents(1));
  await open('#/overview');
  const main = page.getByRole('main');
  const link = main.getByRole('link').last();
  await expect(link).toBeVisible();
  const href = await link.getAttribute('href');
  await page.keyboard.press('Control+Shift+r');
  const message = page.getByRole('status').filter({ hasText: 'Nothing was due' });
  await expect(message).toBeVisible();
  expect(await coveredIn(main)).toEqual([]);
  const [box, at] = await Promise.all([message.boundingBox(), main.boundingBox()]);
  expect((at?.y ?? 0) + (at?.height ?? 0)).toBeLessThanOrEqual(box?.y ?? 0);
  await link.click();
  await expect(page).toHaveURL(new RegExp(`${href}$`));
  await expect(message).toBeVisible();
});
