import { describe, expect, it, vi } from 'vitest';
import { openTestConnections, type TestConnections } from '../../support/connections.ts';
import { NEEDS_POSTGRES, openTestSession, postgresOfSuite, startPostgres } from '../../support/postgres.ts';
import { runsHere } from '../../support/runs-here.ts';

const PATIENT = { timeout: 20_000 };

async function connect(all: TestConnections, uri: string, more: object = {}): Promise<string> {
  const { id } = await all.client().connections.add({
    name: 'orders',
    target: { kind: 'postgresql', uri, ...more },
  });
  await all.opened(id);
  return id;
}

describe.runIf(runsHere('PostgreSQL as a connection', NEEDS_POSTGRES))(
  'a PostgreSQL database as a connection',
  { timeout: 60_000 },
  () => {
    const server = postgresOfSuite();

    it('is tested without a change, and lists its tables and rows', async () => {
      const uri = await server.database();
      const session = await openTestSession(uri);
      await session.query('CREATE TABLE sessions AS SELECT generate_series(1, 30) AS id');
      await session.query('ALTER TABLE sessions ADD PRIMARY KEY (id)');
      const all = await openTestConnections();
      // Counts are those of the server's statistics, which follow within about a second.
      await vi.waitFor(async () => {
        const tested = await all.client().connections.test({ kind: 'postgresql', uri });
        expect(tested).toMatchObject({
          is: 'server',
          keys: 30,
          server: expect.stringMatching(/^PostgreSQL \d/),
        });
      }, PATIENT);
      const client = all.client(await connect(all, uri));
      const [table] = await client.collections.list();
      expect(table).toMatchObject({ name: 'sessions', documents: 30, withDeadline: 0 });
      const { documents } = await client.documents.list({ collection: 'sessions', limit: 3 });
      expect(documents.map(({ _id }) => _id)).toEqual(['1', '2', '3']);
      await client.documents.delete({ collection: 'sessions', id: '2' });
      const info = await client.store.info();
      expect(info.capabilities).toMatchObject({
        kind: 'postgresql',
        removedBy: 'sandglass',
        words: { record: 'row', group: 'table' },
      });
      const { rows } = await session.query('SELECT nspname FROM pg_namespace WHERE nspname = $1', [
        'sandglass',
      ]);
      expect(rows).toEqual([]);
    });

    it('[P2] refuses every write of a read-only connection by itself', async () => {
      const uri = await server.database();
      const session = await openTestSession(uri);
      await session.query('CREATE TABLE kept (id int PRIMARY KEY)');
      await session.query('INSERT INTO kept VALUES (1)');
      const all = await openTestConnections();
      const { id } = await all.client().connections.add({
        name: 'x',
        target: { kind: 'postgresql', uri },
        readOnly: true,
      });
      await expect(all.client(id).documents.delete({ collection: 'kept', id: '1' })).rejects.toMatchObject({
        code: 'READ_ONLY',
      });
      const { rows } = await session.query(
        `SELECT 1 FROM pg_stat_activity WHERE application_name = 'sandglass' AND datname = current_database()`,
      );
      expect(rows.length).toBeGreaterThan(0);
    });

    it('reports since when it is unreachable, and answers again after its restart', async () => {
      const own = await startPostgres();
      const all = await openTestConnections();
      const client = all.client(await connect(all, own.uri));
      await own.kill();
      await vi.waitFor(async () => {
        const { remote } = await client.store.info();
        expect(remote?.unreachable?.reason).toMatch(/cannot be reached/);
      }, PATIENT);
      await expect(client.documents.list({ collection: 'x' })).rejects.toMatchObject({
        code: 'SERVER_UNREACHABLE',
      });
      await own.start();
      await vi.waitFor(
        async () => expect((await client.store.info()).remote?.unreachable).toBeNull(),
        PATIENT,
      );
    });

    it('reports a changed password, and continues once it is correct again', async () => {
      const own = await startPostgres();
      const session = await openTestSession(own.uri);
      await session.query(`CREATE ROLE app LOGIN PASSWORD 'one'`);
      const all = await openTestConnections();
      const uri = own.uri.replace('postgres:of-the-test', 'app:one');
      const client = all.client(await connect(all, uri));
      await session.query(`ALTER ROLE app PASSWORD 'two'`);
      await session.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'`);
      await vi.waitFor(async () => {
        const { remote } = await client.store.info();
        expect(remote?.unreachable?.reason).toMatch(/refuses this user and password/);
      }, PATIENT);
      await session.query(`ALTER ROLE app PASSWORD 'one'`);
      await vi.waitFor(
        async () => expect((await client.store.info()).remote?.unreachable).toBeNull(),
        PATIENT,
      );
    });
  },
);
