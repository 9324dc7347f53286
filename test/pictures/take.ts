/** `node test/pictures/take.ts [NAME …]`: all pictures, or those whose name contains one of the words. */
import { mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from '@playwright/test';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { z } from 'zod';
import { findChromium } from '../support/chromium.mjs';
import { startCockroachServer } from '../support/cockroach-server.ts';
import { createEtcdServer } from '../support/etcd-server.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { startRedisServer } from '../support/redis-server.ts';
import { fetchFrom, type ServedHost, startServedHost } from '../support/served-host.ts';
import { COCKROACH, CONNECTED, ETCD, FIRST, PAUSED, POSTGRES, REDIS, SCENES, type Scene } from './scenes.ts';

const FOLDER = fileURLToPath(new URL('../../screenshots/', import.meta.url));
const THEMES = ['light', 'dark'] as const;
const SIZES = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];
/** Time for the page to show its answers and end its animations, ms. */
const SETTLED_MS = 1_200;
/** Time for documents to expire and for the charts to have points, ms. */
const LIVED_MS = 20_000;
const HOUR = 3_600_000;

const words = process.argv.slice(2);
const wanted = ({ name }: Scene) => words.length === 0 || words.some(word => name.includes(word));

/** Returns the id in the answer, if it has one. */
async function post(host: ServedHost, path: string, body?: unknown): Promise<string> {
  const answer = await fetchFrom(host, 'POST', path, body === undefined ? undefined : JSON.stringify(body), {
    ...(body !== undefined && { 'content-type': 'application/json' }),
  });
  if (answer.status >= 400) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  const { id } = z.object({ id: z.string().default('') }).parse(JSON.parse(answer.text || '{}'));
  return id;
}

const lived = () => new Promise(resolve => setTimeout(resolve, LIVED_MS));

/** Returns the same data each time, relative to the present hour. */
async function fill(host: ServedHost): Promise<void> {
  await post(host, '/api/sample-data');
  await post(host, '/api/collections', { name: 'audit_log' });
  const now = Date.now();
  const entries = Array.from({ length: 5_000 }, (_, i) => ({
    _id: `entry-${String(i).padStart(5, '0')}`,
    actor: `user_${(i * 37) % 211}`,
    action: ['login', 'export', 'role changed', 'password reset'][i % 4],
    at: new Date(now - i * HOUR).toISOString(),
  }));
  for (let i = 0; i < entries.length; i += 1_000) {
    await post(host, '/api/collections/audit_log/documents', entries.slice(i, i + 1_000));
  }
}

async function connect(host: ServedHost): Promise<void> {
  const stores = [
    { name: 'orders', environment: 'production' },
    { name: 'cache-eu', environment: 'development' },
    { name: 'sessions of the web shop, the copy that the nightly job makes', environment: 'development' },
  ];
  for (const [nth, store] of stores.entries()) {
    const target = { kind: 'file', file: `store-${nth}.sandglass` };
    await post(host, '/api/connections', { ...store, target });
  }
  // Closed: no server of this name is reached.
  const server = { kind: 'redis', uri: 'redis://127.0.0.1:6379/0' };
  await post(host, '/api/connections', { name: 'cache.internal', target: server, closed: true });
}

type OnServer = (scenes: readonly Scene[]) => readonly Scene[];

/** Adds a connection, waits until it has lived for a while, and returns its scenes with their address. */
async function connectServer(
  kind: 'redis' | 'postgresql' | 'etcd',
  name: string,
  uri: string,
  collections: object = {},
): Promise<OnServer> {
  const id = await post(host, '/api/connections', { name, target: { kind, uri } });
  // The store differs from this policy.
  const expected = JSON.stringify({ policy: { version: 1, collections } });
  await fetchFrom(host, 'PUT', `/api/policy/expected?connection=${id}`, expected, {
    'content-type': 'application/json',
  });
  await lived();
  return scenes => scenes.map(scene => ({ ...scene, at: `#/on/${id}/${scene.at}` }));
}

async function withRedis(act: (on: OnServer) => Promise<number>): Promise<number> {
  const server = await startRedisServer('--notify-keyspace-events', 'KEA');
  const client = new Redis(server.uri);
  try {
    await client.eval(REDIS_KEYS, 0);
    const on = await connectServer('redis', 'cache-eu', server.uri, {
      'sess*': { ttl: { required: true, longest: '2h' } },
      user: { ttl: { required: true, longest: '30d' } },
      otp: { ttlIndexes: {} },
    });
    return await act(on);
  } finally {
    client.disconnect();
    await server.stop();
  }
}

/** Keys of six prefixes. Those of a lock expire within a minute, and some have no TTL. */
const REDIS_KEYS = `math.randomseed(7)
  local function set(name, count, least, span)
    for i = 1, count do
      redis.call('SET', name .. ':' .. string.format('%x', 268435456 + i * 7919), string.rep('v', 40 + i % 200), 'PX', least + math.random(span))
    end
  end
  set('session', 24000, 20000, 86400000)
  set('cache:page', 9000, 5000, 3600000)
  set('otp', 600, 1000, 300000)
  set('lock', 240, 15000, 60000)
  set('a-prefix-with-a-name-that-is-longer-than-any-column', 40, 60000, 3600000)
  for i = 1, 1200 do redis.call('HSET', 'user:' .. i, 'name', 'ada', 'visits', i) end`;

