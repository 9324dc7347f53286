import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { type App, test } from './support/app.ts';

const DAY = 86_400_000;
const effect = (page: Page) => page.getByRole('complementary', { name: 'Exact effect' });

/** Events of the last `count` days, one a day, in milliseconds; every tenth holds no date. */
async function daily(app: App, collection: string, count: number): Promise<void> {
  const now = Date.now();
  await app.fill(
    collection,
    Array.from({ length: count }, (_, i) => ({
      _id: `e${String(i).padStart(4, '0')}`,
      time: i % 10 === 9 ? 'soon' : now - i * DAY - 1_000,
      size: i,
    })),
  );
}

const documentsOf = async (app: App, collection: string): Promise<unknown> =>
  app.rest('GET', `/api/collections/${collection}`);

test('[X3] the form creates an index: candidates, the unit, the exact effect; exactly these documents expire', async ({
  app,
}) => {
  const { page } = app;
  await daily(app, 'events', 100);
  await app.open('#/collections/events/ttl-indexes/new');
  await expect(page.getByRole('radio', { name: 'time' })).toBeChecked();
  await expect(page.getByRole('radio', { name: 'milliseconds' })).toBeChecked();
  await page.getByRole('radio', { name: 'seconds', exact: true }).click();
  await expect(page.getByText('only make sense as milliseconds')).toBeVisible();
  await page.getByRole('button', { name: 'Read as milliseconds' }).click();

  // Days 90 to 99, without the tenth that is not a date.
  await page.getByRole('textbox', { name: 'Expires after' }).fill('90d');
  await expect(effect(page)).toContainText('9 documents expire at once');
  await expect(effect(page)).toContainText('10 hold text that is not a date');
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('time_90d');
  await page.getByRole('textbox', { name: 'Expires after' }).fill('50d');
  await expect(effect(page)).toContainText('45 documents expire at once');
  await expectAccessible(page);

  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { name: 'Review time_50d on events' })).toBeFocused();
  await expect(page.getByText('POST /api/collections/events/ttl-indexes')).toBeVisible();
  await expect(page.getByRole('table', { name: 'events before and after' })).toContainText(
    '45 fewer, at once',
  );
  await expectAccessible(page);
  const create = page.getByRole('button', { name: 'Create index' });
  await create.click();
  await expect(page).toHaveURL(/#\/collections\/events\/timeline/);
  await expect.poll(() => documentsOf(app, 'events')).toMatchObject({ documents: 55, ttlIndexes: 1 });
});

test('the form shows each problem beside its control, and keeps all input', async ({ app }) => {
  const { page } = app;
  await daily(app, 'mistaken', 20);
  await app.rest('POST', '/api/collections/mistaken/ttl-indexes', {
    name: 'taken',
    source: { kind: 'field', field: 'time', unit: 'milliseconds', expireAfter: 8_640_000 },
  });
  await app.open('#/collections/mistaken/ttl-indexes/new');
  const review = page.getByRole('button', { name: 'Review…' });

  const path = page.getByRole('combobox', { name: 'Path of the field' });
  await path.fill('tiem');
  await expect(page.getByText('No document of mistaken has “tiem”')).toBeVisible();
  await expect(path).toHaveAttribute('aria-invalid', 'true');
  await expect(path).toHaveAccessibleDescription(/No document of mistaken has/);

  const life = page.getByRole('textbox', { name: 'Expires after' });
  await life.fill('90');
  await expect(life).toHaveAccessibleDescription(/90 of what\? Add a unit/);
  await expect(review).toBeDisabled();
  await life.fill('90d');

  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('taken');
  await expect(name).toHaveAccessibleDescription(/taken already exists/);
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await expect(review).toBeDisabled();
  await expectAccessible(page);

  await app.open('#/collections/mistaken/timeline');
  await app.open('#/collections/mistaken/ttl-indexes/new');
  await expect(path).toHaveValue('tiem');
  await expect(name).toHaveValue('taken');
});

test('[R8] a changed count is shown and must be confirmed again before anything is built', async ({
  app,
}) => {
  const { page } = app;
  await daily(app, 'moving', 100);
  await app.open('#/collections/moving/ttl-indexes/new');
  await page.getByRole('textbox', { name: 'Expires after' }).fill('95d');
  await expect(effect(page)).toContainText('4 documents expire at once');
  await page.getByRole('button', { name: 'Review…' }).click();
  const create = page.getByRole('button', { name: 'Create index' });
  await expect(create).toBeEnabled();
  // The review counts again every two seconds, but not on a hidden page: the next write is not counted yet.
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
    dispatchEvent(new Event('visibilitychange'));
  });
  // A count that had begun before must not find the next write either.
  await page.waitForTimeout(1_000);
  await app.rest('POST', '/api/collections/moving/documents', [
    { _id: 'x1', time: 1_000_000_000_000 },
    { _id: 'x2', time: 1_000_000_000_000 },
  ]);
  await create.click();
  await expect(page.getByText('the count is different now')).toBeVisible();
  await expect(page.getByText('6 documents would expire at once, not 4')).toBeVisible();
  expect(await documentsOf(app, 'moving')).toMatchObject({ documents: 102, ttlIndexes: 0 });
  await create.click();
  await expect.poll(() => documentsOf(app, 'moving')).toMatchObject({ documents: 96, ttlIndexes: 1 });
});

