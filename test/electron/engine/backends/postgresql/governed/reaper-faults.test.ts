import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { OwnSession } from '../../../../../../electron/engine/backends/postgresql/connection/session.ts';
import type { TableReaper } from '../../../../../../electron/engine/backends/postgresql/governed/reaper/reaper.ts';
import { pauseDefinition } from '../../../../../../electron/engine/backends/postgresql/governed/schema/definitions-table.ts';
import {
  endHolds,
  readHolds,
} from '../../../../../../electron/engine/backends/postgresql/governed/schema/holds-table.ts';
import { readTable } from '../../../../../../electron/engine/backends/postgresql/governed/table-facts.ts';
import { type Clock, systemClock } from '../../../../../../electron/engine/platform/clock.ts';
import {
  BY_COLUMN,
  countRows,
  define,
  openGovernedDatabase,
  rowsLeft,
  SOON,
  startReaper,
} from '../../../../../support/governed-table.ts';
import {
  NEEDS_POSTGRES,
  openTestSession,
  postgresOfSuite,
  startPostgres,
} from '../../../../../support/postgres.ts';
import { runsHere } from '../../../../../support/runs-here.ts';

const SESSIONS = `CREATE TABLE sessions (id int PRIMARY KEY, expires_at timestamptz);
  CREATE INDEX ON sessions (expires_at)`;

const state = (reaper: TableReaper, is: string) =>
  vi.waitFor(() => expect(reaper.status.state).toBe(is), SOON);

/** Records each deleted key, so that one that is deleted twice is found. */
async function recordDeletions(session: OwnSession): Promise<void> {
  await session.query(`CREATE TABLE deletions (id int);
    CREATE FUNCTION record_deletion() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO deletions VALUES (OLD.id); RETURN OLD; END $$;
    CREATE TRIGGER record BEFORE DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION record_deletion()`);
}

const DAY_MS = 86_400_000;

/** Resolves with the holds once there are some. */
const held = (session: OwnSession) =>
  vi.waitFor(async () => {
    const holds = await readHolds(session);
    expect(holds).not.toEqual([]);
    return holds;
  }, SOON);

const insertDue = (session: OwnSession, from: number, to: number) =>
  session.query(
    `INSERT INTO sessions SELECT n, now() - interval '1 hour' FROM generate_series($1::int, $2::int) n`,
    [from, to],
  );

