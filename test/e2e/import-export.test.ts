import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { type App, test } from './support/app.ts';
import { dropFile } from './support/drop-file.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/imports/${name}`, import.meta.url), 'utf8');

/** Replaces the browser's file chooser, which a test cannot answer. */
async function withoutChooser(page: Page): Promise<void> {
  await page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
}

/** Returns the first 1,000 documents by `_id`. A page ends early where reading it takes long. */
async function documentsOf(app: App, collection: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let after = ''; found.length < 1_000; ) {
    const page = await app.rest(
      'GET',
      `/api/collections/${collection}/documents?limit=${1_000 - found.length}&sort=_id${after}`,
    );
    if (typeof page !== 'object' || page === null) break;
    const documents: unknown = Reflect.get(page, 'documents');
    if (Array.isArray(documents)) found.push(...documents.map(record => record.document));
    const next: unknown = Reflect.get(page, 'next');
    if (typeof next !== 'string') break;
    after = `&after=${encodeURIComponent(next)}`;
  }
  return found;
}

test('CSV is imported with its separator, the field of the _id, and a list of rejected rows', async ({
  app,
}) => {
  const { page } = app;
  await dropFile(page, 'amounts.csv', fixture('semicolons.csv'));
  const dialog = page.getByRole('dialog', { name: 'Import amounts.csv' });
  await expect(dialog.getByRole('combobox', { name: 'Format' })).toHaveValue(/CSV/);
  await expect(dialog.getByRole('radio', { name: 'Semicolon' })).toBeChecked();
  await expect(dialog).toContainText('{"id":1,"amount":"2,50"}');
  await expect(dialog).toContainText('Line 5 is not a valid row, line 6 is not a valid row');
  await expect(dialog.getByRole('combobox', { name: /^Field that becomes/ })).toHaveValue('id');
  await expect(dialog.getByText('Deadlines in the file')).toHaveCount(0);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog).toContainText('2 documents stored, 2 rejected.');
  const rejected = dialog.getByRole('region', { name: 'Rejected lines' });
  await expect(rejected).toContainText('It has 3 fields; the first row names 2.');
  await expect(rejected).toContainText('A field in quotes is never closed.');
  await dialog.getByRole('button', { name: 'Open amounts' }).click();
  expect(await documentsOf(app, 'amounts')).toEqual([
    { _id: '1', id: 1, amount: '2,50' },
    { _id: '2', id: 2, amount: 3 },
  ]);
});

test('an import whose window is closed or reloaded stops at a line, its collection shows that, and it is continued there', async ({
  app,
}) => {
  const { page } = app;
  const text = Array.from({ length: 12_000 }, (_, i) => `{"n":${i},"pad":"${'x'.repeat(500)}"}\n`).join('');
  await dropFile(page, 'ghost.ndjson', text);
  await page
    .getByRole('dialog', { name: 'Import ghost.ndjson' })
    .getByRole('button', { name: 'Import', exact: true })
    .click();
  const stored = async () => (await documentsOf(app, 'ghost')).length;
  await expect.poll(stored).toBeGreaterThan(0);
  // Ends its connection, as closing it does.
  await page.reload();
  await app.open('#/collections/ghost/documents');
  await expect(
    page.getByText(/This collection is partial: the import of ghost.ndjson stopped after line/),
  ).toBeVisible();
  await dropFile(page, 'ghost.ndjson', text);
  const dialog = page.getByRole('dialog', { name: 'Import ghost.ndjson' });
  await expect(dialog.getByRole('checkbox', { name: /^Continue after line/ })).toBeChecked();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await dialog.getByRole('button', { name: 'Open ghost' }).click({ timeout: 50_000 });
  await expect(page.getByText('This collection is partial')).toHaveCount(0);
  const summary = await app.rest('GET', '/api/collections/ghost');
  expect(summary).toMatchObject({ documents: 12_000 });
});

