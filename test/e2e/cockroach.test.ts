import { expect, type Page } from '@playwright/test';
import { type CockroachServer, startCockroachServer } from '../support/cockroach-server.ts';
import { NEEDS_POSTGRES, type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { expectAccessible } from './support/accessibility.ts';
import { test } from './support/app.ts';

/** CockroachDB in the window, by a server that answers in the shapes of its documentation. */

test.skip(NEEDS_POSTGRES !== undefined, NEEDS_POSTGRES);

let postgres: PostgresServer;
let cockroach: CockroachServer;
test.beforeEach(async () => {
  postgres = await startPostgresServer();
  cockroach = await startCockroachServer(postgres.uri);
});
test.afterEach(async () => {
  await cockroach.stop();
  await postgres.stop();
});

const dialog = (page: Page) => page.getByRole('dialog');

/** Adds the connection and opens the TTL of the table `events`. */
async function openTtl(page: Page): Promise<void> {
  await dialog(page).getByRole('textbox', { name: 'File or address' }).fill(cockroach.uri);
  await dialog(page).getByRole('button', { name: 'Test' }).click();
  await expect(dialog(page).getByRole('status')).toContainText('CockroachDB 24.1.2');
  await expect(dialog(page)).toContainText('not run against a live CockroachDB server');
  await dialog(page).getByRole('button', { name: 'Add connection' }).click();
  await expect(page).toHaveURL(/#\/on\/c-[0-9a-f]+\/overview$/);
  await expect(page.getByLabel('The whole store', { exact: true })).toContainText('not removed yet');
  await page.getByRole('link', { name: 'events' }).first().click();
  await page.getByRole('link', { name: /^TTL indexes/ }).click();
  await expect(page.getByText('row_level_ttl').first()).toBeVisible();
}

test('the parameters of a row-level TTL are shown, and changed by the SQL of the review', async ({
  app: { open },
  page,
}) => {
  await open('#/connections/add');
  await openTtl(page);
  await expectAccessible(page);
  await page.getByRole('link', { name: /^Edit/ }).first().click();
  await expect(page.getByRole('textbox', { name: 'ttl_select_batch_size' })).toHaveAttribute(
    'placeholder',
    '500',
  );
  await expect(page.getByRole('checkbox', { name: 'ttl_label_metrics' })).toBeChecked();
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'ttl_select_batch_size' }).fill('100');
  await page.keyboard.press('Control+Enter');
  const statement = 'ALTER TABLE "public"."events" SET (ttl_select_batch_size = 100)';
  await expect(page.getByText(statement)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: /^Change|^Save/ }).click();
  await expect.poll(() => cockroach.changes).toEqual([statement]);
  await page.getByRole('link', { name: /^TTL indexes/ }).click();
  await page.getByRole('link', { name: /^Edit/ }).first().click();
  await expect(page.getByRole('textbox', { name: 'ttl_select_batch_size' })).toHaveValue('100');
});

test('TTL jobs are listed as passes, and the TTL of a table is paused and resumed', async ({
  app: { open },
  page,
}) => {
  await open('#/connections/add');
  await openTtl(page);
  await page.getByRole('button', { name: 'Pause' }).first().click();
  await expect
    .poll(() => cockroach.changes)
    .toEqual(['ALTER TABLE "public"."events" SET (ttl_pause = true)']);
  await page.getByRole('button', { name: 'Resume' }).first().click();
  await expect.poll(() => cockroach.changes.at(-1)).toBe('ALTER TABLE "public"."events" RESET (ttl_pause)');
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await pages.getByRole('link', { name: 'Activity' }).click();
  await page.getByRole('link', { name: /^Passes/ }).click();
  await expect(page.getByRole('row', { name: /events/ }).first()).toContainText('42');
  await page.getByRole('link', { name: 'Expired' }).click();
  await expect(page.getByRole('button', { name: 'Export as NDJSON' })).toHaveCount(0);
  await expect(page.getByText('Removals are not listed')).toBeVisible();
  await expect(page.getByText(/does not report which rows its TTL jobs delete/)).toBeVisible();
  await pages.getByRole('link', { name: 'Health' }).click();
  await expect(page.getByText(/not run against a live CockroachDB server/)).toBeVisible();
  await expectAccessible(page);
});