describe.runIf(runsHere('faults of the reaper of PostgreSQL tables', NEEDS_POSTGRES))(
  'faults of the reaper of PostgreSQL tables',
  { timeout: 120_000 },
  () => {
    const postgres = postgresOfSuite();

    it('of two reapers one is active, and the other takes over within seconds of its end; no row is deleted twice', async () => {
      const uri = await postgres.database();
      const session = await openGovernedDatabase(uri);
      await session.query(SESSIONS);
      await recordDeletions(session);
      await define(session, 'sessions', { limits: { removalsPerSecond: 2_000 } });
      const first = startReaper(uri);
      await state(first, 'active');
      const second = startReaper(uri);
      await state(second, 'standby');
      await insertDue(session, 1, 6_000);
      await vi.waitFor(async () => expect(await countRows(session, 'deletions')).toBeGreaterThan(500), SOON);
      const stopped = Date.now();
      await first.stop();
      expect(Date.now() - stopped).toBeLessThan(5_000);
      await state(second, 'active');
      expect(Date.now() - stopped).toBeLessThan(8_000);
      await rowsLeft(session, 'sessions', 0);
      expect(await countRows(session, 'deletions')).toBe(6_000);
      expect(first.status.state).toBe('stopped');
    });

    it('continues after its session was terminated in a batch; what the batch did is undone and done again', async () => {
      const uri = await postgres.database();
      const session = await openGovernedDatabase(uri);
      await session.query(SESSIONS);
      await recordDeletions(session);
      await define(session, 'sessions');
      const reaper = startReaper(uri);
      await state(reaper, 'active');
      // The row is reached, and its trigger waits until the session is terminated.
      await session.query(`CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN IF OLD.id = 900 AND (SELECT count(*) FROM deletions WHERE id = 0) = 0 THEN PERFORM pg_sleep(60); END IF; RETURN OLD; END $$;
        CREATE TRIGGER wait BEFORE DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION wait()`);
      await insertDue(session, 1, 1_000);
      const asleep = `SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND application_name = 'sandglass reaper'`;
      await vi.waitFor(async () => expect((await session.query(asleep)).rowCount).toBe(1), SOON);
      await session.query('INSERT INTO deletions VALUES (0)');
      await session.query(`SELECT pg_terminate_backend(pid) FROM (${asleep}) AS found`);
      await rowsLeft(session, 'sessions', 0);
      expect(await countRows(session, 'deletions')).toBe(1_001);
      await state(reaper, 'active');
    });

    it('continues after the server was killed and started again', async () => {
      const server = await startPostgres();
      const session = await openGovernedDatabase(server.uri);
      await session.query(SESSIONS);
      await insertDue(session, 1, 100);
      await define(session, 'sessions');
      const reaper = startReaper(server.uri);
      await rowsLeft(session, 'sessions', 0);
      await server.kill();
      await state(reaper, 'failing');
      expect(reaper.status.problem?.message).toMatch(/cannot be reached|ended the connection/);
      await server.start();
      const after = await openTestSession(server.uri);
      await insertDue(after, 101, 200);
      await rowsLeft(after, 'sessions', 0);
      await state(reaper, 'active');
      expect(reaper.status.problem).toBeNull();
    });

    it('[R4] goes on beside a definition of a later version', async () => {
      const uri = await postgres.database();
      const session = await openGovernedDatabase(uri);
      await session.query(SESSIONS);
      await insertDue(session, 1, 100);
      await session.query(
        "INSERT INTO sandglass.definitions (relation, name, definition, created_by) VALUES ('sessions', 'later', '{}', 'x')",
      );
      await define(session, 'sessions');
      startReaper(uri);
      await rowsLeft(session, 'sessions', 0);
    });

    it('[R4] reports a table that fails, and goes on with the others', async () => {
      const uri = await postgres.database();
      const session = await openGovernedDatabase(uri);
      await session.query(SESSIONS);
      await session.query(`CREATE TABLE kept (LIKE sessions INCLUDING ALL);
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'kept by law'; END $$;
        CREATE TRIGGER refuse BEFORE DELETE ON kept FOR EACH ROW EXECUTE FUNCTION refuse();
        INSERT INTO kept VALUES (1, now() - interval '1 hour')`);
      await define(session, 'kept');
      await define(session, 'sessions');
      const reaper = startReaper(uri);
      await vi.waitFor(
        () =>
          expect(reaper.status.failures).toMatchObject([
            { collection: 'kept', index: 'by_column', message: expect.stringContaining('kept by law') },
          ]),
        SOON,
      );
      await insertDue(session, 1, 100);
      await rowsLeft(session, 'sessions', 0);
      await session.query('DROP TRIGGER refuse ON kept');
      await rowsLeft(session, 'kept', 0);
      await vi.waitFor(() => expect(reaper.status.failures).toEqual([]), SOON);
    });

    it('[R6] leaves a paused table alone, and stops a pause from the next batch on', async () => {
      const uri = await postgres.database();
      const session = await openGovernedDatabase(uri);
      await session.query(SESSIONS);
      await define(session, 'sessions', { limits: { removalsPerSecond: 1_000 } });
      const table = await readTable(session, 'sessions');
      const reaper = startReaper(uri);
      await insertDue(session, 1, 3_000);
      await vi.waitFor(async () => expect(await countRows(session, 'sessions')).toBeLessThan(3_000), SOON);
      await pauseDefinition(session, table, BY_COLUMN.name, {
        pause: { by: 'a', since: Date.now() },
        by: 'a',
      });
      const left = await countRows(session, 'sessions');
      expect(left).toBeGreaterThan(0);
      await new Promise(resolve => setTimeout(resolve, 2_500));
      expect(await countRows(session, 'sessions')).toBe(left);
      await pauseDefinition(session, table, BY_COLUMN.name, { pause: null, by: 'a' });
      await rowsLeft(session, 'sessions', 0);
      expect(reaper.status.failures).toEqual([]);
    });

    it('[R9] what fell due in more than a week without a reaper waits for a person', async () => {
      const uri = await postgres.database();
      const session = await openGovernedDatabase(uri);
      await session.query(SESSIONS);
      await insertDue(session, 1, 10);
      await define(session, 'sessions');
      await session.query("UPDATE sandglass.state SET reaped_at = now() - interval '8 days'");
      startReaper(uri);
      const [hold] = await held(session);
      expect(hold).toMatchObject({ oid: null, cause: 'long closed', due: 10 });
      expect(await countRows(session, 'sessions')).toBe(10);
      await endHolds(session, [hold?.id ?? '']);
      await rowsLeft(session, 'sessions', 0);
    });

    it('[R10] a jump of the clock ahead holds the database until a person confirms it', async () => {
      const uri = await postgres.database();
      const session = await openGovernedDatabase(uri);
      await session.query(SESSIONS);
      await define(session, 'sessions');
      let jumpedMs = 0;
      // The server's clock is ahead of a stopwatch that shows less time.
      const elapsed = () => systemClock.elapsed() + DAY_MS - jumpedMs;
      const clock: Clock = { ...systemClock, elapsed };
      const reaper = startReaper(uri, { clock });
      await state(reaper, 'active');
      await insertDue(session, 1, 10);
      await rowsLeft(session, 'sessions', 0);
      jumpedMs = 2 * 3_600_000;
      const [hold] = await held(session);
      expect(hold).toMatchObject({ oid: null, cause: 'clock forward' });
      expect(hold?.durationMs).toBeGreaterThan(7_000_000);
      await insertDue(session, 11, 20);
      await new Promise(resolve => setTimeout(resolve, 1_500));
      expect(await countRows(session, 'sessions')).toBe(10);
      await endHolds(session, [hold?.id ?? '']);
      await rowsLeft(session, 'sessions', 0);
    });

    it('acts with the rights of the role that made the definition', async () => {
      const uri = await postgres.database();
      const session = await openGovernedDatabase(uri);
      const role = `clerk_${Date.now()}`;
      await session.query(`CREATE ROLE ${role}`);
      onTestFinished(async () => {
        const admin = await openTestSession(uri);
        await admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
        await admin.close();
      });
      await session.query(`${SESSIONS}; GRANT USAGE ON SCHEMA sandglass TO ${role};
        GRANT ALL ON ALL TABLES IN SCHEMA sandglass TO ${role}; GRANT SELECT ON sessions TO ${role}`);
      await insertDue(session, 1, 10);
      await session.query(`SET ROLE ${role}`);
      await define(session, 'sessions');
      await session.query(`UPDATE sandglass.definitions SET owner_role = 'postgres'`);
      await session.query('RESET ROLE');
      const reaper = startReaper(uri);
      await vi.waitFor(
        () => expect(reaper.status.failures[0]?.message).toMatch(/permission denied for table sessions/),
        SOON,
      );
      expect(await countRows(session, 'sessions')).toBe(10);
      await session.query(`GRANT UPDATE, DELETE ON sessions TO ${role}`);
      await rowsLeft(session, 'sessions', 0);
    });

    it('[R3] adheres to the rate of a definition', async () => {
      const uri = await postgres.database();
      const session = await openGovernedDatabase(uri);
      await session.query(SESSIONS);
      await insertDue(session, 1, 1_000);
      const began = Date.now();
      await define(session, 'sessions', { limits: { removalsPerSecond: 400 } });
      startReaper(uri);
      await rowsLeft(session, 'sessions', 0);
      expect(Date.now() - began).toBeGreaterThan(2_000);
    });
  },
);