test('the output of mongoexport is imported as plain JSON', async ({ app }) => {
  const { page } = app;
  await app.fill('from_mongo', []);
  await app.open('#/collections/from_mongo/documents');
  await expect(page.getByText('No documents yet')).toBeVisible();
  await dropFile(page, 'mongo.json', fixture('mongoexport-canonical.json'));
  const dialog = page.getByRole('dialog', { name: 'Import mongo.json' });
  // The collection's own page opened the dialog.
  await expect(dialog.getByRole('combobox', { name: 'Collection' })).toHaveValue('from_mongo');
  await expect(dialog.getByRole('combobox', { name: 'Format' })).toHaveValue(/mongoexport/);
  await expect(dialog).toContainText('"_id":"507f1f77bcf86cd799439011"');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog).toContainText('2 documents stored.');
  const [ada] = await documentsOf(app, 'from_mongo');
  expect(ada).toMatchObject({
    _id: '507f1f77bcf86cd799439011',
    age: 36,
    createdAt: '2026-01-01T00:00:00.123Z',
    exact: '1.2345678901234567890',
  });
});

for (const format of ['NDJSON', 'JSON', 'CSV'] as const) {
  test(`${format} is exported, and imported again unchanged`, { tag: '@served' }, async ({ app }) => {
    const { page } = app;
    const from = `out_${format.toLowerCase()}`;
    const documents = Array.from({ length: 2_500 }, (_, i) => ({
      _id: `d${String(i).padStart(4, '0')}`,
      n: i / 4,
      text: `line ${i}, "quoted"\nand more`,
      code: '007',
      on: i % 2 === 0,
      geo: { city: 'Zürich', zip: '8001' },
    }));
    await app.fill(from, documents);
    await app.open(`#/collections/${from}/documents`);
    await withoutChooser(page);
    await page.getByRole('button', { name: 'Export…' }).click();
    const dialog = page.getByRole('dialog', { name: `Export ${from}` });
    await dialog.getByRole('radio', { name: format, exact: true }).click();
    await expectAccessible(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Export', exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${from}.${format.toLowerCase()}`);
    await expect(dialog).toContainText('2,500 documents in');
    await dialog.getByRole('button', { name: 'Close' }).click();

    const again = `again_${format.toLowerCase()}`;
    await dropFile(page, `${again}.${format.toLowerCase()}`, readFileSync(await download.path(), 'utf8'));
    const importing = page.getByRole('dialog', { name: `Import ${again}` });
    await importing.getByRole('button', { name: 'Import', exact: true }).click();
    await expect(importing).toContainText('2,500 documents stored.');
    expect(await documentsOf(app, again)).toEqual(documents.slice(0, 1_000));
  });
}

test('filtered or selected documents are exported with deadlines, and the import offers how to apply them', {
  tag: '@served',
}, async ({ app }) => {
  const { page } = app;
  const documents = Array.from({ length: 10 }, (_, i) => ({ _id: `p${i}`, n: i }));
  await app.fill('parts', documents);
  await app.rest('PUT', '/api/collections/parts/documents/p8/expiration', { never: true });
  await app.open('#/collections/parts/documents?cel=doc.n%20%3E%206');
  await expect(page.getByText('3 of 10')).toBeVisible();
  await withoutChooser(page);
  await page.getByRole('button', { name: 'Export…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export parts' });
  await expect(dialog.getByRole('radio', { name: /^Filtered documents: matching doc.n > 6/ })).toBeChecked();
  await dialog.getByRole('checkbox', { name: 'Deadlines' }).check();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export', exact: true }).click(),
  ]);
  const text = readFileSync(await download.path(), 'utf8');
  expect(text.split('\n').map(line => line && JSON.parse(line)._id)).toEqual(['p7', 'p8', 'p9', '']);
  await dialog.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('checkbox', { name: 'Select p9' }).check();
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Export…' }).click();
  await expect(dialog.getByRole('radio', { name: 'The selected document' })).toBeChecked();
  const [one] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export', exact: true }).click(),
  ]);
  expect(readFileSync(await one.path(), 'utf8')).toBe('{"_id":"p9","n":9}\n');
  await dialog.getByRole('button', { name: 'Close' }).click();

  await dropFile(page, 'pins.ndjson', text);
  const importing = page.getByRole('dialog', { name: 'Import pins.ndjson' });
  await expect(importing.getByRole('radio', { name: /^Keep(?! remaining)/ })).toBeChecked();
  await importing.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(importing).toContainText('3 documents stored.');
  expect(await app.rest('GET', '/api/collections/pins/documents/p8')).toMatchObject({ state: 'pinned' });
});
