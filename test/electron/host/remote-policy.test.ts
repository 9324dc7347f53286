import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Client } from '../../../shared/contract/index.ts';
import { policyDocument as policySchema } from '../../../shared/contract/policy.ts';
import { openTestConnections } from '../../support/connections.ts';
import { NEEDS_POSTGRES, openTestSession, postgresOfSuite } from '../../support/postgres.ts';
import { NEEDS_REDIS, startRedis } from '../../support/redis.ts';
import { openTestConnection } from '../../support/redis-connection.ts';
import { runsHere } from '../../support/runs-here.ts';

const PATIENT = { timeout: 30_000, interval: 50 };
const policyOf = (collections: object) => policySchema.parse({ version: 1, collections });

/** Resolves with the job when it has ended. */
async function ended(client: Client, id: string) {
  return vi.waitFor(async () => {
    const job = await client.jobs.get({ job: id });
    expect(job.state).not.toBe('running');
    return job;
  }, PATIENT);
}

async function complete(client: Client): Promise<void> {
  await vi.waitFor(async () => {
    const { incomplete } = await client.policy.diff({ policy: policyOf({}) });
    expect(incomplete).toBeNull();
  }, PATIENT);
}

describe.runIf(runsHere('policies of Redis', NEEDS_REDIS))(
  'the policy of keys of Redis',
  { timeout: 120_000 },
  () => {
    it('lists the keys that break it with exact counts, and gives them a TTL as a job', async () => {
      const server = await startRedis('--notify-keyspace-events', 'KEA');
      const redis = await openTestConnection(server.uri);
      for (let i = 0; i < 20; i++) await redis.command('SET', `session:${i}`, 'v', 'EX', 3_600);
      for (let i = 20; i < 25; i++) await redis.command('SET', `session:${i}`, 'v');
      for (let i = 25; i < 32; i++) await redis.command('SET', `session:${i}`, 'v', 'EX', 900_000);
      await redis.command('SET', 'config:a', 'v');
      const all = await openTestConnections();
      const { id } = await all
        .client()
        .connections.add({ name: 'cache', target: { kind: 'redis', uri: server.uri } });
      const client = all.client(id);
      await complete(client);
      const policy = policyOf({ 'sess*': { ttl: { required: true, longest: '2h' } } });
      const { drift, effect } = await client.policy.diff({ policy });
      expect(drift).toMatchObject([
        { collection: 'session', is: 'keys without TTL', documents: 5, due: 5, obstacle: null },
        { collection: 'session', is: 'TTL too long', documents: 7, due: 7, obstacle: null },
      ]);
      expect(drift.map(({ sentence }) => sentence)).toEqual([
        '5 of 32 keys of session have no TTL.',
        '7 of 32 keys of session expire later than 2h from now.',
      ]);
      expect(effect).toMatchObject({ due: 12, documents: 32 });
      const started = await client.policy.apply({ policy });
      expect(await ended(client, started.id)).toMatchObject({
        state: 'done',
        total: 12,
        succeeded: 12,
        result: '12 keys given a TTL',
      });
      expect(await client.policy.diff({ policy })).toMatchObject({ driftCount: 0 });
      for (const key of ['session:0', 'session:20', 'session:31'])
        expect(Number(await redis.command('TTL', key))).toBeGreaterThan(3_500);
      expect(Number(await redis.command('TTL', 'session:31'))).toBeLessThanOrEqual(7_200);
      expect(Number(await redis.command('TTL', 'config:a'))).toBe(-1);
      // A key that breaks the kept policy later is a difference again.
      await redis.command('SET', 'session:new', 'v');
      await vi.waitFor(
        async () => expect(await client.policy.diff()).toMatchObject({ driftCount: 1 }),
        PATIENT,
      );
      const kept = join(all.folder, 'home.sandglass-connections.d', `${id}.sqlite-policy`);
      expect(existsSync(kept)).toBe(true);
      await all.client().connections.remove({ id });
      expect(existsSync(kept)).toBe(false);
    });

    it('is undone where the deadlines are still those of the job', async () => {
      const server = await startRedis('--notify-keyspace-events', 'KEA');
      const redis = await openTestConnection(server.uri);
      for (const [key, seconds] of [
        ['session:long', 900_000],
        ['session:moved', 900_000],
      ] as const)
        await redis.command('SET', key, 'v', 'EX', seconds);
      await redis.command('SET', 'session:never', 'v');
      const all = await openTestConnections();
      const { id } = await all
        .client()
        .connections.add({ name: 'cache', target: { kind: 'redis', uri: server.uri } });
      const client = all.client(id);
      await complete(client);
      const policy = policyOf({ session: { ttl: { required: true, longest: '2h' } } });
      const applied = await ended(client, (await client.policy.apply({ policy, expect: { due: 3 } })).id);
      expect(applied).toMatchObject({ state: 'done', succeeded: 3, undoable: 3 });
      await redis.command('EXPIRE', 'session:moved', 60);
      const undone = await ended(client, (await client.jobs.undo({ job: applied.id })).id);
      expect(undone).toMatchObject({
        kind: 'undo expiration',
        subject: '3 keys',
        succeeded: 2,
        failedCount: 1,
      });
      expect(Number(await redis.command('TTL', 'session:long'))).toBeGreaterThan(890_000);
      expect(Number(await redis.command('TTL', 'session:never'))).toBe(-1);
      expect(Number(await redis.command('TTL', 'session:moved'))).toBeLessThanOrEqual(60);
    });

    it('is proposed from the present keys, which follow it', async () => {
      const server = await startRedis('--notify-keyspace-events', 'KEA');
      const redis = await openTestConnection(server.uri);
      for (let i = 0; i < 9; i++) await redis.command('SET', `session:${i}`, 'v', 'EX', 5_000 + i);
      await redis.command('SET', 'mixed:a', 'v', 'EX', 100_000);
      await redis.command('SET', 'mixed:b', 'v');
      await redis.command('SET', 'config:a', 'v');
      const all = await openTestConnections();
      const { id } = await all
        .client()
        .connections.add({ name: 'cache', target: { kind: 'redis', uri: server.uri } });
      const client = all.client(id);
      await complete(client);
      const { policy } = await client.policy.export();
      expect(policy.collections).toEqual({
        mixed: { ttl: { required: false, longest: 172_800 } },
        session: { ttl: { required: true, longest: 7_200 } },
      });
      expect(await client.policy.diff({ policy })).toMatchObject({ driftCount: 0 });
      const indexes = policyOf({ session: { ttlIndexes: {} } });
      expect((await client.policy.diff({ policy: indexes })).drift).toMatchObject([
        { is: 'not supported', obstacle: 'Redis has one TTL per key, and no rule that computes it.' },
      ]);
    });
  },
);

