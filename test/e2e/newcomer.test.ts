import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { fetchFrom, startServedHost } from '../support/served-host.ts';
import { type App, test } from './support/app.ts';

/** Mistakes of a new user, and the messages of the window. */

async function choose(app: App, name: string, content: string | Buffer): Promise<void> {
  const file = join(app.folder, name);
  await writeFile(file, content);
  await app.chooseFile(file);
  await app.page.getByRole('button', { name: /^Open a file/ }).click();
}

/** A collection with one index, and the form for another. */
async function openCreateForm(app: App): Promise<void> {
  await app.fill(
    'sessions',
    Array.from({ length: 30 }, (_, i) => ({ _id: `s${i}`, seenAt: '2026-01-01', hits: i })),
  );
  const source = { kind: 'field', field: 'seenAt', expireAfter: 3_000_000_000 };
  await app.rest('POST', '/api/collections/sessions/ttl-indexes', { name: 'taken', source });
  const { page } = app;
  await page
    .getByRole('navigation', { name: 'Collections' })
    .getByRole('link', { name: /^sessions/ })
    .click();
  await page.getByRole('main').getByRole('link', { name: 'Create TTL index' }).click();
  await expect(page.getByRole('radio', { name: 'seenAt' })).toBeChecked();
}

for (const [what, name, content, says] of [
  ['a CSV file with names alone', 'people.csv', 'name,age\n', /no row after the field names/],
  ['a picture', 'logo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0x00]), /not text/],
  ['an empty file', 'none.ndjson', '', /The file is empty/],
  ['a broken array', 'broken.json', '[{"a":1},\n {"a" 2}]', /Line 2: Not JSON from column 7/],
  ['text that is no JSON', 'notes.txt', 'Dear diary,\n', /Not JSON/],
] as const) {
  test(`bad file: ${what} is refused with the reason and the remedy`, async ({ app }) => {
    const { page } = app;
    await choose(app, name, content);
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText(says);
    await expect(dialog.getByRole('button', { name: 'Import', exact: true })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'What expires next?' })).toBeVisible();
  });
}

test('bad lines: valid documents are stored, invalid ones are listed with line and reason', async ({
  app,
}) => {
  const { page } = app;
  await choose(app, 'mixed.ndjson', '{"_id":"a"}\n{"_id":"b",\n{"_id":7}\n{"_id":"c"}\n');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Line 2 is not JSON');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog).toContainText('2 documents stored');
  await expect(dialog.getByRole('row', { name: /^2 / })).toContainText(/Not JSON/);
  await expect(dialog.getByRole('row', { name: /^3 / })).toContainText(/_id is a string/);
});

test('bad field: the effect shows that no document has it, and why nothing would expire', async ({ app }) => {
  const { page } = app;
  await openCreateForm(app);
  await page.getByRole('radio', { name: 'Another field' }).check();
  const path = page.getByRole('combobox', { name: 'Path of the field' });
  await path.fill('lastSeen');
  const effect = page.getByRole('complementary', { name: 'Exact effect' });
  await expect(effect.getByRole('row', { name: /^Never/ })).toContainText('30');
  await expect(effect).toContainText(/30 .*lastSeen/);
  await path.fill('a..b');
  await expect(page.getByText('has an empty step')).toBeVisible();
  await expect(path).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByRole('button', { name: /^Review/ })).toBeDisabled();
});

test('bad duration: the field shows the error, and no input is lost', async ({ app }) => {
  const { page } = app;
  await openCreateForm(app);
  const duration = page.getByRole('textbox', { name: 'Expires after' });
  for (const [text, says] of [
    ['90', /90 of what\?/],
    ['soon', /not a duration/],
    ['-5m', /cannot be negative/],
    ['200y', /At most 100 years/],
  ] as const) {
    await duration.fill(text);
    await expect(page.getByText(says)).toBeVisible();
    await expect(duration).toHaveAttribute('aria-invalid', 'true');
    await expect(duration).toHaveValue(text);
    await expect(page.getByRole('button', { name: /^Review/ })).toBeDisabled();
  }
  await duration.fill('1h 30m');
  await expect(page.getByText('1 hour 30 minutes')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Review/ })).toBeEnabled();
});

test('name in use: the error is beside the name', async ({ app }) => {
  const { page } = app;
  await openCreateForm(app);
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('taken');
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByRole('button', { name: /^Review/ })).toBeDisabled();
  await name.fill('another');
  await expect(page.getByRole('button', { name: /^Review/ })).toBeEnabled();
});

test('engine stopped: the window reports it, keeps its page, and reconnects by itself', {
  tag: '@served',
}, async ({ page, app }) => {
  const tokenFile = join(app.folder, 'token');
  const flags = ['--token-file', tokenFile];
  const first = await startServedHost({ run: 'build', folder: join(app.folder, 'own'), flags });
  await fetchFrom(first, 'POST', '/api/collections', '{"name": "sessions"}');
  await page.goto(first.link);
  await page
    .getByRole('navigation', { name: 'Collections' })
    .getByRole('link', { name: /^sessions/ })
    .click();
  const main = page.getByRole('main');
  // The page is complete before the engine stops.
  await expect(main.getByRole('button', { name: 'Import a file…' })).toBeEnabled();
  await first.stop('SIGKILL');
  await expect(page.getByRole('alert')).toContainText(/stopped|lost|gone/i);
  for (const name of ['Create TTL index', 'More for sessions', 'Import a file…']) {
    await expect(main.getByRole('button', { name })).toBeDisabled();
  }
  await expect(page.getByRole('button', { name: 'New collection…' })).toBeDisabled();
  const port = new URL(first.origin).port;
  const second = await startServedHost({
    run: 'build',
    folder: join(app.folder, 'own'),
    flags: [...flags, '--port', port],
  });
  await expect(page.getByRole('alert')).toHaveCount(0, { timeout: 20_000 });
  await fetchFrom(second, 'POST', '/api/collections/sessions/documents', '{"_id": "after"}');
  await expect(page.getByRole('main').getByRole('link', { name: /^Documents/ })).toContainText('1');
  await second.stop();
});