async function withEtcd(act: (on: OnServer) => Promise<number>): Promise<number> {
  const { server, stop } = await createEtcdServer();
  const call = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const origin = server.uri.replace('etcd:', 'http:');
    return (await fetch(`${origin}/v3/${path}`, { method: 'POST', body: JSON.stringify(body) })).json();
  };
  const put = (key: string, lease: unknown) => {
    const encoded = {
      key: Buffer.from(key).toString('base64'),
      value: Buffer.from('{"n":1}').toString('base64'),
    };
    return call('kv/put', { ...encoded, lease: String(lease) });
  };
  try {
    await server.start();
    for (let n = 0; n < 24; n++) {
      const { ID } = await call('lease/grant', { TTL: String(300 + n * 240) });
      for (let key = 0; key <= n % 9; key++) await put(`sessions/${n}-${key}`, ID);
      if (n % 6 === 0) await put(`jobs/held by worker ${n} of the nightly import`, ID);
    }
    for (const flag of ['colour', 'size', 'beta']) await put(`flags/${flag}`, 0);
    const on = await connectServer('etcd', 'cluster', server.uri);
    return await act(on);
  } finally {
    await stop();
  }
}

async function withPostgres(act: (on: OnServer) => Promise<number>): Promise<number> {
  const server = await startPostgresServer();
  const client = new Client({ connectionString: server.uri });
  try {
    await client.connect();
    await client.query(POSTGRES_TABLES);
    const on = await connectServer('postgresql', 'shop', server.uri, {
      sessions: {
        ttlIndexes: { by_column: { source: { kind: 'field', field: 'expires_at', expireAfter: 0 } } },
      },
      invoices: { ttlIndexes: {} },
    });
    const [{ at = '' } = {}] = on([{ name: '', at: '' }]);
    const [, , id = ''] = at.split('/');
    const define = (collection: string, body: object) =>
      post(host, `/api/collections/${collection}/ttl-indexes?connection=${id}`, body);
    await post(host, `/api/governance?connection=${id}`, {});
    const field = { kind: 'field', unit: 'seconds' };
    await define('sessions', {
      name: 'expires_at',
      source: { ...field, field: 'expires_at', expireAfter: 0 },
      retention: 86_400,
    });
    await define('orders', {
      name: 'paid_at_365d',
      source: { ...field, field: 'paid_at', expireAfter: 365 * 86_400 },
    });
    await lived();
    return await act(on);
  } finally {
    await client.end();
    await server.stop();
  }
}

const POSTGRES_TABLES = `CREATE TABLE sessions (id bigint PRIMARY KEY, user_name text, expires_at timestamptz);
  INSERT INTO sessions SELECT n, 'user_' || n % 900, now() + (n % 1440) * interval '1 minute' FROM generate_series(1, 40000) n;
  CREATE INDEX ON sessions (expires_at);
  CREATE TABLE "audit log of the web shop, with a long name" (at timestamptz, text text);
  CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), paid_at timestamptz, total numeric(30, 10));
  INSERT INTO orders (paid_at, total) SELECT now() - n * interval '1 hour', 12345678901234567890.12 FROM generate_series(1, 2000) n;
  ANALYZE`;

async function withCockroach(act: (on: OnServer) => Promise<number>): Promise<number> {
  const database = await startPostgresServer();
  const server = await startCockroachServer(database.uri);
  try {
    return await act(await connectServer('postgresql', 'crdb', server.uri));
  } finally {
    await server.stop();
    await database.stop();
  }
}

async function take(browser: Browser, host: ServedHost, scenes: readonly Scene[]): Promise<number> {
  let taken = 0;
  for (const colorScheme of THEMES) {
    for (const viewport of SIZES) {
      for (const { name, at, act } of scenes.filter(wanted)) {
        // A new window: staged edits and open dialogs of one picture do not appear in the next.
        const context = await browser.newContext({ colorScheme, viewport, reducedMotion: 'reduce' });
        await context.addInitScript(() => localStorage.setItem('sandglass.tour', 'seen'));
        const page = await context.newPage();
        await page.goto(host.link);
        await page.getByRole('main').waitFor();
        await page.evaluate(to => {
          location.hash = to;
        }, at);
        await page.waitForTimeout(SETTLED_MS);
        try {
          await act?.(page);
        } catch (error) {
          // The picture shows where the steps ended; the other scenes are taken all the same.
          console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
          process.exitCode = 1;
        }
        await page.waitForTimeout(SETTLED_MS / 2);
        await page.screenshot({ path: `${FOLDER}${name}-${colorScheme}-${viewport.width}.png` });
        taken += 1;
        await context.close();
      }
    }
  }
  return taken;
}

const executablePath = findChromium();
if (words.length === 0) await rm(FOLDER, { recursive: true, force: true });
await mkdir(FOLDER, { recursive: true });
const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
const host = await startServedHost({ run: 'build' });
let taken = 0;
if (FIRST.some(wanted)) taken += await take(browser, host, FIRST);
if ([...SCENES, ...PAUSED, ...CONNECTED].some(wanted)) {
  await fill(host);
  await lived();
  taken += await take(browser, host, SCENES);
  await post(host, '/api/reaper/pause', {});
  await lived();
  taken += await take(browser, host, PAUSED);
  await post(host, '/api/reaper/resume', {});
  await connect(host);
  taken += await take(browser, host, CONNECTED);
}
if (REDIS.some(wanted)) taken += await withRedis(on => take(browser, host, on(REDIS)));
if (ETCD.some(wanted)) taken += await withEtcd(on => take(browser, host, on(ETCD)));
if (POSTGRES.some(wanted)) taken += await withPostgres(on => take(browser, host, on(POSTGRES)));
if (COCKROACH.some(wanted)) taken += await withCockroach(on => take(browser, host, on(COCKROACH)));
await browser.close();
await host.stop();
console.log(`${taken} pictures in ${FOLDER}`);
