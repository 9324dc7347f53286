import { describe, expect, it } from 'vitest';
import { quoteName } from '../../../../../electron/engine/backends/postgresql/connection/quoting.ts';
import { freePort } from '../../../../support/free-port.ts';
import {
  NEEDS_POSTGRES,
  openTestPool,
  openTestSession,
  postgresOfSuite,
  startPostgres,
} from '../../../../support/postgres.ts';
import { runsHere } from '../../../../support/runs-here.ts';

describe.runIf(runsHere('sessions of PostgreSQL', NEEDS_POSTGRES))('sessions of PostgreSQL', () => {
  const server = postgresOfSuite();

  it('compiles no statement: that took seconds for a count of a few thousand rows', async () => {
    const session = await openTestSession(await server.database());
    const { rows } = await session.query('SHOW jit');
    expect(rows).toEqual([{ jit: 'off' }]);
  });

  it('reads values without loss, and instants in UTC', async () => {
    const session = await openTestSession(await server.database());
    const { rows } = await session.query(
      `SELECT true AS yes, 3 AS number, 1.5::float8 AS real, 12345678901234567890::numeric AS digits,
        '{"a": 1}'::jsonb AS json, null AS nothing, '2026-01-02 03:04:05.678901+02'::timestamptz AS instant,
        'infinity'::timestamp AS never, $1::text AS given`,
      [`it's "quoted"`],
    );
    expect(rows).toEqual([
      {
        yes: true,
        number: 3,
        real: 1.5,
        digits: '12345678901234567890',
        json: { a: 1 },
        nothing: null,
        instant: '2026-01-02 01:04:05.678901+00',
        never: 'infinity',
        given: `it's "quoted"`,
      },
    ]);
  });

  it.each(['plain', 'Mixed Case', 'with "quotes"', `'; drop table x; --`, 'ü\n\t.'])(
    'quotes %j so that it names itself',
    async name => {
      const session = await openTestSession(await server.database());
      await session.query(`CREATE TABLE ${quoteName(name)} (${quoteName(name)} int)`);
      const { rows } = await session.query(`SELECT relname FROM pg_class WHERE relname = $1`, [name]);
      expect(rows).toEqual([{ relname: name }]);
    },
  );

  it('refuses every write of a read-only connection, by the server', async () => {
    const pool = openTestPool(await server.database(), { readOnly: true });
    await expect(pool.write(session => session.query('CREATE TABLE a (b int)'))).rejects.toMatchObject({
      code: 'READ_ONLY',
      data: { sqlState: '25006' },
    });
  });

  it('refuses writes of a reading transaction', async () => {
    const pool = openTestPool(await server.database());
    await expect(pool.read(session => session.query('CREATE TABLE a (b int)'))).rejects.toMatchObject({
      code: 'READ_ONLY',
    });
    await expect(pool.query('CREATE TABLE a (b int)')).resolves.toMatchObject({ rowCount: 0 });
  });

  it('rolls back what a failed transaction wrote', async () => {
    const pool = openTestPool(await server.database());
    await pool.query('CREATE TABLE a (b int)');
    await expect(
      pool.write(async session => {
        await session.query('INSERT INTO a VALUES (1)');
        throw new Error('of the test');
      }),
    ).rejects.toThrow('of the test');
    expect((await pool.query('SELECT * FROM a')).rows).toEqual([]);
  });

  it('uses at most four sessions, whatever the number of calls', async () => {
    const pool = openTestPool(await server.database());
    const counts = await Promise.all(
      Array.from({ length: 20 }, () =>
        pool.query<{ n: number }>(
          `SELECT count(*)::int4 AS n, pg_sleep(0.02) FROM pg_stat_activity WHERE application_name = 'sandglass' AND datname = current_database()`,
        ),
      ),
    );
    const most = Math.max(...counts.map(({ rows }) => rows[0]?.n ?? 0));
    expect(most).toBe(4);
  });

  it('refuses a wrong password, a missing one and a database that is not there, each by its code', async () => {
    const wrong = openTestPool(server.uri.replace('of-the-test', 'wrong'));
    await expect(wrong.query('SELECT 1')).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    const missing = openTestPool(server.uri.replace(':of-the-test', ''));
    await expect(missing.query('SELECT 1')).rejects.toMatchObject({ code: 'SECRET_REQUIRED' });
    const nowhere = openTestPool(server.uri.replace(/postgres$/, 'nowhere'));
    await expect(nowhere.query('SELECT 1')).rejects.toMatchObject({ code: 'INVALID_CONNECTION' });
    const tls = openTestPool(`${server.uri}?sslmode=require`);
    await expect(tls.query('SELECT 1')).rejects.toMatchObject({ code: 'INVALID_CONNECTION' });
    const silent = openTestPool(`postgresql://postgres@127.0.0.1:${await freePort()}/postgres`);
    await expect(silent.query('SELECT 1')).rejects.toMatchObject({ code: 'SERVER_UNREACHABLE' });
  });
});

describe.runIf(runsHere('a restart of PostgreSQL', NEEDS_POSTGRES))('a PostgreSQL server that ends', () => {
  it('is unreachable meanwhile, and answers after its restart', async () => {
    const server = await startPostgres();
    const pool = openTestPool(server.uri);
    const own = await openTestSession(server.uri);
    const ended = new Promise<void>(resolve => own.onEnd(resolve));
    await pool.query('CREATE TABLE kept AS SELECT 1 AS a');
    await server.kill();
    await ended;
    await expect(pool.query('SELECT 1')).rejects.toMatchObject({ code: 'SERVER_UNREACHABLE' });
    await server.start();
    expect((await pool.query('SELECT a FROM kept')).rows).toEqual([{ a: 1 }]);
  });
});
