import { expect } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { type App, test } from './support/app.ts';

const findings = ({ page }: App) => page.getByRole('region', { name: 'Findings', exact: true });
const finding = (app: App, title: string) => findings(app).getByRole('listitem').filter({ hasText: title });

/** Documents of which an index in seconds reads every one as milliseconds, but for a tenth. */
async function withWrongUnit(app: App, collection: string): Promise<void> {
  const now = Date.now();
  await app.fill(
    collection,
    Array.from({ length: 50 }, (_, i) => ({
      _id: `w${i}`,
      at: i % 10 === 0 ? Math.floor(now / 1_000) : now - i * 1_000,
    })),
  );
  await app.rest('POST', `/api/collections/${collection}/ttl-indexes`, {
    name: 'in_seconds',
    source: { kind: 'field', field: 'at', unit: 'seconds', expireAfter: 7_776_000 },
  });
}

test('[D4] a wrong unit is found, and its button opens the form with the other unit and the same duration', async ({
  app,
}) => {
  const { page } = app;
  await withWrongUnit(app, 'misread');
  await app.open('#/health?collection=misread');
  const found = finding(app, 'Wrong unit suspected in misread');
  await expect(found).toContainText('45 values of at, 90 %, are only plausible in milliseconds');
  await expect(found).toContainText('Urgent');
  await expectAccessible(page);
  await found.getByRole('link', { name: 'Preview in milliseconds' }).click();
  await expect(page.getByRole('radio', { name: 'milliseconds' })).toBeChecked();
  await expect(page.getByRole('radio', { name: 'at', exact: true })).toBeChecked();
  await expect(page.getByRole('textbox', { name: 'Expires after' })).toHaveValue('90d');
  await expect(page.getByRole('complementary', { name: 'Exact effect' })).toContainText('5 ');
});

test('[D5] documents that never expire are listed by their reason', async ({ app }) => {
  const { page } = app;
  await app.fill(
    'escaping',
    Array.from({ length: 30 }, (_, i) => ({ _id: `e${i}`, ...(i < 20 && { at: '2999-01-01' }) })),
  );
  await app.rest('POST', '/api/collections/escaping/ttl-indexes', {
    name: 'at_deadline',
    source: { kind: 'field', field: 'at', unit: 'seconds', expireAfter: 0 },
  });
  await app.open('#/health?collection=escaping');
  const found = finding(app, '10 in escaping never expire');
  await expect(found).toContainText('10 have no at');
  await found.getByRole('link', { name: 'List them' }).click();
  await expect(page).toHaveURL(/escaping\/documents\?index=at_deadline&reason=missing\+field/);
  await expect(page.getByRole('row').filter({ hasText: /^e2\d/ })).toHaveCount(10);
});

test('a dismissed finding stays hidden until its weight grows by half, also after a reload', async ({
  app,
}) => {
  const { page } = app;
  await app.fill('waning', [
    ...Array.from({ length: 10 }, (_, i) => ({ _id: `n${i}` })),
    { _id: 'far', at: '2999-01-01' },
  ]);
  await app.rest('POST', '/api/collections/waning/ttl-indexes', {
    name: 'at_deadline',
    source: { kind: 'field', field: 'at', unit: 'seconds', expireAfter: 0 },
  });
  await app.open('#/health?collection=waning');
  await page.getByRole('button', { name: 'Dismiss: 10 in waning never expire' }).click();
  await expect(findings(app)).toContainText('No findings in waning');
  await expect(findings(app)).toContainText('1 dismissed');
  const more = (from: number, to: number) =>
    app.rest(
      'POST',
      '/api/collections/waning/documents',
      Array.from({ length: to - from }, (_, i) => ({ _id: `n${from + i}` })),
    );
  await more(10, 14);
  await page.reload();
  await findings(app).getByRole('button', { name: 'Check again' }).click();
  await expect(findings(app)).toContainText('No findings in waning');
  await more(14, 15);
  await expect(finding(app, '15 in waning never expire')).toBeVisible();
});

test('the overview and the collection’s page show findings, with links to Health', async ({ app }) => {
  const { page } = app;
  await withWrongUnit(app, 'misread_too');
  await app.open('#/overview');
  await expect(findings(app).getByRole('listitem')).not.toHaveCount(0);
  await expect(page.getByRole('link', { name: /^Health \d+ finding/ })).toBeVisible();
  await expectAccessible(page);
  await app.open('#/collections/misread_too/timeline');
  const strip = page.getByRole('navigation', { name: 'Health of misread_too' });
  await expect(strip).toContainText('Wrong unit suspected in misread_too');
  await strip.getByRole('link', { name: 'Health', exact: true }).click();
  await expect(page).toHaveURL(/#\/health\?collection=misread_too/);
  await expect(page.getByRole('heading', { name: 'Health of misread_too', level: 1 })).toHaveCount(1);
});

test('[M1] one crosshair of all charts is moved by the keyboard and read by screen readers; a table has the same values', async ({
  app,
}) => {
  const { page } = app;
  await app.fill('leaving', [
    { _id: 'soon', at: new Date(Date.now() + 300).toISOString() },
    { _id: 'stays' },
  ]);
  await app.rest('POST', '/api/collections/leaving/ttl-indexes', {
    name: 'at_deadline',
    source: { kind: 'field', field: 'at', unit: 'seconds', expireAfter: 0 },
  });
  await app.open('#/health?collection=leaving');
  for (const title of ['Lag', 'Removed / written', 'Batch time', 'Overdue', 'Backlog', 'Time to drain'])
    await expect(page.getByRole('region', { name: title, exact: true })).toBeVisible();
  const crosshair = page.getByRole('slider', { name: 'Crosshair of all charts' });
  await expect(crosshair).toHaveAttribute('aria-valuetext', /^Now: .*stored 1; Time to drain 0 s$/);
  // No measurements of the hour before: its last quarter is shown.
  await expect(page.getByRole('radio', { name: '15 m' })).toBeChecked();
  await crosshair.focus();
  await crosshair.press('ArrowLeft');
  await expect(crosshair).toHaveAttribute('aria-valuenow', '14');
  await crosshair.press('Home');
  await expect(crosshair).toHaveAttribute('aria-valuetext', /no measurements/);
  await crosshair.press('End');
  await expect(crosshair).toHaveAttribute('aria-valuetext', /UTC: .*stored 1; Time to drain 0 s$/);
  await crosshair.press('Escape');
  await expect(crosshair).toHaveAttribute('aria-valuetext', /^Now/);

  await page.keyboard.press('t');
  const table = page.getByRole('table', { name: /newest first/i });
  await expect(table.getByRole('row')).not.toHaveCount(1);
  await expect(page).toHaveURL(/as=table/);
  await expectAccessible(page);
  await page.getByRole('radio', { name: '24 h' }).click();
  await expect(page).toHaveURL(/span=24h/);
  await page.reload();
  await expect(page.getByRole('radio', { name: '24 h' })).toBeChecked();
});

test('[R6] health has no serious violation in either theme', async ({ app }) => {
  const { page } = app;
  await app.open('#/health');
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await expect(page.getByRole('region', { name: 'Lag', exact: true })).toBeVisible();
    await expectAccessible(page);
  }
});
