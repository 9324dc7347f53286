import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { type App, test } from './support/app.ts';

const HOUR = 3_600_000;
const grid = (page: Page) => page.getByRole('grid');
const rowOf = (page: Page, id: string) => page.getByRole('row').filter({ hasText: id });
const padded = (i: number) => String(i).padStart(5, '0');

/** `count` documents d00000, d00001, … each of which expires an hour after the one before. */
async function hourly(app: App, collection: string, count: number): Promise<void> {
  const now = Date.now();
  await app.fill(
    collection,
    Array.from({ length: count }, (_, i) => ({
      _id: `d${padded(i)}`,
      tenant: i % 2 === 0 ? 'acme' : 'hooli',
      at: now + (i + 1) * HOUR,
    })),
  );
  await app.rest('POST', `/api/collections/${collection}/ttl-indexes`, {
    name: 'at_deadline',
    source: { kind: 'field', field: 'at', unit: 'milliseconds', expireAfter: 0 },
  });
  // The order of deadlines is different until the index is built.
  await expect
    .poll(() => app.rest('GET', `/api/collections/${collection}/ttl-indexes/at_deadline`))
    .toMatchObject({ state: 'ready' });
}

const deadlineOf = async (app: App, collection: string, id: string): Promise<unknown> =>
  app.rest('GET', `/api/collections/${collection}/documents/${id}`);

test('the list is filtered by text and state, and the address contains the filter', async ({ app }) => {
  const { page } = app;
  await hourly(app, 'filtered', 20);
  await app.open('#/collections/filtered/documents');
  await expect(rowOf(page, 'd00000')).toContainText('Soon');
  await page.keyboard.press('/');
  await page.keyboard.type('acme');
  await expect(page.getByText('10 of 20')).toBeVisible();
  await expect(rowOf(page, 'd00001')).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('searchbox', { name: 'Filter by text' })).toHaveValue('acme');
  await expect(page.getByText('10 of 20')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Filter by text' }).fill('nobody');
  await expect(page.getByText('No document matches')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByRole('button', { name: 'Never', exact: false }).first().click();
  await expect(page.getByText('No document matches')).toBeVisible();
  expect(page.url()).toContain('state=never');
  await expectAccessible(page);
});

test('[E1, E3] expirations are staged by keyboard, reviewed and applied', async ({ app }) => {
  const { page } = app;
  await hourly(app, 'staged', 20);
  await app.open('#/collections/staged/documents?sort=_id');
  await expect(rowOf(page, 'd00003')).toBeVisible();
  await grid(page).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByText('3 selected')).toBeVisible();
  await page.keyboard.press('e');
  const form = page.getByRole('dialog').filter({ hasText: 'Set expiration of 3 documents' });
  await expect(form.getByRole('textbox', { name: 'Duration' })).toBeFocused();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('9');
  await expect(form.getByText('Add a unit')).toBeVisible();
  await expect(form.getByRole('button', { name: 'Stage 3' })).toBeDisabled();
  await page.keyboard.type('0d');
  await expect(form.getByText('3 will expire later', { exact: false })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByText('3 staged edits.')).toBeVisible();
  await expect(rowOf(page, 'd00001')).toContainText('90d');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Review…' }).click();
  const review = page.getByRole('dialog', { name: 'Review 3 staged edits in staged' });
  await expect(review).toContainText('POST /api/collections/staged/expirations');
  await expectAccessible(page);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('3 set.')).toBeVisible();
  await expect(rowOf(page, 'd00001')).toContainText('set by hand');
  expect(await deadlineOf(app, 'staged', 'd00001')).toMatchObject({ deadlineFrom: 'explicit' });
  expect(await deadlineOf(app, 'staged', 'd00004')).toMatchObject({ deadlineFrom: 'at_deadline' });

  await page.getByRole('region', { name: 'Result' }).getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => deadlineOf(app, 'staged', 'd00001')).toMatchObject({ deadlineFrom: 'at_deadline' });
  await expect(page.getByText('3 set.')).toBeVisible();
});

