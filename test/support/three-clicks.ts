import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';

/** A hundred sessions: a few long over, some that end while someone watches, most that stay. */
const OVER = 5;
const ENDING = 20;
const ENDING_EVERY_MS = 20;
const STAYING = 75;
const DAY_MS = 86_400_000;

/** The app in front of a person, whatever hosts it. */
interface OpenApp {
  readonly page: Page;
  /** The person chooses this file wherever a dialog asks for one. */
  chooseFile(path: string): Promise<void>;
}

export interface Sessions {
  path: string;
  /** When the first of those that end started; the others follow, fifty a second. */
  startedAt: number;
}

export async function writeSessions(folder: string): Promise<Sessions> {
  const startedAt = Date.now();
  const session = (at: number, index: number) =>
    `${JSON.stringify({ _id: `session-${index}`, startedAt: new Date(at).toISOString() })}\n`;
  const starts = [
    ...Array.from({ length: OVER }, () => startedAt - 2 * DAY_MS),
    ...Array.from({ length: ENDING }, (_, index) => startedAt + index * ENDING_EVERY_MS),
    ...Array.from({ length: STAYING }, () => startedAt + DAY_MS),
  ];
  const path = join(folder, 'sessions.ndjson');
  await writeFile(path, starts.map(session).join(''));
  return { path, startedAt };
}

/** First click: a file. */
export async function openFile({ page, chooseFile }: OpenApp, { path }: Sessions): Promise<void> {
  await chooseFile(path);
  await page.getByRole('button', { name: /Open a file/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Import sessions.ndjson' });
  await dialog.getByRole('button', { name: 'Import' }).click();
  await expect(dialog.getByText('100 documents stored.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Open sessions' }).click();
}

/** Second and third click: what would happen is counted exactly, beside the form, before it is confirmed. */
export async function createIndexSeeingItsEffect(page: Page, { startedAt }: Sessions): Promise<void> {
  await page.getByRole('link', { name: 'Create TTL index', exact: true }).click();
  await expect(page.getByRole('radio', { name: 'startedAt' })).toBeChecked();
  // So that the first of them ends in a moment, however long it took to come here.
  const life = Math.ceil((Date.now() - startedAt) / 1000) + 6;
  await page.getByRole('textbox', { name: 'Lives for' }).fill(`${life}s`);
  const effect = page.getByRole('complementary', { name: 'Exact effect' });
  const counted = (when: RegExp, documents: number) =>
    expect(
      effect.getByRole('row', { name: when }).getByRole('cell', { name: `${documents}`, exact: true }),
    ).toBeVisible();
  await counted(/^At once/, OVER);
  await counted(/^Next hour/, ENDING);
  await counted(/^Never/, 0);
  await page.getByRole('button', { name: /^Review/ }).click();
  await expect(page.getByRole('table', { name: 'sessions before and after' })).toContainText('95');
  await page.getByRole('button', { name: /^Create index/ }).click();
}

/** What is due leaves at once, the rest in its time, and what is not due stays. */
export async function watchThemLeave(page: Page): Promise<void> {
  const documents = page.getByRole('link', { name: /^Documents/ });
  await expect(documents).toContainText(`${ENDING + STAYING}`);
  await expect(page.getByRole('group', { name: /^Timeline of expirations/ })).toBeVisible();
  await expect(documents).toContainText(`${STAYING}`, { timeout: 20_000 });
  // And no further.
  await expect(page.getByRole('link', { name: /^sessions/ }).first()).toContainText(`${STAYING}`);
}

/** The other beginning: sample data, shown where it was put. */
export async function loadSampleData(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Try the sample data/ }).click();
  await expect(page.getByRole('link', { name: /^sessions/ }).first()).toBeVisible();
  await page
    .getByRole('link', { name: /^sessions/ })
    .first()
    .click();
}

/** Documents of the sample data leave within seconds. */
export async function watchSampleLeave(page: Page): Promise<void> {
  const tab = page.getByRole('link', { name: /^Documents/ });
  const count = async () => Number((await tab.innerText()).replaceAll(/\D/g, ''));
  await expect(tab).toContainText(/\d/);
  const loaded = await count();
  await expect.poll(count, { timeout: 20_000 }).toBeLessThan(loaded);
}
