import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openTestConnections } from '../../support/connections.ts';
import { countRows, define, openGovernedDatabase, rowsLeft, SOON } from '../../support/governed-table.ts';
import { NEEDS_PGBOUNCER, startPgBouncer } from '../../support/pgbouncer.ts';
import {
  NEEDS_POSTGRES,
  openTestSession,
  type PostgresServer,
  startPostgresServer,
} from '../../support/postgres.ts';
import { startStandby } from '../../support/postgres-server.ts';
import { runsHere } from '../../support/runs-here.ts';

const REAPER = fileURLToPath(new URL('../../support/reaper-process.ts', import.meta.url));
const TAKEN_OVER_MS = 8_000;

const SESSIONS = `DROP TABLE IF EXISTS sessions, deletions CASCADE; DROP SCHEMA IF EXISTS sandglass CASCADE;
  CREATE TABLE sessions (id int PRIMARY KEY, expires_at timestamptz); CREATE INDEX ON sessions (expires_at)`;

/** A Sandglass instance in a process of its own. */
function startInstance(uri: string) {
  const child = spawn(process.execPath, [REAPER, uri], { stdio: ['ignore', 'pipe', 'inherit'] });
  const states: string[] = [];
  child.stdout.on('data', data => states.push(...String(data).trim().split('\n')));
  onTestFinished(() => void child.kill('SIGKILL'));
  const is = (state: string) => vi.waitFor(() => expect(states.at(-1)).toBe(state), SOON);
  return { is, kill: () => child.kill('SIGKILL') };
}

describe.runIf(runsHere('faults of PostgreSQL around Sandglass', NEEDS_POSTGRES))(
  'faults of PostgreSQL around Sandglass',
  { timeout: 120_000 },
  () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgresServer();
    }, 120_000);
    afterAll(() => server.stop());

    async function connected(uri = server.uri) {
      const all = await openTestConnections();
      const { id } = await all
        .client()
        .connections.add({ name: 'database', target: { kind: 'postgresql', uri } });
      return all.client(id);
    }

    it('[R4] another instance removes within seconds after the process that removed was killed; no row is deleted twice', async () => {
      const session = await openTestSession(server.uri);
      await session.query(SESSIONS);
      await openGovernedDatabase(server.uri);
      await session.query(`CREATE TABLE deletions (id int);
        CREATE OR REPLACE FUNCTION record_deletion() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN INSERT INTO deletions VALUES (OLD.id); RETURN OLD; END $$;
        CREATE TRIGGER record BEFORE DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION record_deletion()`);
      await define(session, 'sessions', { limits: { removalsPerSecond: 1_000 } });
      const first = startInstance(server.uri);
      await first.is('active');
      const second = startInstance(server.uri);
      await second.is('standby');
      await session.query(
        "INSERT INTO sessions SELECT n, now() - interval '1 hour' FROM generate_series(1, 3000) n",
      );
      await vi.waitFor(async () => expect(await countRows(session, 'deletions')).toBeGreaterThan(200), SOON);
      first.kill();
      const killed = performance.now();
      const before = await countRows(session, 'deletions');
      await vi.waitFor(
        async () => expect(await countRows(session, 'deletions')).toBeGreaterThan(before),
        SOON,
      );
      expect(performance.now() - killed).toBeLessThan(TAKEN_OVER_MS);
      await second.is('active');
      await rowsLeft(session, 'sessions', 0);
      expect(await countRows(session, 'deletions')).toBe(3_000);
    });

    it('[E3] a bulk change whose connection is cut fails with what it did until then', async () => {
      const session = await openTestSession(server.uri);
      await session.query(SESSIONS);
      await session.query(`INSERT INTO sessions SELECT n, now() + interval '1 day' FROM generate_series(1, 2000) n;
        CREATE OR REPLACE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN IF OLD.id = 1200 THEN PERFORM pg_sleep(60); END IF; RETURN OLD; END $$;
        CREATE TRIGGER wait BEFORE DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION wait()`);
      const client = await connected();
      const ids = Array.from({ length: 2_000 }, (_, i) => `${i + 1}`);
      const { id: job } = await client.documents.deleteMany({ collection: 'sessions', ids });
      const asleep = `SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep'`;
      await vi.waitFor(async () => expect((await session.query(asleep)).rowCount).toBe(1), SOON);
      await session.query(`SELECT pg_terminate_backend(pid) FROM (${asleep}) AS found`);
      const ended = await vi.waitFor(async () => {
        const found = (await client.jobs.list()).find(one => one.id === job);
        expect(found?.state).toBe('failed');
        return found;
      }, SOON);
      expect(ended).toMatchObject({ done: 1_000, succeeded: 1_000, failedCount: 0 });
      expect(await countRows(session, 'sessions')).toBe(1_000);
      await session.query('DROP TRIGGER wait ON sessions');
      await vi.waitFor(() => client.documents.delete({ collection: 'sessions', id: '2000' }), SOON);
    });

    it('[P2] a standby is shown, offers no change and removes nothing', async () => {
      const session = await openTestSession(server.uri);
      await session.query(SESSIONS);
      await openGovernedDatabase(server.uri);
      await session.query("INSERT INTO sessions VALUES (1, now() - interval '1 day')");
      await define(session, 'sessions');
      const standby = await startStandby(server);
      onTestFinished(() => standby.stop());
      const client = await connected(standby.uri);
      const { capabilities, remote } = await client.store.info();
      expect(capabilities.features.ttlIndexes).toMatchObject({ is: 'no', because: /replica/ });
      expect(remote?.findings).toMatchObject([{ id: 'replica' }]);
      await expect(client.ttlIndexes.list({ collection: 'sessions' })).rejects.toMatchObject({
        code: 'NOT_SUPPORTED',
      });
      await expect(client.documents.delete({ collection: 'sessions', id: '1' })).rejects.toMatchObject({
        message: /read-only/,
      });
      expect(await client.reaper.get()).toMatchObject({ state: 'off' });
      expect(await countRows(session, 'sessions')).toBe(1);
    });

    it.runIf(runsHere('PostgreSQL behind PgBouncer', NEEDS_PGBOUNCER))(
      'PgBouncer is recognised; nothing is removed through its transaction mode, and rows are through its session mode',
      async () => {
        const session = await openTestSession(server.uri);
        await session.query(SESSIONS);
        await openGovernedDatabase(server.uri);
        await session.query("INSERT INTO sessions VALUES (1, now() - interval '1 day')");
        await define(session, 'sessions');
        const pooled = await connected(await startPgBouncer(server, 'transaction'));
        await vi.waitFor(async () => {
          expect((await pooled.store.info()).remote?.findings).toMatchObject([{ id: 'pooler' }]);
          expect((await pooled.reaper.get()).problem?.message).toMatch(/pooler/);
        }, SOON);
        expect(await countRows(session, 'sessions')).toBe(1);
        const whole = await connected(await startPgBouncer(server, 'session'));
        await rowsLeft(session, 'sessions', 0);
        expect(await whole.reaper.get()).toMatchObject({ state: 'running', problem: null });
      },
    );
  },
);