test('staged edits survive a visit to another page, and are undone and discarded without writing', async ({
  app,
}) => {
  const { page } = app;
  await hourly(app, 'undone', 5);
  await app.open('#/collections/undone/documents?sort=_id');
  for (const id of ['d00000', 'd00001']) {
    await page.getByRole('checkbox', { name: `Select ${id}` }).check();
    await page.getByRole('button', { name: 'Clear expiration' }).click();
  }
  await expect(page.getByText('2 staged edits.')).toBeVisible();
  await page.getByRole('link', { name: 'Timeline' }).click();
  await page.goBack();
  await expect(page.getByText('2 staged edits.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo Ctrl Z' }).click();
  await expect(page.getByText('1 staged edit.')).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByText('staged edit')).toHaveCount(0);
  expect(await deadlineOf(app, 'undone', 'd00000')).toMatchObject({ deadlineFrom: 'at_deadline' });
});

test('[E3] documents that were removed before the edits are applied are listed, and are not selected or offered again', async ({
  app,
}) => {
  const { page } = app;
  await hourly(app, 'failing', 5);
  await app.open('#/collections/failing/documents?sort=_id');
  await page.getByRole('checkbox', { name: 'Select d00001' }).check();
  await page.getByRole('checkbox', { name: 'Select d00002' }).check();
  await page.getByRole('button', { name: 'Set expiration…' }).click();
  await page.getByRole('radio', { name: 'Never' }).click();
  await page.getByRole('button', { name: 'Stage 2' }).click();
  // The window drops edits of removed documents within a second. The confirmation for production delays this run of
  // both edits.
  await app.rest('PATCH', '/api/connections/home', { environment: 'production' });
  await expect(page.getByRole('banner').getByText('Production')).toBeVisible();
  await page.getByRole('button', { name: 'Apply to 2' }).click();
  const question = page.getByRole('dialog', { name: /^Write to/ });
  await expect(question).toContainText('Set the expiration of 2 documents');
  await app.rest('DELETE', '/api/collections/failing/documents/d00001');
  await question.getByRole('button', { name: 'Set', exact: true }).click();
  await expect(page.getByText('1 set, 1 expired or deleted.')).toBeVisible();
  await expect(page.getByText('1 selected')).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Retry/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Show reasons' }).click();
  await expect(page.getByRole('region', { name: 'Failures' })).toContainText('d00001');
  expect(await deadlineOf(app, 'failing', 'd00002')).toMatchObject({ state: 'pinned' });
});

