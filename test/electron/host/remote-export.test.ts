import { describe, expect, it, vi } from 'vitest';
import type { Client } from '../../../shared/contract/index.ts';
import { openTestConnections } from '../../support/connections.ts';
import { NEEDS_POSTGRES, openTestSession, postgresOfSuite } from '../../support/postgres.ts';
import { NEEDS_REDIS, startRedis } from '../../support/redis.ts';
import { openTestConnection } from '../../support/redis-connection.ts';
import { runsHere } from '../../support/runs-here.ts';

const PATIENT = { timeout: 30_000, interval: 50 };
const KEYS = 450;

/** Reads every page of a collection. */
async function exported(client: Client, collection: string): Promise<string> {
  let text = '';
  let after: string | undefined;
  do {
    const page = await client.exports.read({ collection, deadlines: true, ...(after && { after }) });
    text += page.text;
    after = page.next ?? undefined;
  } while (after !== undefined);
  return text;
}

async function imported(client: Client, collection: string, text: string): Promise<void> {
  const { id } = await client.imports.start({ collection });
  await client.imports.append({ job: id, text });
  expect(await client.imports.finish({ job: id })).toMatchObject({ state: 'done', rejectedCount: 0 });
}

describe.runIf(runsHere('exports of Redis', NEEDS_REDIS))('keys of Redis', { timeout: 60_000 }, () => {
  it('are exported page by page, and an import into a store keeps value and deadline of each', async () => {
    const server = await startRedis('--notify-keyspace-events', 'KEA');
    const redis = await openTestConnection(server.uri);
    const at = Date.now() + 3_600_000;
    for (let i = 0; i < KEYS; i++) await redis.command('SET', `session:${i}`, `v${i}`, 'PXAT', at + i);
    await redis.command('HSET', 'session:hash', 'a', '1');
    const all = await openTestConnections();
    const home = all.client();
    const { id } = await home.connections.add({ name: 'cache', target: { kind: 'redis', uri: server.uri } });
    const client = all.client(id);
    await vi.waitFor(
      async () => expect(await client.collections.list()).toMatchObject([{ documents: KEYS + 1 }]),
      PATIENT,
    );
    await imported(home, 'sessions', await exported(client, 'session'));
    expect(await home.collections.get({ collection: 'sessions' })).toMatchObject({
      documents: KEYS + 1,
      withDeadline: KEYS,
    });
    const copy = await home.documents.get({ collection: 'sessions', id: 'session:7' });
    const original = await client.documents.get({ collection: 'session', id: 'session:7' });
    expect(copy).toMatchObject({ deadlineAt: at + 7, document: original.document });
    expect(await home.documents.get({ collection: 'sessions', id: 'session:hash' })).toMatchObject({
      deadlineAt: null,
    });
    const some = await client.exports.read({
      collection: 'session',
      ids: ['session:1', 'gone', 'session:2'],
    });
    expect(some.documents).toBe(2);
  });
});

describe.runIf(runsHere('exports of PostgreSQL', NEEDS_POSTGRES))(
  'rows of PostgreSQL',
  { timeout: 120_000 },
  () => {
    const server = postgresOfSuite();

    it('are exported with their columns, by which an index of the store gives the same deadlines', async () => {
      const uri = await server.database();
      const session = await openTestSession(uri);
      await session.query(`CREATE TABLE sessions (id int PRIMARY KEY, expires_at timestamptz);
      INSERT INTO sessions SELECT n, '2030-01-01T00:00:00Z'::timestamptz + n * interval '1 hour' FROM generate_series(1, 250) n`);
      const all = await openTestConnections();
      const home = all.client();
      const { id } = await home.connections.add({ name: 'orders', target: { kind: 'postgresql', uri } });
      await imported(home, 'sessions', await exported(all.client(id), 'sessions'));
      await home.ttlIndexes.create({
        collection: 'sessions',
        source: { kind: 'field', field: 'expires_at', unit: 'seconds', expireAfter: 0 },
      });
      await vi.waitFor(async () => {
        const { documents } = await home.documents.list({
          collection: 'sessions',
          sort: 'deadline',
          limit: 1,
        });
        expect(documents).toMatchObject([{ deadlineAt: Date.UTC(2030, 0, 1, 1) }]);
      }, PATIENT);
      expect(await home.collections.get({ collection: 'sessions' })).toMatchObject({ withDeadline: 250 });
    });
  },
);