describe.runIf(runsHere('policies of PostgreSQL', NEEDS_POSTGRES))(
  'the policy of tables of PostgreSQL',
  { timeout: 120_000 },
  () => {
    const server = postgresOfSuite();

    it('is refused before the job begins if the schema of TTL indexes is missing, with the SQL', async () => {
      const uri = await server.database();
      const session = await openTestSession(uri);
      await session.query('CREATE TABLE sessions (id int PRIMARY KEY, expires_at timestamptz)');
      const all = await openTestConnections();
      const { id } = await all
        .client()
        .connections.add({ name: 'orders', target: { kind: 'postgresql', uri } });
      const client = all.client(id);
      const source = {
        kind: 'field' as const,
        field: 'expires_at',
        unit: 'seconds' as const,
        expireAfter: 0,
      };
      const policy = policyOf({ sessions: { ttlIndexes: { by_column: { source } } } });
      expect((await client.policy.diff({ policy })).drift).toMatchObject([{ is: 'missing index' }]);
      await expect(client.policy.apply({ policy })).rejects.toMatchObject({
        code: 'EXPECTATION_FAILED',
        data: { schema: 'absent', sql: expect.stringContaining('CREATE SCHEMA') },
      });
      expect((await client.jobs.list()).map(({ kind }) => kind)).toEqual([]);
      expect(await client.policy.expected()).toBeNull();
      await client.governance.createSchema();
      const started = await client.policy.apply({ policy });
      expect(await ended(client, started.id)).toMatchObject({ state: 'done' });
    });

    it('creates, changes and drops TTL indexes with the exact effect, and does not differ afterwards', async () => {
      const uri = await server.database();
      const session = await openTestSession(uri);
      await session.query(`CREATE TABLE sessions (id int PRIMARY KEY, expires_at timestamptz);
        INSERT INTO sessions SELECT n, now() + (n % 4 - 1) * interval '1 hour' + interval '30 minutes'
          FROM generate_series(1, 400) n; ANALYZE`);
      const all = await openTestConnections();
      const { id } = await all
        .client()
        .connections.add({ name: 'orders', target: { kind: 'postgresql', uri } });
      const client = all.client(id);
      await client.governance.createSchema();
      const source = { kind: 'field' as const, field: 'expires_at', unit: 'seconds' as const };
      const collection = 'sessions';
      await client.ttlIndexes.create({
        collection,
        name: 'old',
        source: { ...source, expireAfter: 90 * 86_400 },
      });
      const policy = policyOf({
        sessions: { ttlIndexes: { by_column: { source: { ...source, expireAfter: 0 } } } },
        nowhere: { ttlIndexes: {} },
      });
      const { drift, effect } = await client.policy.diff({ policy });
      expect(drift).toMatchObject([
        { is: 'missing index', index: 'by_column', documents: 400, due: 100, obstacle: null },
        { is: 'unexpected index', index: 'old' },
        { is: 'missing collection', collection: 'nowhere', obstacle: expect.any(String) },
      ]);
      expect(effect).toMatchObject({ due: 100 });
      const started = await client.policy.apply({ policy, expect: { due: 100 } });
      expect(await ended(client, started.id)).toMatchObject({
        state: 'done',
        result: '1 TTL index created, 1 TTL index dropped',
      });
      expect((await client.policy.diff()).drift).toMatchObject([{ is: 'missing collection' }]);
      const { policy: exported } = await client.policy.export();
      expect(exported.collections).toMatchObject({ sessions: { ttlIndexes: { by_column: {} } } });
      expect(await client.policy.diff({ policy: exported })).toMatchObject({ driftCount: 0 });
    });
  },
);
