import { describe, expect, it, vi } from 'vitest';
import { openTestConnections } from '../../support/connections.ts';
import { NEEDS_POSTGRES, openTestSession, postgresOfSuite } from '../../support/postgres.ts';
import { runsHere } from '../../support/runs-here.ts';

const PATIENT = { timeout: 30_000, interval: 50 };
const BY_COLUMN = { kind: 'field', field: 'expires_at', unit: 'seconds', expireAfter: 0 } as const;

describe.runIf(runsHere('indexes of PostgreSQL tables', NEEDS_POSTGRES))(
  'the index of a deadline in PostgreSQL',
  { timeout: 120_000 },
  () => {
    const server = postgresOfSuite();

    async function opened(sql: string, change?: (uri: string) => string) {
      const uri = await server.database();
      const session = await openTestSession(uri);
      await session.query(sql);
      const all = await openTestConnections();
      const target = { kind: 'postgresql', uri: change?.(uri) ?? uri } as const;
      const { id } = await all.client().connections.add({ name: 'orders', target });
      const indexes = async () => {
        const { rows } = await session.query<{ name: string }>(
          `SELECT indexrelid::regclass::text AS name FROM pg_index
            WHERE indrelid::regclass::text !~ '^(pg_|sandglass)' AND NOT indisprimary AND indisvalid ORDER BY 1`,
        );
        const invalid = await session.query('SELECT FROM pg_index WHERE NOT indisvalid');
        expect(invalid.rowCount).toBe(0);
        return rows.map(({ name }) => name);
      };
      return { session, client: all.client(id), indexes };
    }

    const SESSIONS = `CREATE TABLE "Old sessions" (id int PRIMARY KEY, expires_at timestamptz);
      INSERT INTO "Old sessions" SELECT n, now() + interval '1 day' FROM generate_series(1, 20000) n; ANALYZE`;
    const collection = '"Old sessions"';

    it('is created as a job before the TTL index, and is then not created again', async () => {
      const { client, indexes } = await opened(SESSIONS);
      const of = { source: BY_COLUMN };
      const { proposed } = await client.governance.proposal({ collection, source: BY_COLUMN });
      expect(proposed?.indexAdvice).toBe(
        'CREATE INDEX CONCURRENTLY ON "public"."Old sessions" ("expires_at")',
      );
      const started = await client.governance.createIndex({ collection, of });
      expect(started).toMatchObject({ kind: 'index build', collection, total: 20_000 });
      await vi.waitFor(async () => {
        expect(await client.jobs.get({ job: started.id })).toMatchObject({ state: 'done', error: null });
      }, PATIENT);
      expect(await indexes()).toEqual(['"Old sessions_ttl"']);
      expect((await client.governance.proposal({ collection, source: BY_COLUMN })).proposed).toMatchObject({
        indexAdvice: null,
      });
      await expect(client.governance.createIndex({ collection, of })).rejects.toMatchObject({
        code: 'EXPECTATION_FAILED',
      });
    });

    it('waits for an older transaction, which it says, and leaves nothing when it is cancelled', async () => {
      const { session, client, indexes } = await opened(SESSIONS);
      await client.governance.createSchema();
      await client.ttlIndexes.create({ collection, name: 'ttl', source: BY_COLUMN });
      await session.query('BEGIN; INSERT INTO "Old sessions" VALUES (0)');
      const { id: job } = await client.governance.createIndex({ collection, of: { index: 'ttl' } });
      await vi.waitFor(async () => {
        const { state, subject } = await client.jobs.get({ job });
        expect({ state, subject }).toEqual({
          state: 'running',
          subject: expect.stringContaining('waits until older'),
        });
      }, PATIENT);
      await expect(client.governance.createIndex({ collection, of: { index: 'ttl' } })).rejects.toMatchObject(
        { code: 'BUSY' },
      );
      await client.jobs.cancel({ job });
      // The session of the application ends its transaction, so that it can look.
      await session.query('COMMIT');
      await vi.waitFor(async () => expect((await client.jobs.get({ job })).state).toBe('cancelled'), PATIENT);
      expect(await indexes()).toEqual([]);
    });

    it('of a partitioned table is one index, with one for each partition of every level', async () => {
      const { client, indexes } =
        await opened(`CREATE TABLE events (id int, expires_at timestamptz) PARTITION BY RANGE (id);
        CREATE TABLE events_1 PARTITION OF events FOR VALUES FROM (1) TO (100);
        CREATE TABLE events_2 PARTITION OF events FOR VALUES FROM (100) TO (200) PARTITION BY LIST (id);
        CREATE TABLE events_2a PARTITION OF events_2 DEFAULT;
        ALTER TABLE events ADD PRIMARY KEY (id);
        INSERT INTO events SELECT n, now() FROM generate_series(1, 199) n; ANALYZE`);
      const { id } = await client.governance.createIndex({ collection: 'events', of: { source: BY_COLUMN } });
      await vi.waitFor(async () => {
        expect(await client.jobs.get({ job: id })).toMatchObject({ state: 'done', error: null });
      }, PATIENT);
      expect(await indexes()).toEqual(['events_1_ttl', 'events_2_ttl', 'events_2a_ttl', 'events_ttl']);
    });

    it('is refused to a user who does not own the table', async () => {
      const role = `reader_${Date.now()}`;
      const { client, indexes } = await opened(
        `${SESSIONS}; CREATE ROLE ${role} LOGIN PASSWORD 'secret'; GRANT SELECT, DELETE ON "Old sessions" TO ${role}`,
        uri => uri.replace(/\/\/[^@]*@/, `//${role}:secret@`),
      );
      await expect(
        client.governance.createIndex({ collection, of: { source: BY_COLUMN } }),
      ).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
      expect(await indexes()).toEqual([]);
    });

    it('[X3] foreign keys are counted before anything is created, and a generated deadline is named', async () => {
      const { session, client } = await opened(`CREATE TABLE carts (id int PRIMARY KEY, at timestamp,
          expires_at timestamp GENERATED ALWAYS AS (at + interval '1 hour') STORED);
        CREATE TABLE lines (cart int REFERENCES carts ON DELETE CASCADE);
        INSERT INTO carts VALUES (1, '2020-01-01'), (2, '2999-01-01');
        INSERT INTO lines VALUES (1), (1), (2)`);
      const report = await client.governance.proposal({ collection: 'carts', source: BY_COLUMN });
      expect(report).toMatchObject({
        referringKeys: [{ from: 'lines', onDelete: 'CASCADE', isIndexed: false, rows: 2 }],
        isDeadlineGenerated: true,
        index: null,
      });
      const { rows } = await session.query("SELECT FROM pg_namespace WHERE nspname = 'sandglass'");
      expect(rows).toEqual([]);
      await client.governance.createSchema();
      await client.ttlIndexes.create({ collection: 'carts', source: BY_COLUMN });
      const at = Date.UTC(2998, 0, 1);
      const set = await client.documents.setExpiration({
        params: { collection: 'carts', id: '2' },
        body: { at },
      });
      expect(set).toMatchObject({ deadlineAt: at, deadlineFrom: 'explicit' });
    });
  },
);
