import { describe, expect, it, vi } from 'vitest';
import { openTestConnections } from '../../support/connections.ts';
import { countRows, rowsLeft } from '../../support/governed-table.ts';
import { NEEDS_POSTGRES, openTestSession, postgresOfSuite } from '../../support/postgres.ts';
import { runsHere } from '../../support/runs-here.ts';

const PATIENT = { timeout: 30_000, interval: 50 };

const BY_COLUMN = { kind: 'field', field: 'expires_at', unit: 'seconds', expireAfter: 0 } as const;

describe.runIf(runsHere('TTL indexes of PostgreSQL tables', NEEDS_POSTGRES))(
  'TTL indexes of PostgreSQL tables',
  { timeout: 120_000 },
  () => {
    const server = postgresOfSuite();

    async function opened(rows: number) {
      const uri = await server.database();
      const session = await openTestSession(uri);
      await session.query(`CREATE TABLE sessions (id int PRIMARY KEY, name text, expires_at timestamptz);
        CREATE INDEX ON sessions (expires_at);
        INSERT INTO sessions SELECT n, 'n', now() + (n % 4 - 1) * interval '1 hour' + interval '30 minutes'
          FROM generate_series(1, ${rows}) n; ANALYZE`);
      const all = await openTestConnections();
      const { id } = await all
        .client()
        .connections.add({ name: 'orders', target: { kind: 'postgresql', uri } });
      return { uri, session, all, client: all.client(id) };
    }

    it('are created after a preview and the agreed schema, and then the reaper removes due rows', async () => {
      const { session, client } = await opened(400);
      const collection = 'sessions';
      const { fields } = await client.ttlIndexes.candidates({ collection });
      expect(fields).toMatchObject([{ field: 'expires_at', present: 400, dates: 400, unit: null }]);
      const preview = await client.ttlIndexes.preview({ collection, source: BY_COLUMN });
      expect(preview).toMatchObject({ documents: 400, dueAtOnce: 100, nextHour: 100, kind: 'create' });
      const estimate = await client.ttlIndexes.preview({ collection, source: BY_COLUMN, estimate: true });
      expect(estimate).toMatchObject({ isEstimate: true, documents: 400 });
      const create = () => client.ttlIndexes.create({ collection, source: BY_COLUMN });
      await expect(create()).rejects.toMatchObject({
        code: 'EXPECTATION_FAILED',
        data: { schema: 'absent' },
      });
      expect(await client.governance.schema()).toMatchObject({ schema: 'absent', sql: /CREATE SCHEMA/ });
      expect(await client.governance.createSchema()).toMatchObject({ schema: 'present' });
      const index = await create();
      expect(index).toMatchObject({ name: 'expires_at_0s', state: 'ready', paused: null });
      await rowsLeft(session, 'sessions', 300);
      expect(await client.reaper.get()).toMatchObject({ state: 'running', problem: null });
      await vi.waitFor(async () => {
        const { passes } = await client.reaper.passes({ limit: 10 });
        expect(passes).toMatchObject([{ collection, removed: 100, byIndex: { expires_at_0s: 100 } }]);
      }, PATIENT);
      const [summary] = await client.collections.list();
      expect(summary).toMatchObject({ name: collection, ttlIndexes: 1, state: 'running' });
      await expect(create()).resolves.toMatchObject({ name: 'expires_at_0s_2' });
      await client.ttlIndexes.drop({ collection, index: 'expires_at_0s_2' });
      const now = Date.now();
      const timeline = await client.timeline.get({
        collection,
        from: now - 600_000,
        to: now + 3 * 3_600_000,
        buckets: 60,
      });
      expect(timeline.buckets.reduce((sum, { due }) => sum + due, 0)).toBe(300);
      expect(timeline.buckets.reduce((sum, { expired }) => sum + expired, 0)).toBe(100);
      const points = await client.metrics.series({ collection, from: now - 600_000, to: now + 60_000 });
      expect(points.reduce((sum, { removed }) => sum + removed, 0)).toBe(100);
    });

    it.each([
      ['an index serves the deadline', ''],
      ['none does', 'DROP INDEX sessions_expires_at_idx'],
    ])(
      'the reaper is active while it removes rows, where %s, and not while nothing is due',
      async (_where, sql) => {
        const { session, client } = await opened(400);
        if (sql !== '') await session.query(sql);
        const collection = 'sessions';
        await client.governance.createSchema();
        const states: boolean[] = [];
        const look = async () => {
          const { active, nextWakeAt } = await client.reaper.get();
          states.push(active);
          return { active, nextWakeAt };
        };
        await client.ttlIndexes.create({
          collection,
          source: BY_COLUMN,
          limits: { removalsPerSecond: 40, batchSize: 10 },
        });
        await vi.waitFor(async () => expect(await look()).toMatchObject({ active: true }), PATIENT);
        await rowsLeft(session, 'sessions', 300);
        await vi.waitFor(async () => {
          const { active, nextWakeAt } = await look();
          expect(active).toBe(false);
          expect(nextWakeAt).toBeGreaterThan(Date.now() + 600_000);
        }, PATIENT);
        states.length = 0;
        for (let i = 0; i < 20; i++) {
          await look();
          await new Promise(resolve => setTimeout(resolve, 100));
        }
        expect(states).not.toContain(true);
      },
    );

    it('are confirmed, changed, paused, reverted and explained like others', async () => {
      const { session, client } = await opened(6_000);
      const collection = 'sessions';
      await client.governance.createSchema();
      const create = (expect?: { dueAtOnce: number }) =>
        client.ttlIndexes.create({
          collection,
          name: 'ttl',
          source: { ...BY_COLUMN, expireAfter: 0 },
          expect,
        });
      await expect(create()).rejects.toMatchObject({
        code: 'EXPECTATION_FAILED',
        data: { preview: { dueAtOnce: 1_500 } },
      });
      await expect(create({ dueAtOnce: 3 })).rejects.toMatchObject({ code: 'EXPECTATION_FAILED' });
      await client.reaper.pause();
      await create({ dueAtOnce: 1_500 });
      await client.ttlIndexes.update({ collection, index: 'ttl', expireAfter: 7_200 });
      await client.reaper.resume();
      const { documents } = await client.documents.list({ collection, limit: 1, sort: 'deadline' });
      expect(documents[0]).toMatchObject({ deadlineFrom: 'ttl', state: 'live' });
      const explained = await client.documents.explain({ collection, id: documents[0]?._id ?? '' });
      expect(explained.sentence).toMatch(/expires at .* by the TTL index ttl/);
      const [last] = await client.ttlIndexes.history({ collection, index: 'ttl' });
      expect(last).toMatchObject({
        change: 'change',
        before: { source: { expireAfter: 0 } },
        after: { source: { expireAfter: 7_200 } },
      });
      expect(await countRows(session, 'sessions')).toBe(6_000);
      await client.ttlIndexes.revert({
        collection,
        index: 'ttl',
        change: last?.id ?? 0,
        expect: { dueAtOnce: 1_500 },
      });
      await rowsLeft(session, 'sessions', 4_500);
      const report = await client.governance.table({ collection, index: 'ttl' });
      expect(report).toMatchObject({
        key: ['id'],
        referringKeys: [],
        triggers: [],
        index: { indexAdvice: null },
      });
      expect(report.index?.pgCron).toContain('cron.schedule');
    });

    it('[E1] a row gets an expiration of its own: in its column, or never', async () => {
      const { session, client } = await opened(8);
      const collection = 'sessions';
      const set = (id: string, body: { after: number } | { never: true }) =>
        client.documents.setExpiration({ params: { collection, id }, body });
      await expect(set('1', { never: true })).rejects.toMatchObject({ code: 'EXPECTATION_FAILED' });
      await client.governance.createSchema();
      await set('4', { never: true });
      await client.ttlIndexes.create({ collection, name: 'ttl', source: BY_COLUMN });
      await rowsLeft(session, 'sessions', 7);
      await set('1', { after: 1 });
      await rowsLeft(session, 'sessions', 6);
      await expect(set('1', { after: 1 })).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND' });
      const pinned = await client.documents.get({ collection, id: '4', includeExpired: true });
      expect(pinned).toMatchObject({ state: 'never', deadlineFrom: 'explicit' });
      await client.documents.clearExpiration({ collection, id: '4' });
      await rowsLeft(session, 'sessions', 5);
    });

    it('[R6] a pass that a person starts removes what is due of a paused index, and has a row of its own', async () => {
      const { session, client } = await opened(400);
      const collection = 'sessions';
      expect(await client.reaper.get()).toMatchObject({ state: 'off', offBecause: 'not set up' });
      await client.governance.createSchema();
      await client.reaper.pause();
      await client.ttlIndexes.create({ collection, name: 'ttl', source: BY_COLUMN });
      await client.reaper.pause({ collection, index: 'ttl' });
      expect(await client.reaper.run({ collection })).toMatchObject({ removed: 0, passes: [] });
      await expect(client.reaper.run({ collection, index: 'other' })).rejects.toMatchObject({
        code: 'TTL_INDEX_NOT_FOUND',
      });
      const run = await client.reaper.run({ collection, index: 'ttl' });
      expect(run).toMatchObject({
        removed: 100,
        changed: 0,
        passes: [{ collection, trigger: 'manual', removed: 100, byIndex: { ttl: 100 } }],
      });
      expect(await countRows(session, 'sessions')).toBe(300);
    });

    it('[R8] a definition written by SQL that makes most of a large table due is held until confirmed', async () => {
      const { session, client } = await opened(4);
      await client.governance.createSchema();
      await session.query(`CREATE TABLE big (id int PRIMARY KEY, at timestamptz); CREATE INDEX ON big (at);
        INSERT INTO big SELECT n, now() - interval '1 day' FROM generate_series(1, 12000) n; ANALYZE big`);
      await session.query(
        `INSERT INTO sandglass.definitions (relation, name, definition, owner_role, created_by) VALUES ('big', 'ttl', $1, 'x', 'by sql')`,
        [
          JSON.stringify({
            source: { kind: 'field', field: 'at', unit: 'seconds', expireAfter: 0 },
            onExpire: { action: 'delete' },
            schedule: { mode: 'exact' },
            limits: {},
            retention: null,
          }),
        ],
      );
      await session.query('UPDATE sandglass.state SET revision = revision + 1');
      const hold = await vi.waitFor(async () => {
        const { holds } = await client.reaper.get();
        expect(holds).toMatchObject([{ collection: 'big', index: 'ttl', cause: 'definition', due: 12_000 }]);
        return holds[0];
      }, PATIENT);
      await expect(client.reaper.run({ collection: 'big' })).rejects.toMatchObject({
        code: 'EXPECTATION_FAILED',
      });
      expect(await countRows(session, 'big')).toBe(12_000);
      await expect(client.reaper.confirm({ hold: hold?.id ?? '' })).rejects.toMatchObject({
        code: 'EXPECTATION_FAILED',
      });
      await client.reaper.confirm({ hold: hold?.id ?? '', expect: { due: 12_000 } });
      await rowsLeft(session, 'big', 0);
      expect(await client.reaper.get()).toMatchObject({ holds: [] });
    });

    it('[R1] a schedule acts at its looks and only there', async () => {
      const { session, client } = await opened(400);
      const collection = 'sessions';
      await client.governance.createSchema();
      const yearly = { mode: 'cron', cron: '0 0 29 2 *', timeZone: 'UTC' } as const;
      await client.ttlIndexes.create({ collection, name: 'ttl', source: BY_COLUMN, schedule: yearly });
      const [index] = await client.ttlIndexes.list({ collection });
      expect(index).toMatchObject({ overdue: 100, schedule: yearly });
      expect(index?.actionDueAt).toBeGreaterThan(Date.now() + 86_400_000);
      await client.ttlIndexes.update({
        collection,
        index: 'ttl',
        schedule: { mode: 'every', everyMs: 1_500 },
      });
      await rowsLeft(session, 'sessions', 300);
      await vi.waitFor(async () => {
        const { passes } = await client.reaper.passes({ limit: 10 });
        expect(passes).toMatchObject([{ trigger: 'interval', removed: 100 }]);
      }, PATIENT);
      const looked = 'SELECT looked_at > effective_at AS looked FROM sandglass.definitions';
      await vi.waitFor(
        async () => expect((await session.query(looked)).rows).toEqual([{ looked: true }]),
        PATIENT,
      );
    });

    it('a table that was created just now is listed, with who set the expiration of its row', async () => {
      const { session, client } = await opened(4);
      await client.governance.createSchema();
      await session.query('CREATE TABLE fresh (id int PRIMARY KEY); INSERT INTO fresh VALUES (1)');
      expect((await client.collections.list()).map(({ name }) => name)).toContain('fresh');
      await client.documents.setExpiration({
        params: { collection: 'fresh', id: '1' },
        body: { never: true },
      });
      const { rows } = await session.query('SELECT set_by FROM sandglass.expirations');
      expect(rows).toEqual([{ set_by: expect.not.stringMatching(/^Sandglass$/) }]);
    });

    it('are refused where a table or a definition cannot have them', async () => {
      const { session, client } = await opened(4);
      await client.governance.createSchema();
      await session.query('CREATE TABLE "No key" (at timestamptz)');
      const create = (collection: string, source: object, more: object = {}) =>
        client.ttlIndexes.create({ collection, source: { ...BY_COLUMN, ...source }, ...more });
      const invalid = { code: 'INVALID_TTL_INDEX' };
      await expect(create('"No key"', { field: 'at' })).rejects.toMatchObject(invalid);
      await expect(create('sessions', { field: 'name' })).rejects.toMatchObject(invalid);
      await expect(
        create('sessions', {}, { onExpire: { action: 'patch', patch: {} } }),
      ).rejects.toMatchObject(invalid);
      const never = { schedule: { mode: 'cron', cron: '0 0 30 2 *', timeZone: 'UTC' } };
      await expect(create('sessions', {}, never)).rejects.toMatchObject(invalid);
      await expect(create('missing', {})).rejects.toMatchObject({ code: 'COLLECTION_NOT_FOUND' });
    });
  },
);