test('documents that expire while they are selected or staged are dropped with a message', async ({
  app,
}) => {
  const { page } = app;
  const later = Date.now() + HOUR;
  await app.fill(
    'dropped',
    ['a', 'b', 'c', 'x', 'y'].map(_id => ({ _id, at: later })),
  );
  await app.rest('POST', '/api/collections/dropped/ttl-indexes', {
    source: { kind: 'field', field: 'at', unit: 'milliseconds', expireAfter: 0 },
  });
  await app.open('#/collections/dropped/documents?sort=_id');
  await expect(rowOf(page, 'y')).toBeVisible();
  // Time for at most five clicks.
  const soon = Date.now() + 6_000;
  for (const id of ['a', 'b', 'c'])
    await app.rest('PUT', `/api/collections/dropped/documents/${id}`, { at: soon });
  await expect(page.getByRole('row').filter({ hasText: String(soon) })).toHaveCount(3);
  for (const id of ['a', 'b', 'x'])
    await page.getByRole('checkbox', { name: `Select ${id}`, exact: true }).check();
  await page.getByRole('button', { name: 'Clear expiration' }).click();
  await page.getByRole('checkbox', { name: 'Select all loaded documents' }).check();
  await expect(page.getByText('5 selected')).toBeVisible();
  await expect(page.getByText('2 selected')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText(
    '3 of them expired or were deleted',
  );
  await expect(page.getByRole('checkbox', { name: 'Select all loaded documents' })).toBeChecked();
  await expect(page.getByRole('region', { name: 'Staged edits' })).toContainText(
    '2 of them expired or were deleted',
  );
  // A document that another caller deletes is dropped too.
  await app.rest('DELETE', '/api/collections/dropped/documents/y');
  await expect(page.getByText('1 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Apply to 1' }).click();
  await expect(page.getByText('1 set.')).toBeVisible();
});

test('[C1] a document is edited as JSON: errors are shown, large integers keep all digits', async ({
  app,
}) => {
  const { page } = app;
  await app.fill('edited', [{ _id: 'one', n: 1 }]);
  await app.open('#/collections/edited/documents');
  await rowOf(page, 'one').click();
  const details = page.getByRole('complementary', { name: 'Document one' });
  await expect(details).toContainText('never expires');
  const text = details.getByRole('textbox', { name: /^Document/ });
  await text.fill('{\n  "_id": "one",\n  oops\n}');
  await expect(details).toContainText('line 3');
  await expect(text).toHaveAttribute('aria-invalid', 'true');
  await expect(details.getByRole('button', { name: 'Save' })).toBeDisabled();
  await expectAccessible(page);
  await text.fill('{"_id": "one", "big": 9007199254740993123}');
  await text.press('Control+s');
  await expect(details.getByRole('button', { name: 'Save' })).toBeDisabled();
  await expect(text).toHaveText(/9007199254740993123/);
  await page.reload();
  await expect(rowOf(page, 'one')).toContainText('9007199254740993123');
});

test('unsaved text of a document is kept and marked until it is saved or reverted', async ({ app }) => {
  const { page } = app;
  await app.fill('drafts', [{ _id: 'doc-1' }, { _id: 'doc-2' }]);
  await app.open('#/collections/drafts/documents?sort=_id');
  await rowOf(page, 'doc-1').click();
  const one = page.getByRole('complementary', { name: 'Document doc-1' });
  await one.getByRole('textbox', { name: /^Document/ }).fill('{"_id": "doc-1", "typed": 1}');
  await expect(rowOf(page, 'doc-1')).toContainText('unsaved');
  await one.getByRole('button', { name: 'Next' }).click();
  await page
    .getByRole('complementary', { name: 'Document doc-2' })
    .getByRole('button', { name: 'Close' })
    .click();
  await page.getByRole('button', { name: '1 unsaved' }).click();
  const text = one.getByRole('textbox', { name: /^Document/ });
  await expect(text).toHaveText('{"_id": "doc-1", "typed": 1}');
  await one.getByRole('button', { name: 'Close' }).click();
  await expect(one).toHaveCount(0);
  await page.getByRole('button', { name: '1 unsaved' }).click();
  await text.press('Control+s');
  await expect(page.getByText('unsaved')).toHaveCount(0);
  await expect(text).toHaveText(/"typed": 1/);
  await text.fill('{"_id": "doc-1", "kept": "to copy"}');
  await app.rest('DELETE', '/api/collections/drafts/documents/doc-1');
  await expect(one).toContainText('Your text was not saved');
  await expect(one.getByRole('textbox')).toHaveText(/to copy/);
});

test('a new document is written into an empty collection, and deleted after a confirmation', async ({
  app,
}) => {
  const { page } = app;
  await app.fill('fresh', []);
  await app.open('#/collections/fresh/documents');
  await expect(page.getByText('No documents yet')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'New document…' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('{"_id": 5}');
  await expect(page.getByRole('dialog')).toContainText('_id is a string');
  await page.getByRole('dialog').getByRole('textbox').fill('{"_id": "first", "n": 1}');
  await page.keyboard.press('Control+Enter');
  await expect(rowOf(page, 'first')).toBeVisible();
  await rowOf(page, 'first').click();
  await page.keyboard.press('Delete');
  await page.getByRole('dialog', { name: 'Delete first?' }).getByRole('button', { name: 'Delete 1' }).click();
  await expect(page.getByText('All documents left')).toBeVisible();
});

test('[V1] rows disappear at their deadlines, and the selection does not change', async ({ app }) => {
  const { page } = app;
  const now = Date.now();
  const documents = Array.from({ length: 60 }, (_, i) => ({
    _id: `d${padded(i)}`,
    at: now + (i < 30 ? 2_500 + i * 40 : HOUR + i),
  }));
  await app.fill('leaving', documents);
  await app.rest('POST', '/api/collections/leaving/ttl-indexes', {
    source: { kind: 'field', field: 'at', unit: 'milliseconds', expireAfter: 0 },
  });
  await app.open('#/collections/leaving/documents?sort=_id');
  await page.getByRole('checkbox', { name: 'Select d00020' }).check();
  await grid(page).hover();
  await page.mouse.wheel(0, 35 * 28);
  const box = page.getByRole('checkbox', { name: 'Select d00040' });
  await expect(async () => {
    if (await box.isChecked()) return;
    // The list scrolls for some frames, and rows may change between two moves. While the button is pressed, they do not.
    await box.hover();
    await page.mouse.down();
    const isBelow = await box.evaluate(element => element.matches(':hover'), undefined, { timeout: 1_000 });
    if (!isBelow) await page.mouse.move(0, 0);
    await page.mouse.up();
    // A click just after a row came under the pointer is ignored.
    expect([isBelow, await box.isChecked()]).toEqual([true, true]);
  }).toPass();
  const before = await rowOf(page, 'd00040').boundingBox();
  await expect(page.getByRole('button', { name: 'Select all 30 loaded' })).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Select d00040' })).toBeChecked();
  // Thirty rows above it disappeared, and it did not move (unless the list became too short to scroll that far).
  const after = await rowOf(page, 'd00040').boundingBox();
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(14 * 28);
  await page.mouse.wheel(0, -5_000);
  await expect(rowOf(page, 'd00020')).toHaveCount(0);
  await expect(rowOf(page, 'd00030')).toBeVisible();
});

test('[V1] a click on a row that just took the place of an expired one is ignored, and the next one selects it', async ({
  app,
}) => {
  const { page } = app;
  const now = Date.now();
  await app.fill(
    'passing',
    Array.from({ length: 20 }, (_, i) => ({ _id: `d${padded(i)}`, at: now + (i < 3 ? 4_000 : HOUR) })),
  );
  await app.rest('POST', '/api/collections/passing/ttl-indexes', {
    source: { kind: 'field', field: 'at', unit: 'milliseconds', expireAfter: 0 },
  });
  await app.open('#/collections/passing/documents?sort=_id');
  const place = await page.getByRole('checkbox', { name: 'Select d00005' }).boundingBox();
  if (place === null) throw new Error('no row of d00005');
  const x = place.x + place.width / 2;
  const y = place.y + place.height / 2;
  await page.mouse.move(x, y);
  const isBelowPointer = (name: string) =>
    page.waitForFunction(
      ([name, x, y]) => document.elementFromPoint(x, y)?.getAttribute('aria-label') === name,
      [name, x, y] as const,
    );
  await isBelowPointer('Select d00005');
  // Pressed in the frame in which the row changed: before anyone can have seen it.
  const pressed = page.evaluate(
    ([x, y]) =>
      new Promise<string | null>(resolve => {
        const look = () => {
          const box = document.elementFromPoint(x, y);
          const label = box?.getAttribute('aria-label') ?? null;
          if (label === 'Select d00005' || !(box instanceof HTMLElement)) return requestAnimationFrame(look);
          box.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
          box.click();
          resolve(label);
        };
        look();
      }),
    [x, y] as const,
  );
  expect(await pressed).toBe('Select d00008');
  await expect(page.getByRole('checkbox', { name: 'Select d00008' })).not.toBeChecked();
  await expect(async () => {
    await page.mouse.down();
    await page.mouse.up();
    await expect(page.getByRole('checkbox', { name: 'Select d00008' })).toBeChecked({ timeout: 300 });
  }).toPass();
});

test('from the details a document that never expires is given an expiration, or pinned', async ({ app }) => {
  const { page } = app;
  await hourly(app, 'kept', 2);
  await app.rest('POST', '/api/collections/kept/documents', [{ _id: 'stays' }]);
  await app.open('#/collections/kept/documents?state=never');
  await expect(rowOf(page, 'stays')).toContainText('missing field');
  await rowOf(page, 'stays').click();
  const details = page.getByRole('complementary', { name: 'Document stays' });
  await details.getByRole('button', { name: 'Pin' }).click();
  await expect(page.getByText('1 staged edit.')).toBeVisible();
  await details.getByRole('button', { name: 'Set expiration…' }).click();
  await page.getByRole('button', { name: 'Stage 1' }).click();
  await expect(details).toContainText('Staged: 30d');
  await expectAccessible(page);
});

test('the keys work with any focus except in text', async ({ app }) => {
  const { page } = app;
  await hourly(app, 'keys', 3);
  await app.open('#/collections/keys/documents?sort=_id');
  await rowOf(page, 'd00000').click();
  const details = page.getByRole('complementary', { name: 'Document d00000' });
  await details.getByRole('textbox', { name: /^Document/ }).press('e');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // The first one may close the list of completions.
  await expect(async () => {
    await page.keyboard.press('Escape');
    await expect(details).toHaveCount(0, { timeout: 500 });
  }).toPass();
  await page.getByRole('checkbox', { name: 'Select all loaded documents' }).check();
  await page.keyboard.press('e');
  await expect(page.getByRole('dialog', { name: 'Set expiration of 3 documents' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Apply staged edits');
});

test('the column heads are one stop of the Tab key; arrows move on, and with Shift resize', async ({
  app,
}) => {
  const { page } = app;
  await hourly(app, 'heads', 3);
  await app.open('#/collections/heads/documents?sort=_id');
  await expect(rowOf(page, 'd00000')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select all loaded documents' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(grid(page).getByRole('button', { name: '_id' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  const width = page.getByRole('separator', { name: 'Width of _id' });
  await expect(width).toBeFocused();
  await page.keyboard.press('Shift+ArrowRight');
  await expect(width).toHaveAttribute('aria-valuenow', '152');
  await page.keyboard.press('Tab');
  await expect(grid(page).locator(':focus')).toHaveCount(0);
});

test('columns are moved by key and in the list of columns, and keep their order over a reload', async ({
  app,
}) => {
  const { page } = app;
  await app.fill('ordered', [{ _id: 'd0', a: 1, b: 2, c: 3 }]);
  await app.open('#/collections/ordered/documents?sort=_id');
  await expect(rowOf(page, 'd0')).toBeVisible();
  const fields = async () =>
    (await grid(page).getByRole('columnheader').allTextContents()).filter(text => /^[abc]$/.test(text));
  await expect.poll(fields).toEqual(['a', 'b', 'c']);
  await page.getByRole('separator', { name: 'Width of a' }).focus();
  await page.keyboard.press('Control+Shift+ArrowRight');
  await expect.poll(fields).toEqual(['b', 'a', 'c']);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('button', { name: 'Move c to the left' }).click();
  await expect.poll(fields).toEqual(['b', 'c', 'a']);
  await page.getByRole('checkbox', { name: 'c', exact: true }).uncheck();
  await page.keyboard.press('Escape');
  await expect.poll(fields).toEqual(['b', 'a']);
  await page.reload();
  await expect.poll(fields).toEqual(['b', 'a']);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect.poll(fields).toEqual(['a', 'b', 'c']);
});

test('[X1] while paused, overdue documents are listed with the reason why each waits', async ({ app }) => {
  const { page } = app;
  await app.fill('waiting', []);
  await app.rest('POST', '/api/reaper/pause', { collection: 'waiting' });
  await app.rest('POST', '/api/collections/waiting/ttl-indexes', {
    source: { kind: 'field', field: 'at', unit: 'milliseconds', expireAfter: 0 },
  });
  await app.rest('POST', '/api/collections/waiting/documents', [{ _id: 'late', at: Date.now() - HOUR }]);
  await app.open('#/collections/waiting/documents');
  await expect(page.getByText('All 1 are past their deadline')).toBeVisible();
  await page.getByRole('button', { name: 'List overdue' }).click();
  await expect(rowOf(page, 'late')).toContainText('waits: collection paused');
  await page.getByRole('button', { name: 'Overdue 1', exact: true }).click();
  await expect(rowOf(page, 'late')).toContainText('waits: collection paused');
  await rowOf(page, 'late').click();
  await expect(page.getByRole('complementary', { name: 'Document late' })).toContainText('paused');
  await app.rest('POST', '/api/reaper/resume', { collection: 'waiting' });
  await expect(page.getByText('All documents left')).toBeVisible();
});

test('a long table scrolls approximately by the thumb, and exactly by the wheel and the keys', async ({
  app,
}) => {
  const { page } = app;
  await hourly(app, 'long', 6_000);
  await app.open('#/collections/long/documents');
  await expect(rowOf(page, 'd00000')).toBeVisible();
  await grid(page).focus();
  await page.keyboard.press('End');
  await expect(rowOf(page, 'd05999')).toBeVisible();
  for (let i = 0; i < 30; i++) await page.keyboard.press('PageUp');
  await page.keyboard.press('Home');
  await expect(rowOf(page, 'd00000')).toBeVisible();

  await page.evaluate(() => {
    const scroller = document.querySelector('[role=grid]')?.parentElement?.parentElement;
    if (scroller) scroller.scrollTop = scroller.scrollHeight / 2;
  });
  const first = () =>
    page.evaluate(() => {
      const rows = [...document.querySelectorAll('[role=grid] tbody tr')];
      return rows.map(row => /d(\d{5})/.exec(row.textContent ?? '')?.[1] ?? 'unread').map(Number);
    });
  await expect.poll(async () => Math.abs((await first())[0] ?? 0) - 3_000).toBeLessThan(200);
  await expect.poll(async () => (await first()).some(Number.isNaN)).toBe(false);
  await page.mouse.wheel(0, -3_000);
  await expect
    .poll(async () => {
      const rows = await first();
      return rows.every((n, i) => i === 0 || n === (rows[i - 1] ?? 0) + 1);
    })
    .toBe(true);
});
