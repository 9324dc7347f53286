import { describe, expect, it, vi } from 'vitest';
import type { ServerTarget } from '../../../../shared/contract/connections.ts';
import type { Client } from '../../../../shared/contract/index.ts';
import type { Job } from '../../../../shared/contract/jobs.ts';
import { openTestConnections, type TestConnections } from '../../../support/connections.ts';
import { openTestEtcd } from '../../../support/etcd-client.ts';
import { etcdOfSuite, NEEDS_ETCD } from '../../../support/etcd-server.ts';
import { NEEDS_POSTGRES, openTestSession, postgresOfSuite } from '../../../support/postgres.ts';
import { NEEDS_REDIS, redisOfSuite } from '../../../support/redis.ts';
import { openTestConnection } from '../../../support/redis-connection.ts';
import { runsHere } from '../../../support/runs-here.ts';

/** Steps that take milliseconds take seconds on a loaded machine. */
const SOON = { timeout: 30_000, interval: 50 };
const HOUR_MS = 3_600_000;

async function connect(all: TestConnections, name: string, target: ServerTarget): Promise<Client> {
  const { id } = await all.client().connections.add({ name, target });
  const client = all.client(id);
  if (target.kind !== 'postgresql')
    await vi.waitFor(
      async () => expect((await client.store.info()).remote?.mirror?.is).not.toMatch(/scanning|stale/),
      SOON,
    );
  return client;
}

async function exported(client: Client, collection: string): Promise<string> {
  return (await client.exports.read({ collection, deadlines: true })).text;
}

async function imported(
  client: Client,
  collection: string,
  text: string,
  options: { mode?: 'insert' | 'upsert'; deadlines?: 'absolute' | 'none' } = {},
): Promise<Job> {
  const { id: job } = await client.imports.start({ collection, ...options });
  await client.imports.append({ job, text });
  return client.imports.finish({ job });
}

const deadlines = async (client: Client, collection: string) =>
  Object.fromEntries(
    (await client.documents.list({ collection, sort: '_id' })).documents.map(({ _id, deadlineAt }) => [
      _id,
      deadlineAt,
    ]),
  );

const missing = NEEDS_REDIS ?? NEEDS_ETCD ?? NEEDS_POSTGRES;

