import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';

/** A hundred sessions: a few expired long ago, some expire during the test, most do not expire. */
const OVER = 5;
const ENDING = 20;
const ENDING_EVERY_MS = 20;
const STAYING = 75;
const DAY_MS = 86_400_000;

/** The app in either host. */
interface OpenApp {
  readonly page: Page;
  /** Answers the file dialog with this file. */
  chooseFile(path: string): Promise<void>;
}

export interface Sessions {
  path: string;
  /** `startedAt` of the first session that expires, epoch ms; fifty follow each second. */
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

/** First click: opens a file. */
export async function openFile({ page, chooseFile }: OpenApp, { path }: Sessions): Promise<void> {
  await chooseFile(path);
  await page.getByRole('button', { name: /Open a file/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Import sessions.ndjson' });
  await dialog.getByRole('button', { name: 'Import' }).click();
  await expect(dialog.getByText('100 documents stored.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Open sessions' }).click();
}

/** Second and third click: the form shows its exact effect before it is confirmed. */
export async function createIndexSeeingItsEffect(page: Page, { startedAt }: Sessions): Promise<void> {
  await page.getByRole('link', { name: 'Create TTL index', exact: true }).click();
  await expect(page.getByRole('radio', { name: 'startedAt' })).toBeChecked();
  // Sets the first expiry to a moment from now, however long the steps before took.
  const life = Math.ceil((Date.now() - startedAt) / 1000) + 6;
  await page.getByRole('textbox', { name: 'Expires after' }).fill(`${life}s`);
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

/** Due documents expire at once, the others at their deadline, and documents without one stay. */
export async function watchThemLeave(page: Page): Promise<void> {
  const documents = page.getByRole('link', { name: /^Documents/ });
  await expect(documents).toContainText(`${ENDING + STAYING}`);
  await expect(page.getByRole('group', { name: /^Timeline of expirations/ })).toBeVisible();
  await expect(documents).toContainText(`${STAYING}`, { timeout: 20_000 });
  // No more than these expire.
  await expect(page.getByRole('link', { name: /^sessions/ }).first()).toContainText(`${STAYING}`);
}

/** Loads the sample data and shows its collection. */
export async function loadSampleData(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Try the sample data/ }).click();
  await expect(page.getByRole('link', { name: /^sessions/ }).first()).toBeVisible();
  await page
    .getByRole('link', { name: /^sessions/ })
    .first()
    .click();
}

/** Documents of the sample data expire within seconds. */
export async function watchSampleLeave(page: Page): Promise<void> {
  const tab = page.getByRole('link', { name: /^Documents/ });
  const count = async () => Number((await tab.innerText()).replaceAll(/\D/g, ''));
  await expect(tab).toContainText(/\d/);
  const loaded = await count();
  await expect.poll(count, { timeout: 20_000 }).toBeLessThan(loaded);
}
