import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { NEEDS_POSTGRES, type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { connectAs } from '../support/postgres-sessions.ts';
import { NEEDS_REDIS, type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { expectAccessible } from './support/accessibility.ts';
import { test } from './support/app.ts';

/** Settings → Policy: one file for a Redis and a PostgreSQL server, compared, looked at and applied. */

test.skip((NEEDS_REDIS ?? NEEDS_POSTGRES) !== undefined, NEEDS_REDIS ?? NEEDS_POSTGRES ?? '');

let redis: RedisServer;
let postgres: PostgresServer;
test.beforeAll(async () => {
  redis = await startRedisServer('--notify-keyspace-events', 'KEA');
  postgres = await startPostgresServer();
});
test.afterAll(async () => {
  await redis.stop();
  await postgres.stop();
});

const POLICY = `version: 1
connections:
  cache:
    collections:
      session: { ttl: { required: true, longest: 2h } }
      config: { ttlIndexes: {} }
  shop:
    collections:
      sessions:
        ttlIndexes:
          by_column: { source: { kind: field, field: expires_at, expireAfter: 0 } }
      nowhere: { ttlIndexes: {} }
`;

async function add(page: Page, name: string, uri: string): Promise<string> {
  await page.evaluate(() => {
    location.hash = '#/connections/add';
  });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'File or address' }).fill(uri);
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await dialog.getByRole('button', { name: 'Add connection' }).click();
  await expect(page).toHaveURL(/#\/on\/c-[0-9a-f]+\/overview$/);
  return /#\/on\/(c-[0-9a-f]+)\//.exec(page.url())?.[1] ?? '';
}

test('the differences of a policy file on two servers are listed, and applied', async ({
  app: { open, folder, chooseFile },
  page,
}) => {
  test.slow();
  const session = await connectAs(postgres.uri, 'application');
  await session.query(`CREATE TABLE sessions (id int PRIMARY KEY, expires_at timestamptz);
    INSERT INTO sessions SELECT n, now() + (n % 4 - 1) * interval '1 hour' + interval '30 minutes'
      FROM generate_series(1, 400) n; ANALYZE`);
  const file = join(folder, 'expiration.policy.yaml');
  writeFileSync(file, POLICY);
  const differences = page.getByRole('region', { name: 'List of differences' });
  const openPolicy = async (id: string) => {
    await open(`#/on/${id}/settings/policy`);
    const opening = chooseFile(file);
    await page.getByRole('button', { name: 'Open a policy file…' }).click();
    await opening;
    await expect(differences).toBeVisible();
  };
  const look = async (name: string) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
      await page.screenshot({ path: test.info().outputPath(`${name}-${colorScheme}.png`) });
    }
  };

  const cache = await add(page, 'cache', redis.uri);
  await expect(page.getByRole('banner').getByText(/^Redis 7/)).toBeVisible();
  const { Redis } = await import('ioredis');
  const application = new Redis(redis.uri);
  for (let i = 0; i < 20; i++) await application.set(`session:${i}`, 'v', 'EX', 3_600);
  for (let i = 20; i < 25; i++) await application.set(`session:${i}`, 'v');
  for (let i = 25; i < 32; i++) await application.set(`session:${i}`, 'v', 'EX', 900_000);
  await application.set('config:a', 'v');
  await openPolicy(cache);
  await expect(differences).toContainText('5 of 32 keys of session have no TTL.');
  await expect(differences).toContainText('7 of 32 keys of session expire later than 2h from now.');
  await expect(differences).toContainText('Redis has one TTL per key');
  await look('policy-redis');
  await page.getByRole('button', { name: 'Apply…' }).click();
  await expect(page.getByText('12 keys given a TTL').first()).toBeVisible({ timeout: 20_000 });
  expect(await application.ttl('session:20')).toBeGreaterThan(3_500);
  application.disconnect();

  const shop = await add(page, 'shop', postgres.uri);
  await openPolicy(shop);
  await expect(differences).toContainText('sessions has no TTL index by_column');
  await expect(differences).toContainText('Applying makes 100 due.');
  await look('policy-postgres');
  // Without the schema of TTL indexes nothing begins, and the window says what is missing.
  await page.getByRole('button', { name: 'Apply…' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'schema named sandglass' })).toBeVisible();
  await look('policy-postgres-without-schema');
  await open(`#/on/${shop}/collections/sessions/ttl-indexes`);
  await page.getByRole('button', { name: /Create the schema/ }).click();
  await expect(page.getByRole('button', { name: /Create the schema/ })).toHaveCount(0);
  await openPolicy(shop);
  await page.getByRole('button', { name: 'Apply…' }).click();
  const question = page.getByRole('dialog', { name: /become due/ });
  if (await question.isVisible()) await question.getByRole('button', { name: 'Apply' }).click();
  await expect
    .poll(async () => (await session.query('SELECT count(*)::int AS n FROM sessions')).rows[0], {
      timeout: 30_000,
    })
    .toEqual({ n: 300 });
  await session.close();
});
