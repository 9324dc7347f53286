import { describe, expect, it } from 'vitest';
import { BY_COLUMN } from '../../../../../support/governed-table.ts';
import { NEEDS_POSTGRES, openTestSession, postgresOfSuite } from '../../../../../support/postgres.ts';
import { openTestPostgres } from '../../../../../support/postgres-backend.ts';
import { runsHere } from '../../../../../support/runs-here.ts';

const HOUR_MS = 3_600_000;

/**
 * By the day of `at`: 100 rows of ten days ago, 200 of a range that ends in two hours, half of them past their own deadline, 30 in
 * the default partition, a third of which are due.
 */
const DAYS = `CREATE TABLE days (id int, at timestamptz, PRIMARY KEY (id, at)) PARTITION BY RANGE (at);
  CREATE INDEX ON days (at);
  CREATE TABLE others PARTITION OF days DEFAULT;
  DO $$ BEGIN
    EXECUTE format('CREATE TABLE past PARTITION OF days FOR VALUES FROM (%L) TO (%L)', now() - interval '10 days', now() - interval '9 days');
    EXECUTE format('CREATE TABLE today PARTITION OF days FOR VALUES FROM (%L) TO (%L)', now() - interval '2 hours', now() + interval '2 hours');
  END $$;
  INSERT INTO days SELECT n, now() - interval '9 days 2 hours' FROM generate_series(1, 100) n;
  INSERT INTO days SELECT n, now() - (n % 2 * 60 + 30) * interval '1 minute' FROM generate_series(1, 200) n;
  INSERT INTO days SELECT n, now() + (n % 3 * 2 - 1) * interval '1 day' FROM generate_series(1, 30) n;
  ANALYZE days; ANALYZE past; ANALYZE today; ANALYZE others`;

const SOURCE = { kind: 'field', field: 'at', unit: 'seconds', expireAfter: 3_600 } as const;
const DROP = { mode: 'drop' } as const;

describe.runIf(runsHere('previews of partitions of PostgreSQL', NEEDS_POSTGRES))(
  'previews of partitions of PostgreSQL',
  { timeout: 60_000 },
  () => {
    const postgres = postgresOfSuite();

    async function opened() {
      const uri = await postgres.database();
      const session = await openTestSession(uri);
      await session.query(DAYS);
      const backend = await openTestPostgres(uri);
      const preview = (more: object) =>
        backend.governance.preview({ collection: 'days', source: SOURCE, ...more });
      return { session, backend, preview };
    }

    it('[X3] rows of a partition that is removed as a whole are due with it, whether counted or estimated', async () => {
      const { preview } = await opened();
      const byRow = await preview({});
      expect(byRow).toMatchObject({ documents: 330, dueAtOnce: 210, nextHour: 100 });
      expect(byRow.partitions).toBeUndefined();
      const whole = await preview({ partitions: DROP });
      expect(whole).toMatchObject({
        documents: 330,
        dueAtOnce: 110,
        nextHour: 0,
        nextDay: 200,
        nextWeek: 20,
      });
      expect(whole.partitions).toEqual({ count: 2, dueAtOnce: 1, rowsDueAtOnce: 100, keptSeconds: null });
      expect(whole.nextDeadlineAt).toBeGreaterThan(whole.at + 2.9 * HOUR_MS);
      const kept = await preview({ partitions: { mode: 'keep', seconds: 60 }, estimate: true });
      expect(kept).toMatchObject({ isEstimate: true, nextDay: expect.any(Number) });
      expect(Math.abs(kept.nextDay - 200)).toBeLessThan(30);
      expect(Math.abs(kept.dueAtOnce - 110)).toBeLessThan(30);
      expect(kept.partitions).toMatchObject({ dueAtOnce: 1, keptSeconds: 60 });
    });

    it('[X3] a row with an expiration of its own is no part of what its partition removes', async () => {
      const { backend, preview, session } = await opened();
      await backend.governance.createSchema();
      await session.query(
        "INSERT INTO sandglass.expirations (relation, row_key, owner_role, set_by) SELECT 'days', ARRAY[id::text, at::text], current_user, 'a' FROM past LIMIT 7",
      );
      const { dueAtOnce, never } = await preview({ partitions: DROP });
      expect(dueAtOnce).toBe(103);
      expect(never).toMatchObject({ count: 7, reasons: [{ reason: 'pinned', count: 7 }] });
    });

    it('a change is previewed with the partitions of the present definition, and dropping one without them', async () => {
      const { backend, preview } = await opened();
      await backend.governance.createSchema();
      await backend.governance.setPause({}, { by: 'a', since: 0 }, 'a');
      const definition = { ...BY_COLUMN, name: 'ttl', source: SOURCE, partitions: DROP };
      await backend.governance.create('days', definition, { by: 'a', isExpected: true });
      expect(await preview({ name: 'ttl' })).toMatchObject({ kind: 'change', dueAtOnce: 110 });
      expect(await preview({ name: 'ttl', partitions: { mode: 'rows' } })).toMatchObject({ dueAtOnce: 210 });
      const dropped = await preview({ name: 'ttl', drop: true });
      expect(dropped).toMatchObject({ dueAtOnce: 0, never: { count: 330 } });
      expect(dropped.partitions).toBeUndefined();
    });

    it('[E3] clearing an expiration makes a row due with its partition', async () => {
      const { backend, session } = await opened();
      await backend.governance.createSchema();
      await backend.governance.setPause({}, { by: 'a', since: 0 }, 'a');
      const definition = { ...BY_COLUMN, name: 'ttl', source: SOURCE, partitions: DROP };
      await backend.governance.create('days', definition, { by: 'a', isExpected: true });
      await session.query(
        "INSERT INTO sandglass.expirations (relation, row_key, owner_role, set_by) SELECT 'days', ARRAY[id::text, at::text], current_user, 'a' FROM today WHERE id % 2 = 1 LIMIT 5",
      );
      const { rows } = await session.query<{ key: string[] }>(
        'SELECT to_jsonb(row_key) AS key FROM sandglass.expirations',
      );
      const ids = rows.map(({ key }) => JSON.stringify(key));
      const dueIn = (ms: number) => backend.dueAfterSetting('days', ids, null, { by: Date.now() + ms });
      expect(await dueIn(HOUR_MS)).toEqual({ due: 0, done: 5 });
      expect(await dueIn(4 * HOUR_MS)).toEqual({ due: 5, done: 5 });
    });
  },
);