describe.runIf(runsHere('imports between engines', missing))('an import', { timeout: 90_000 }, () => {
  const redis = redisOfSuite('--notify-keyspace-events', 'KEA');
  const etcd = etcdOfSuite();
  const postgres = postgresOfSuite();

  it('carries keys of every type from Redis into a store, and from there into etcd, with their deadlines', async () => {
    const application = await openTestConnection(redis.uri);
    const at = Date.now() + HOUR_MS;
    for (const command of [
      ['SET', 'trip:text', 'text of ß', 'PXAT', String(at)],
      ['SET', 'trip:json', '{"b":1,"a":[]}'],
      ['HSET', 'trip:hash', 'name', 'ada', 'visits', '7'],
      ['RPUSH', 'trip:list', 'one', 'two'],
      ['ZADD', 'trip:zset', '1.5', 'a'],
      ['XADD', 'trip:stream', '5-1', 'field', 'value'],
      ['PEXPIREAT', 'trip:hash', String(at + 1_234)],
    ])
      await application.command(command[0] ?? '', ...command.slice(1));
    const all = await openTestConnections();
    const home = all.client();
    const cache = await connect(all, 'cache', { kind: 'redis', uri: redis.uri });
    const text = await exported(cache, 'trip');
    expect(await imported(home, 'trip', text)).toMatchObject({ inserted: 6, rejectedCount: 0 });
    expect(await deadlines(home, 'trip')).toMatchObject({ 'trip:text': at, 'trip:hash': at + 1_234 });

    const cluster = await connect(all, 'cluster', { kind: 'etcd', uri: etcd.uri });
    expect(await imported(cluster, 'trip', await exported(home, 'trip'))).toMatchObject({ inserted: 6 });
    const inEtcd = await deadlines(cluster, 'trip');
    expect(Object.keys(inEtcd)).toEqual(
      ['hash', 'json', 'list', 'stream', 'text', 'zset'].map(name => `trip/trip:${name}`),
    );
    expect(inEtcd['trip/trip:json']).toBeNull();
    for (const [id, former] of [
      ['trip/trip:text', at],
      ['trip/trip:hash', at + 1_234],
    ] as const)
      expect(Math.abs((inEtcd[id] ?? 0) - former)).toBeLessThan(3_000);
    const client = openTestEtcd(etcd.uri);
    expect((await client.get('trip/trip:text'))?.value).toBe('text of ß');
    expect((await client.get('trip/trip:json'))?.value).toBe('{"b":1,"a":[]}');
    expect((await client.get('trip/trip:hash'))?.value).toBe('{"name":"ada","visits":"7"}');

    // Back into the Redis server, in which every key has another value by now.
    for (const name of ['text', 'json', 'hash', 'list', 'zset', 'stream'])
      await application.command('SET', `trip:${name}`, 'other');
    expect(await imported(cache, 'trip', await exported(home, 'trip'))).toMatchObject({ updated: 6 });
    const types = await Promise.all(
      ['text', 'json', 'hash', 'list', 'zset', 'stream'].map(name =>
        application.command('TYPE', `trip:${name}`),
      ),
    );
    expect(types.map(String)).toEqual(['string', 'string', 'hash', 'list', 'zset', 'stream']);
    expect(await application.command('PEXPIRETIME', 'trip:text')).toBe(at);
    expect(await application.command('PEXPIRETIME', 'trip:hash')).toBe(at + 1_234);
    expect(await application.command('PEXPIRETIME', 'trip:json')).toBe(-1);
  });

  it('stores a document as its JSON text in Redis and etcd, refuses existing keys by name, and writes nothing that is due', async () => {
    const all = await openTestConnections();
    const home = all.client();
    const at = Date.now() + HOUR_MS;
    await home.collections.create({ name: 'cart' });
    await home.documents.write({
      params: { collection: 'cart' },
      body: [
        { _id: 'a', items: [1, 2], total: 9007199254740993n },
        { _id: 'b', items: [], at: at / 1_000 },
      ],
    });
    await home.ttlIndexes.create({
      collection: 'cart',
      source: { kind: 'field', field: 'at', unit: 'seconds', expireAfter: 0 },
    });
    await home.documents.setExpiration({ params: { collection: 'cart', id: 'a' }, body: { at } });
    const text = await exported(home, 'cart');
    const past = `{"_id":"late","$expiration":{"deadlineAt":5,"deadlineFrom":"explicit","exportedAt":4,"explicit":{"at":5}}}\n`;
    const bad = '[1]\n{"items":1}\n';
    const cache = await connect(all, 'cache', { kind: 'redis', uri: redis.uri });
    const first = await imported(cache, 'cart', text + past + bad);
    expect(first).toMatchObject({ inserted: 2, expiredOnArrival: 1, rejectedCount: 2 });
    expect(first.rejected?.map(({ line }) => line)).toEqual([4, 5]);
    const application = await openTestConnection(redis.uri);
    expect(String(await application.command('GET', 'cart:a'))).toBe(
      '{"items":[1,2],"total":9007199254740993}',
    );
    // A deadline from an index of the store is a deadline of the key, which has no index.
    expect(await deadlines(cache, 'cart')).toEqual({ 'cart:a': at, 'cart:b': at });
    const again = await imported(cache, 'cart', text, { mode: 'insert' });
    expect(again).toMatchObject({ inserted: 0, rejectedCount: 2 });
    expect(again.rejected?.[0]).toMatchObject({ code: 'DOCUMENT_EXISTS', _id: 'cart:a' });
    expect(await application.command('EXISTS', 'cart:late')).toBe(0);
  });

  it('writes documents as rows of an existing table, names what is no column, and keeps their deadlines', async () => {
    const uri = await postgres.database();
    const session = await openTestSession(uri);
    await session.query(
      `CREATE TABLE sessions (id int PRIMARY KEY, name text NOT NULL, expires_at timestamptz, twice int GENERATED ALWAYS AS (id * 2) STORED)`,
    );
    const all = await openTestConnections();
    const home = all.client();
    const at = Date.now() + HOUR_MS;
    await home.collections.create({ name: 'sessions' });
    await home.documents.write({
      params: { collection: 'sessions' },
      body: [
        { _id: '1', name: 'by column', expires_at: new Date(at).toISOString() },
        { _id: '2', name: 'by hand' },
        { _id: '3', name: 'other members', age: 4, tags: [] },
        { _id: 'x', name: 'no key' },
        { _id: '5' },
      ],
    });
    await home.ttlIndexes.create({
      collection: 'sessions',
      source: { kind: 'field', field: 'expires_at', unit: 'seconds', expireAfter: 0 },
    });
    await home.documents.setExpiration({
      params: { collection: 'sessions', id: '2' },
      body: { at: at + 500 },
    });
    const text = await exported(home, 'sessions');

    const database = await connect(all, 'database', { kind: 'postgresql', uri });
    const early = await imported(database, 'sessions', text);
    expect(early.rejected?.find(({ _id }) => _id === '2')?.message).toContain('schema sandglass');
    await database.governance.createSchema();
    await database.ttlIndexes.create({
      collection: 'sessions',
      source: { kind: 'field', field: 'expires_at', unit: 'seconds', expireAfter: 0 },
    });
    const job = await imported(database, 'sessions', text);
    expect(job).toMatchObject({ inserted: 1, updated: 1, rejectedCount: 3 });
    expect(Object.fromEntries(job.rejected?.map(({ _id, message }) => [_id, message]) ?? [])).toEqual({
      3: expect.stringContaining('no column age, tags'),
      x: expect.stringContaining('A value does not fit its column'),
      5: expect.stringContaining('A constraint of the database refuses this'),
    });
    const { rows } = await session.query<{ id: number; twice: number }>(
      'SELECT id, twice FROM sessions ORDER BY id',
    );
    expect(rows).toEqual([
      { id: 1, twice: 2 },
      { id: 2, twice: 4 },
    ]);
    expect(await deadlines(database, 'sessions')).toEqual({ 1: at, 2: at + 500 });
    await expect(database.imports.start({ collection: 'nowhere' })).rejects.toMatchObject({
      code: 'COLLECTION_NOT_FOUND',
    });
    // The server computes one column; its value in the export of the table is left out.
    expect(await imported(database, 'sessions', await exported(database, 'sessions'))).toMatchObject({
      updated: 2,
      rejectedCount: 0,
    });
  });

  it('leaves out a row whose exported deadline has passed, where a TTL index would remove it', async () => {
    const uri = await postgres.database();
    const session = await openTestSession(uri);
    for (const name of ['governed', 'plain'])
      await session.query(`CREATE TABLE ${name} (id int PRIMARY KEY, expires_at timestamptz)`);
    const all = await openTestConnections();
    const shop = await connect(all, 'shop', { kind: 'postgresql', uri });
    await shop.governance.createSchema();
    await shop.reaper.pause();
    await shop.ttlIndexes.create({
      collection: 'governed',
      source: { kind: 'field', field: 'expires_at', unit: 'seconds', expireAfter: 0 },
    });
    const now = Date.now();
    const line = (id: number, deadlineAt: number) =>
      `${JSON.stringify({
        _id: String(id),
        id,
        expires_at: new Date(deadlineAt).toISOString(),
        $expiration: { deadlineAt, deadlineFrom: 'expires_at', exportedAt: now - 2 * HOUR_MS },
      })}\n`;
    const text = line(1, now - HOUR_MS) + line(2, now + HOUR_MS);
    expect(await imported(shop, 'governed', text, { deadlines: 'absolute' })).toMatchObject({
      inserted: 1,
      expiredOnArrival: 1,
    });
    expect(await imported(shop, 'plain', text, { deadlines: 'absolute' })).toMatchObject({
      inserted: 2,
      expiredOnArrival: 0,
    });
    const { rows } = await session.query('SELECT id FROM governed');
    expect(rows).toEqual([{ id: 2 }]);
  });
});
