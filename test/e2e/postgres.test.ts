import { expect, type Page } from '@playwright/test';
import { NEEDS_POSTGRES, type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { connectAs } from '../support/postgres-sessions.ts';
import { expectAccessible } from './support/accessibility.ts';
import { test } from './support/app.ts';

/** PostgreSQL in the window: connected by its address, its tables and rows. */

test.skip(NEEDS_POSTGRES !== undefined, NEEDS_POSTGRES);

let postgres: PostgresServer;
test.beforeEach(async () => {
  postgres = await startPostgresServer();
});
test.afterEach(() => postgres.stop());

/** Executes statements as the application that uses the database. Returns the rows of the last one. */
async function execute(...statements: readonly string[]): Promise<Record<string, unknown>[]> {
  const session = await connectAs(postgres.uri, 'application');
  let rows: Record<string, unknown>[] = [];
  for (const statement of statements) ({ rows } = await session.query(statement));
  await session.close();
  return rows;
}

const dialog = (page: Page) => page.getByRole('dialog');

async function connect(page: Page): Promise<void> {
  await dialog(page).getByRole('textbox', { name: 'File or address' }).fill(postgres.uri);
  await dialog(page).getByRole('button', { name: 'Add connection' }).click();
  await expect(page).toHaveURL(/#\/on\/c-[0-9a-f]+\/overview$/);
}

const SESSIONS = `CREATE TABLE sessions (id bigint PRIMARY KEY, account text NOT NULL, expires_at timestamptz, data jsonb)`;
const FILL = `INSERT INTO sessions SELECT i, 'account ' || i % 50, now() + interval '1 minute' + i * interval '20 seconds',
  jsonb_build_object('tries', i % 7) FROM generate_series(1, 500) i`;

test('the tables of a PostgreSQL server are shown two clicks after its address is entered', async ({
  app: { open },
  page,
}) => {
  await execute(
    SESSIONS,
    FILL,
    'CREATE SCHEMA billing',
    'CREATE TABLE billing.invoices (id uuid PRIMARY KEY)',
  );
  await open('#/connections/add');
  await dialog(page).getByRole('textbox', { name: 'File or address' }).fill(postgres.uri);
  await dialog(page).getByRole('button', { name: 'Test' }).click();
  await expect(dialog(page).getByRole('status')).toContainText(/PostgreSQL \d+.* about 500 rows/);
  await connect(page);
  const table = page.getByRole('region', { name: 'Collections' });
  await expect(table.getByRole('row', { name: /sessions/ })).toContainText('500');
  await expect(table.getByRole('row', { name: /billing\.invoices/ })).toBeVisible();
  await expectAccessible(page);
});

test('a row is saved over the row that was edited, and not over what others wrote since', async ({
  app: { open },
  page,
}) => {
  await execute(SESSIONS, "INSERT INTO sessions VALUES (1, 'first', now() + interval '1 hour', null)");
  await open('#/connections/add');
  await connect(page);
  await page.getByRole('link', { name: 'sessions' }).first().click();
  await page.getByRole('link', { name: /^Rows/ }).click();
  await page.getByRole('row', { name: /first/ }).click();
  const text = page.getByRole('textbox', { name: /^Document, / });
  // The line of `data` is rendered, too: it is replaced.
  await expect(text).toHaveText(/"first"[\s\S]*"data": null/);
  const edited = (await text.innerText()).replace('"data": null', '"data": {"tries": 1}');
  await text.fill(edited);
  await execute("UPDATE sessions SET account = 'second'");
  const save = page.getByRole('button', { name: 'Save' });
  await save.click();
  await expect(page.getByText('The document was changed elsewhere')).toBeVisible();
  expect(await execute('SELECT account, data FROM sessions')).toEqual([{ account: 'second', data: null }]);
  await page.getByRole('button', { name: 'Show stored version' }).click();
  await expect(text).toHaveText(/"second"[\s\S]*"data": null/);
  await text.fill((await text.innerText()).replace('"data": null', '"data": {"tries": 2}'));
  await save.click();
  // The button is disabled from the click on, before the row is written.
  await expect
    .poll(() => execute('SELECT account, data FROM sessions'))
    .toEqual([{ account: 'second', data: { tries: 2 } }]);
  await expect(save).toBeDisabled();
  await expect(text).toHaveText(/"tries": 2/);
});

test('rows are listed, edited and deleted in their table', async ({ app: { open }, page }) => {
  await execute(SESSIONS, FILL);
  await open('#/connections/add');
  await connect(page);
  await page.getByRole('link', { name: 'sessions' }).first().click();
  await page.getByRole('link', { name: /^Rows/ }).click();
  await expect(page.getByRole('row', { name: /account 1/ }).first()).toBeVisible();
  await page
    .getByRole('row', { name: /account 2/ })
    .first()
    .click();
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: 'Delete 1' }).click();
  await expect.poll(async () => (await execute('SELECT count(*)::int4 AS n FROM sessions'))[0]?.n).toBe(499);
});