test('an index is paused, resumed, run, edited in the same form, and dropped after its preview', async ({
  app,
}) => {
  const { page } = app;
  await daily(app, 'listed', 50);
  await app.open('#/collections/listed/ttl-indexes');
  await expect(page.getByText('No TTL configured')).toBeVisible();
  await app.rest('POST', '/api/collections/listed/ttl-indexes', {
    name: 'time_60d',
    source: { kind: 'field', field: 'time', unit: 'milliseconds', expireAfter: 60 * 86_400 },
  });
  const card = page.getByRole('listitem').filter({ hasText: 'time_60d' });
  await expect(card).toContainText('60 days after time');
  await expect(card).toContainText('5 hold text that is not a date');
  await expectAccessible(page);
  await card.getByRole('button', { name: 'Pause' }).click();
  await expect(card).toContainText('Paused');
  await card.getByRole('button', { name: 'Resume' }).click();
  await expect(card).toContainText('Active');
  await app.rest('POST', '/api/reaper/pause', { collection: 'listed' });
  await expect(card).toContainText('with the collection');
  await expect(card.getByRole('button', { name: 'Pause' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await card.getByRole('button', { name: 'Run now' }).click();
  await expect(page.getByText('Nothing of time_60d was due')).toBeVisible();

  await card.getByRole('link', { name: 'Edit…' }).click();
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('time_60d');
  await page.getByRole('textbox', { name: 'Expires after' }).fill('46d');
  await expect(effect(page)).toContainText('3 documents expire at once');
  await page.getByRole('button', { name: 'Review…' }).click();
  await expect(page.getByText('PATCH /api/collections/listed/ttl-indexes/time_60d')).toBeVisible();
  await page.getByRole('button', { name: 'Change index' }).click();
  await expect(page).toHaveURL(/timeline/);
  await expect.poll(() => documentsOf(app, 'listed')).toMatchObject({ documents: 47 });

  await app.open('#/collections/listed/ttl-indexes');
  await card.getByRole('link', { name: '5 hold text that is not a date' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'e0009' })).toContainText('Never');
  await app.open('#/collections/listed/ttl-indexes');
  await card.getByRole('button', { name: 'More for time_60d' }).click();
  await page.getByRole('menuitem', { name: 'Drop index…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Drop time_60d?' });
  await expect(dialog).toContainText('stops at once');
  await expect(dialog.getByRole('row', { name: /Never/ })).toContainText('47');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Drop index' }).click();
  await expect(page.getByText('No TTL configured')).toBeVisible();
  expect(await documentsOf(app, 'listed')).toMatchObject({ documents: 47, ttlIndexes: 0 });
});

test('the form adapts to the data: no unit for text, future dates as deadlines, and a count with its source', async ({
  app,
}) => {
  const { page } = app;
  const now = Date.now();
  await app.fill(
    'bookings',
    Array.from({ length: 40 }, (_, i) => ({
      _id: `b${i}`,
      made: new Date(now - i * 60_000).toISOString(),
      starts: now + (i + 1) * 60_000,
    })),
  );
  await app.rest('POST', '/api/collections/bookings/ttl-indexes', {
    name: 'starts_at',
    source: { kind: 'field', field: 'starts', unit: 'milliseconds', expireAfter: 0 },
  });
  await page.setViewportSize({ width: 1024, height: 700 });
  await app.open('#/collections/bookings/ttl-indexes/new');
  const life = page.getByRole('textbox', { name: 'Expires after' });
  const name = page.getByRole('textbox', { name: 'Name', exact: true });

  await page.getByRole('radio', { name: 'starts' }).click();
  await expect(life).toHaveValue('0');
  await expect(page.getByRole('radio', { name: 'milliseconds' })).toBeInViewport({ ratio: 1 });
  await page.getByRole('radio', { name: 'made' }).click();
  await expect(life).toHaveValue('30d');
  await expect(page.getByText('Read numbers as')).toBeHidden();
  await expect(effect(page)).toContainText('starts_at already removes 40 of them within the hour');
  await expect(effect(page)).toContainText('counted all 40');

  await life.fill('abc');
  await expect(effect(page)).toContainText('still the count for 30 days after made');
  await expect(effect(page)).not.toContainText('counted all');
  await expect(name).toHaveValue('made_30d');
  await expectAccessible(page);

  await life.fill('40d');
  await page.getByRole('button', { name: 'Review…' }).click();
  const change = page.getByRole('table', { name: 'bookings before and after' });
  await expect(change).not.toContainText('numbers read as');
  await expect(change.getByRole('row', { name: /^Schedule/ })).not.toContainText('none');

  await app.open('#/collections/bookings/ttl-indexes/edit/starts_at');
  await life.fill('1h');
  await expect(page.getByText('The name stays starts_at')).toBeVisible();
});
