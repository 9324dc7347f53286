import { expect } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { type App, test } from './support/app.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

async function withDeadlines({ fill, rest }: App, collection: string, deadlines: readonly number[]) {
  await fill(
    collection,
    deadlines.map((at, i) => ({ _id: `d${String(i).padStart(3, '0')}`, at })),
  );
  await rest('POST', `/api/collections/${collection}/ttl-indexes`, {
    name: 'by_at',
    source: { kind: 'field', field: 'at', unit: 'milliseconds', expireAfter: 0 },
  });
}

test('the timeline is zoomed, panned, read and opened by keyboard and pointer, and is shown as a table', async ({
  app,
}) => {
  const { page } = app;
  const cliff = Math.ceil((Date.now() + 20 * MINUTE) / MINUTE) * MINUTE + 7_000;
  // Half a minute away, so that its bucket contains no other document.
  const spread = Array.from({ length: 40 }, (_, i) => cliff + 30_000 + (i - 18) * MINUTE);
  await withDeadlines(app, 'on_the_line', [...spread, ...Array.from({ length: 200 }, () => cliff)]);
  await app.open('#/collections/on_the_line/timeline');
  const panel = page.getByRole('region', { name: 'Timeline of on_the_line' });
  const plot = panel.getByRole('group', { name: /^Timeline of expirations/ });
  await expect(panel).toContainText('documents per 30 s');

  // Presets by their keys, each with an address.
  for (const [key, unit, address] of [
    ['1', 'documents per second', /zoom=1m$/],
    ['3', 'documents per 10 m', /zoom=1d$/],
    ['4', 'documents per 6 h', /zoom=30d$/],
    ['5', 'documents per 12 h', /zoom=all$/],
    ['2', 'documents per 30 s', /timeline$/],
  ] as const) {
    await page.keyboard.press(key);
    await expect(panel).toContainText(unit);
    await expect(page).toHaveURL(address);
  }

  // Moves by bucket and by cliff, and opens one.
  await plot.focus();
  await plot.press('Home');
  await expect(plot).toContainText(/now, .+: 0|now, .+: \d/);
  await plot.press('Shift+ArrowRight');
  await expect(plot).toContainText(/in \d+ m.*200 will expire.*cliff, 200 of these at \d\d:\d\d:07/);
  await plot.press('Enter');
  await expect(page).toHaveURL(/on_the_line\/documents\?dueFrom=\d+&dueTo=\d+/);
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', /20[01]/);
  await page.goBack();

  // By pointer: the wheel zooms about now, dragging pans, N returns.
  await plot.hover({ position: { x: 600, y: 100 } });
  await page.mouse.wheel(0, 240);
  await expect(page).toHaveURL(/zoom=\d+$/);
  await expect(panel.getByRole('button', { name: 'Back to now' })).toHaveCount(0);
  await page.mouse.down();
  await page.mouse.move(300, 420, { steps: 4 });
  await page.mouse.up();
  await expect(panel.getByRole('button', { name: 'Back to now' })).toBeVisible();
  await page.keyboard.press('n');
  await expect(panel.getByRole('button', { name: 'Back to now' })).toHaveCount(0);

  await page.keyboard.press('2');
  await page.keyboard.press('t');
  const table = panel.getByRole('region', { name: 'Timeline as a table' });
  await expect(table.locator('tr[aria-current=time]')).toBeInViewport();
  const cliffRow = table.getByRole('row').filter({ hasText: /20[0-9]$/ });
  await expect(cliffRow).toHaveCount(1);
  await expect(table.getByRole('row', { name: /^overdue/ })).toContainText('0');
  await expectAccessible(page);

  // Series hidden by the legend are not counted.
  await panel.getByRole('button', { name: 'by_at' }).click();
  await expect(panel.getByRole('button', { name: 'by_at' })).toHaveAttribute('aria-pressed', 'false');
  await expect(cliffRow).toHaveCount(0);
});

test('an empty timeline shows the reason, with the next step', async ({ app }) => {
  const { page } = app;
  await withDeadlines(app, 'far_off', [Date.now() + 3 * HOUR]);
  await app.open('#/collections/far_off/timeline?zoom=1m');
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { name: 'No deadline in this window' })).toBeVisible();
  await expect(main).toContainText(/The next document expires in (3 h|2 h 59 m)/);
  await main.getByRole('button', { name: 'Zoom to 1 d' }).click();
  await expect(page).toHaveURL(/zoom=1d/);
  await expect(main.getByRole('heading', { name: 'No deadline in this window' })).toHaveCount(0);

  await app.fill('without_ttl', [{ _id: 'a' }]);
  await app.open('#/collections/without_ttl/timeline');
  await expect(main.getByRole('heading', { name: 'No TTL configured' })).toBeVisible();
  await expect(main.getByRole('link', { name: 'Create TTL index…' })).toBeVisible();

  await app.fill('without_documents', []);
  await app.open('#/collections/without_documents/timeline');
  await expect(main.getByRole('heading', { name: 'No documents yet' })).toBeVisible();

  await withDeadlines(app, 'never_due', []);
  await app.rest('POST', '/api/collections/never_due/documents', { _id: 'a', at: 'some day' });
  await app.open('#/collections/never_due/timeline');
  await expect(main.getByRole('heading', { name: 'No document has a deadline' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'TTL indexes in brief' })).toContainText('never 1');
});