test('a TTL index is created once its schema is agreed to, and removes rows at their deadline', async ({
  app: { open },
  page,
}) => {
  await execute(
    SESSIONS,
    `INSERT INTO sessions SELECT i, 'account', now() + i * interval '1 day' - interval '10 days' FROM generate_series(1, 30) i`,
  );
  await open('#/connections/add');
  await connect(page);
  await page.getByRole('link', { name: 'sessions' }).first().click();
  await page.getByRole('link', { name: /^TTL indexes/ }).click();
  await expect(page.getByText('CREATE SCHEMA IF NOT EXISTS sandglass;')).toBeVisible();
  expect(await execute(`SELECT 1 FROM pg_namespace WHERE nspname = 'sandglass'`)).toEqual([]);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create the schema' }).click();
  await page.getByRole('link', { name: 'Create TTL index…' }).click();
  await expect(page.getByRole('radio', { name: 'expires_at' })).toBeChecked();
  await page.getByRole('button', { name: 'expire at the date itself' }).click();
  const effect = page.getByRole('complementary', { name: 'Exact effect' });
  await expect(effect).toContainText('10 rows expire at once');
  await expectAccessible(page);
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Create index' }).click();
  await expect.poll(async () => (await execute('SELECT count(*)::int4 AS n FROM sessions'))[0]?.n).toBe(20);
  await expect(page).toHaveURL(/\/timeline/);
});

test('the index that the scan lacks is offered, and created as a job', async ({
  app: { open, rest },
  page,
}) => {
  await execute(
    'CREATE TABLE orders (id bigint PRIMARY KEY, paid_at timestamptz)',
    `INSERT INTO orders SELECT i, now() - i * interval '1 hour' FROM generate_series(1, 2000) i`,
  );
  await open('#/connections/add');
  await connect(page);
  const on = page.url().match(/#\/on\/([^/]+)/)?.[1] ?? '';
  await rest('POST', `/api/governance?connection=${on}`, {});
  await rest('POST', `/api/collections/orders/ttl-indexes?connection=${on}`, {
    name: 'paid_at_365d',
    source: { kind: 'field', unit: 'seconds', field: 'paid_at', expireAfter: 365 * 86_400 },
  });
  await open(`#/on/${on}/collections/orders/ttl-indexes/index/paid_at_365d`);
  await expect(page.getByText('CREATE INDEX CONCURRENTLY ON "public"."orders" ("paid_at")')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create the index' }).click();
  await expect
    .poll(async () => execute(`SELECT indexdef FROM pg_indexes WHERE indexdef LIKE '%(paid_at)'`))
    .toHaveLength(1);
  await expect(page.getByText('CREATE INDEX CONCURRENTLY')).toHaveCount(0, { timeout: 5_000 });
});

test('a server that ends is reported, and used again after its restart', async ({ app: { open }, page }) => {
  await execute(SESSIONS, FILL);
  await open('#/connections/add');
  await connect(page);
  await expect(page.getByRole('row', { name: /sessions/ })).toBeVisible();
  await postgres.kill();
  const alert = page.getByRole('alert').filter({ hasText: 'cannot be reached' });
  await expect(alert).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole('row', { name: /sessions/ })).toBeVisible();
  await postgres.start();
  await expect(alert).toHaveCount(0, { timeout: 30_000 });
});
