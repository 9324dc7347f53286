import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { test } from './support/app.ts';

const documents = [
  { _id: 'one', seats: 3, plan: 'free' },
  { _id: 'two', seats: 4, plan: 'pro' },
];
const cell = (page: Page, id: string, text: string) =>
  page.getByRole('row', { name: new RegExp(`^Select ${id} `) }).getByText(text, { exact: true });

test('a double click edits a cell in place: the value keeps its type, Escape cancels, and a deadline opens the expiration form', async ({
  app,
}) => {
  const { page } = app;
  await app.fill('cells', documents);
  await app.open('#/collections/cells/documents?sort=_id');
  await cell(page, 'one', '3').dblclick();
  const seats = page.getByRole('textbox', { name: 'seats of one' });
  await expect(seats).toBeFocused();
  await seats.fill('many');
  await expect(page.getByText('Not JSON', { exact: false })).toBeVisible();
  await seats.press('Enter');
  await expect(seats).toBeVisible();
  await seats.fill('12');
  await expectAccessible(page);
  await seats.press('Enter');
  await expect(cell(page, 'one', '12')).toBeVisible();
  await expect(seats).toHaveCount(0);
  expect(await app.rest('GET', '/api/collections/cells/documents/one')).toMatchObject({
    document: { seats: 12, plan: 'free' },
  });

  await cell(page, 'two', 'pro').dblclick();
  await page.getByRole('textbox', { name: 'plan of two' }).fill('7');
  await page.keyboard.press('Escape');
  await expect(cell(page, 'two', 'pro')).toBeVisible();
  await expect(page.getByRole('grid', { name: 'Documents of cells' })).toBeFocused();

  // By keyboard alone: the arrow keys move to a cell.
  await page.keyboard.press('Home');
  for (let i = 0; i < 6; i += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('F2');
  const typed = page.getByRole('textbox', { name: 'seats of one' });
  await expect(typed).toBeFocused();
  await page.keyboard.press('Escape');

  await cell(page, 'two', 'never').first().dblclick();
  await expect(page.getByRole('dialog', { name: 'Set expiration of 1 document' })).toBeVisible();
});

test('an expiration is typed as text or picked from a calendar of 24 hours', async ({ app }) => {
  const { page } = app;
  await app.fill('instants', documents);
  await app.open('#/collections/instants/documents?sort=_id');
  await cell(page, 'one', 'never').first().dblclick();
  const form = page.getByRole('dialog', { name: 'Set expiration of 1 document' });
  await form.getByRole('radio', { name: 'At' }).click();
  const moment = form.getByRole('textbox', { name: /^Moment/ });
  await moment.fill('in 3 days');
  await expect(form.getByText('in 3 d', { exact: false }).first()).toBeVisible();
  await moment.fill('next month');
  await expect(form.getByText('is not a date', { exact: false })).toBeVisible();
  await moment.fill('2035-12-24 18:30');
  await form.getByRole('button', { name: 'Open the calendar' }).click();
  await form.getByRole('button', { name: '27 December 2035' }).click();
  await expect(moment).toHaveValue('2035-12-27 18:30:00');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Stage 1' }).click();
  await expect(page.getByText('1 staged edit.')).toBeVisible();
});
