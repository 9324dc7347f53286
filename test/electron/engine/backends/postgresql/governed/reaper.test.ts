import { describe, expect, it, vi } from 'vitest';
import { setRowExpirations } from '../../../../../../electron/engine/backends/postgresql/governed/schema/expirations-table.ts';
import { readPasses } from '../../../../../../electron/engine/backends/postgresql/governed/schema/passes-table.ts';
import { readTable } from '../../../../../../electron/engine/backends/postgresql/governed/table-facts.ts';
import {
  countRows,
  define,
  openGovernedDatabase,
  rowsLeft,
  SOON,
  startReaper,
} from '../../../../../support/governed-table.ts';
import { NEEDS_POSTGRES, openTestSession, postgresOfSuite } from '../../../../../support/postgres.ts';
import { runsHere } from '../../../../../support/runs-here.ts';

const SESSIONS = `CREATE TABLE sessions (id int PRIMARY KEY, expires_at timestamptz);
  CREATE INDEX ON sessions (expires_at)`;

describe.runIf(runsHere('the reaper of PostgreSQL tables', NEEDS_POSTGRES))(
  'the reaper of PostgreSQL tables',
  { timeout: 90_000 },
  () => {
    const postgres = postgresOfSuite();

    it('[D5, D10] deletes what is due, at its deadline, and keeps null, ±infinity and years beyond 9999', async () => {
      const uri = await postgres.database();
      const session = await openGovernedDatabase(uri);
      await session.query(SESSIONS);
      await define(session, 'sessions');
      await session.query(`INSERT INTO sessions VALUES (1, now() - interval '1 day'), (2, now() + interval '2 seconds'),
        (3, now() + interval '1 day'), (4, NULL), (5, 'infinity'), (6, '-infinity'), (7, '10000-01-01'), (8, '1969-12-31')`);
      const reaper = startReaper(uri);
      await rowsLeft(session, 'sessions', 7);
      await rowsLeft(session, 'sessions', 6);
      const { rows } = await session.query(
        'SELECT id, extract(epoch FROM expires_at)::float8 AS at FROM sessions ORDER BY id',
      );
      expect(rows.map(({ id }) => id)).toEqual([3, 4, 5, 6, 7, 8]);
      expect(reaper.status).toMatchObject({ state: 'active', problem: null, failures: [] });
    });

    it('[M1, R7] counts removed rows by the minute with their lag, and writes the pass', async () => {
      const uri = await postgres.database();
      const session = await openGovernedDatabase(uri);
      await session.query(SESSIONS);
      await define(session, 'sessions');
      await session.query(
        "INSERT INTO sessions SELECT n, now() + interval '1 second' FROM generate_series(1, 1000) n",
      );
      startReaper(uri);
      await rowsLeft(session, 'sessions', 0);
      const { rows } = await session.query<{ removed: number; most: number }>(
        "SELECT sum(removed)::int AS removed, max(lag_ms_max) AS most FROM sandglass.minutes WHERE name = 'by_column'",
      );
      expect(rows[0]?.removed).toBe(1000);
      expect(rows[0]?.most).toBeLessThan(20_000);
      await vi.waitFor(async () => {
        const passes = await readPasses(session, { oid: null, before: null, limit: 10 });
        expect(passes).toMatchObject([{ removed: { by_column: 1000 }, ending: 'drained', error: null }]);
      }, SOON);
    });

    it('removes 100,000 rows of a table with a composite key, a quoted name and a quoted schema', async () => {
      const uri = await postgres.database();
      const session = await openGovernedDatabase(uri);
      await session.query(`CREATE SCHEMA "my ""schema"`);
      const name = `"my ""schema"."The 'Table'"`;
      await session.query(`CREATE TABLE ${name} ("a b" text, "c""d" bigint, "expires_at" timestamptz, PRIMARY KEY ("a b", "c""d"));
        CREATE INDEX ON ${name} ("expires_at")`);
      await session.query(`INSERT INTO ${name} SELECT 'x' || n % 7, n, now() + (n % 2 * 2 - 1) * interval '1 hour'
        FROM generate_series(1, 200000) n`);
      await define(session, name);
      startReaper(uri);
      await rowsLeft(session, name, 100_000);
      // Most batches of a long removal are only counted, and their lags are those of a measured one.
      const { rows } = await session.query(
        'SELECT sum(removed)::int AS removed, max(lag_ms_max) >= avg(lag_ms_sum / removed) AS measured FROM sandglass.minutes',
      );
      expect(rows).toEqual([{ removed: 100_000, measured: true }]);
    });

    it('reads a table without an index on the deadline by ranges of its key', async () => {
      const uri = await postgres.database();
      const session = await openGovernedDatabase(uri);
      await session.query('CREATE TABLE visits (a int, b text, expires_at timestamptz, PRIMARY KEY (a, b))');
      await session.query(`INSERT INTO visits SELECT n / 10, n::text, now() + (n % 2 * 2 - 1) * interval '1 hour'
        FROM generate_series(1, 20001) n`);
      await define(session, 'visits');
      startReaper(uri);
      await rowsLeft(session, 'visits', 10_001);
      await session.query("UPDATE visits SET expires_at = now() + interval '1 second' WHERE a < 100");
      await rowsLeft(session, 'visits', 9_501);
    });

    it('skips locked rows, and removes them when they are unlocked', async () => {
      const uri = await postgres.database();
      const session = await openGovernedDatabase(uri);
      const other = await openTestSession(uri);
      await session.query(SESSIONS);
      await session.query(
        "INSERT INTO sessions SELECT n, now() - interval '1 day' FROM generate_series(1, 50) n",
      );
      await other.query('BEGIN');
      await other.query('SELECT FROM sessions WHERE id <= 10 FOR SHARE');
      await define(session, 'sessions');
      startReaper(uri);
      await rowsLeft(session, 'sessions', 10);
      await other.query('COMMIT');
      await rowsLeft(session, 'sessions', 0);
    });

    it('[A6] keeps a row whose deadline moves later while the reaper waits for it', async () => {
      const uri = await postgres.database();
      const session = await openGovernedDatabase(uri);
      const other = await openTestSession(uri);
      await session.query(SESSIONS);
      await session.query(
        "INSERT INTO sessions SELECT n, now() - interval '1 day' FROM generate_series(1, 500) n",
      );
      await other.query('BEGIN');
      await other.query("UPDATE sessions SET expires_at = now() + interval '1 day' WHERE id % 2 = 0");
      await define(session, 'sessions');
      startReaper(uri);
      await rowsLeft(session, 'sessions', 250);
      await other.query('COMMIT');
      await session.query("INSERT INTO sessions VALUES (1001, now() - interval '1 day')");
      await vi.waitFor(
        async () => expect((await session.query('SELECT FROM sessions WHERE id = 1001')).rowCount).toBe(0),
        SOON,
      );
      expect(await countRows(session, 'sessions')).toBe(250);
    });

    it('[E1] removes a row at its explicit expiration, never a pinned one, and forgets those of rows that are gone', async () => {
      const uri = await postgres.database();
      const session = await openGovernedDatabase(uri);
      await session.query(SESSIONS);
      await session.query(`INSERT INTO sessions SELECT n, now() + (CASE WHEN n <= 3 THEN -1 ELSE 1 END) * interval '1 day'
        FROM generate_series(1, 6) n`);
      const table = await readTable(session, 'sessions');
      const by = 'test';
      const pinned = await setRowExpirations(session, table, [['1'], ['99']], { expiration: 'never', by });
      expect(pinned.missing).toEqual([['99']]);
      await setRowExpirations(session, table, [['2']], { expiration: Date.now() + 3_600_000, by });
      await setRowExpirations(session, table, [['4'], ['5']], { expiration: Date.now() + 500, by });
      await session.query('DELETE FROM sessions WHERE id = 5');
      await define(session, 'sessions');
      startReaper(uri);
      await vi.waitFor(async () => {
        const { rows } = await session.query('SELECT id FROM sessions ORDER BY id');
        expect(rows.map(({ id }) => id)).toEqual([1, 2, 6]);
        expect(await countRows(session, 'sandglass.expirations')).toBe(2);
      }, SOON);
    });

    it('[A4] moves rows to another table in the statement that deletes them', async () => {
      const uri = await postgres.database();
      const session = await openGovernedDatabase(uri);
      await session.query(`CREATE TABLE jobs (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at timestamptz, leaf text,
          twice text GENERATED ALWAYS AS (leaf || leaf) STORED);
        CREATE INDEX ON jobs (at);
        CREATE TABLE "Old jobs" (LIKE jobs INCLUDING ALL, archived timestamptz DEFAULT now())`);
      await session.query(
        "INSERT INTO jobs (at, leaf) SELECT now() - interval '1 day', 'x' FROM generate_series(1, 300)",
      );
      await define(session, 'jobs', {
        source: { kind: 'field', field: 'at', unit: 'seconds', expireAfter: 3600 },
        onExpire: { action: 'move', to: '"Old jobs"' },
      });
      startReaper(uri);
      await rowsLeft(session, 'jobs', 0);
      const { rows } = await session.query(
        'SELECT count(*)::int AS count, min(id) AS first, max(twice) AS twice, count(archived)::int AS archived FROM "Old jobs"',
      );
      expect(rows).toEqual([{ count: 300, first: 1, twice: 'xx', archived: 300 }]);
    });
  },
);
