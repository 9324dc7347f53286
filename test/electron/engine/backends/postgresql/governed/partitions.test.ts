import { describe, expect, it, vi } from 'vitest';
import { POSTGRES_CATALOG } from '../../../../../../electron/engine/backends/postgresql/catalog/table-entry.ts';
import {
  inTransaction,
  type OwnSession,
} from '../../../../../../electron/engine/backends/postgresql/connection/session.ts';
import { readSnapshot } from '../../../../../../electron/engine/backends/postgresql/governance/governance-snapshot.ts';
import { readGovernedTimeline } from '../../../../../../electron/engine/backends/postgresql/governance/governed-timeline.ts';
import { rowDeadlinesOf } from '../../../../../../electron/engine/backends/postgresql/governance/row-deadlines-of.ts';
import { earliestDeadline } from '../../../../../../electron/engine/backends/postgresql/governed/batches/earliest-deadline.ts';
import { deadlineSql } from '../../../../../../electron/engine/backends/postgresql/governed/deadline/deadline-sql.ts';
import type { PartitionPolicy } from '../../../../../../electron/engine/backends/postgresql/governed/definition.ts';
import {
  isPartitionedByDeadline,
  rangeOf,
  readPartitions,
} from '../../../../../../electron/engine/backends/postgresql/governed/partitions/partition.ts';
import { readWholePartitions } from '../../../../../../electron/engine/backends/postgresql/governed/partitions/whole-partitions.ts';
import { dropDefinition } from '../../../../../../electron/engine/backends/postgresql/governed/schema/definitions-table.ts';
import { setRowExpirations } from '../../../../../../electron/engine/backends/postgresql/governed/schema/expirations-table.ts';
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

/** Monthly partitions of 2026, a default one, and 100 rows in each. */
const EVENTS = `CREATE TABLE events (id int, at timestamptz, PRIMARY KEY (id, at)) PARTITION BY RANGE (at);
  CREATE INDEX ON events (at);
  CREATE TABLE events_01 PARTITION OF events FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');
  CREATE TABLE events_02 PARTITION OF events FOR VALUES FROM ('2026-02-01') TO ('2026-03-01');
  CREATE TABLE "events '03" PARTITION OF events FOR VALUES FROM ('2026-03-01') TO ('2026-04-01');
  CREATE TABLE events_99 PARTITION OF events FOR VALUES FROM ('2999-01-01') TO ('3000-01-01');
  CREATE TABLE others PARTITION OF events DEFAULT;
  INSERT INTO events SELECT n, timestamptz '2026-01-15' + (n % 3) * interval '30 days' FROM generate_series(1, 300) n;
  INSERT INTO events SELECT n, '2999-05-05' FROM generate_series(1, 100) n;
  INSERT INTO events SELECT n, '2020-05-05' FROM generate_series(1, 100) n;
  ANALYZE`;

const HOUR_MS = 3_600_000;
const AT = { kind: 'field', field: 'at', unit: 'seconds', expireAfter: 3600 } as const;

describe('bounds of a partition', () => {
  it('are read as the server writes them', () => {
    expect(rangeOf("FOR VALUES FROM ('2026-01-01 00:00:00+00') TO ('it''s')")).toEqual({
      lower: '2026-01-01 00:00:00+00',
      upper: "it's",
    });
    expect(rangeOf('FOR VALUES FROM (-10) TO (20)')).toEqual({ lower: '-10', upper: '20' });
    for (const none of [
      'DEFAULT',
      "FOR VALUES FROM (MINVALUE) TO ('1')",
      "FOR VALUES FROM ('1') TO (MAXVALUE)",
      "FOR VALUES FROM ('1', '2') TO ('3', '4')",
      "FOR VALUES IN ('1')",
    ])
      expect(rangeOf(none)).toBeNull();
  });
});

describe.runIf(runsHere('partitions of PostgreSQL tables', NEEDS_POSTGRES))(
  'partitions of PostgreSQL tables',
  { timeout: 90_000 },
  () => {
    const postgres = postgresOfSuite();

    async function events(policy: PartitionPolicy) {
      const uri = await postgres.database();
      const session = await openGovernedDatabase(uri);
      await session.query(EVENTS);
      await define(session, 'events', { source: AT }, policy);
      return { uri, session };
    }

    const tables = async (session: OwnSession) => {
      const { rows } = await session.query<{ name: string }>(
        `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
      );
      return rows.map(({ name }) => name);
    };

    it('a partition past its deadline is dropped as a whole; rows of the default partition leave one by one', async () => {
      const { uri, session } = await events({ mode: 'drop' });
      startReaper(uri);
      await rowsLeft(session, 'events', 100);
      await vi.waitFor(async () => expect(await tables(session)).toEqual(['events_99', 'others']), SOON);
      const { rows } = await session.query(
        'SELECT partition, rows_estimated::int AS rows FROM sandglass.detached_partitions ORDER BY id',
      );
      expect(rows).toEqual([
        { partition: '"public"."events_01"', rows: 100 },
        { partition: '"public"."events_02"', rows: 100 },
        { partition: '"public"."events \'03"', rows: 100 },
      ]);
      const counted = await session.query('SELECT sum(removed)::int AS removed FROM sandglass.minutes');
      expect(counted.rows).toEqual([{ removed: 400 }]);
    });

    it('[M1] the lag of a partition that was past its deadline counts from the definition', async () => {
      const { uri, session } = await events({ mode: 'drop' });
      startReaper(uri);
      await rowsLeft(session, 'events', 100);
      const { rows } = await session.query(
        `SELECT (SELECT max(lag_ms_max) < 3600000 FROM sandglass.minutes) AS short, count(*)::int AS partitions
          FROM sandglass.removed r, sandglass.definitions d WHERE r.detached IS NOT NULL AND r.due_since = d.effective_at`,
      );
      expect(rows).toEqual([{ short: true, partitions: 3 }]);
    });

    it.each([
      ['small', 1],
      ['large', 1_500],
    ])('rows of a %s table are due with their partition, and not overdue before', async (_size, bytes) => {
      const uri = await postgres.database();
      const session = await openGovernedDatabase(uri);
      await session.query(`CREATE TABLE days (id int, at timestamptz, pad text, PRIMARY KEY (id, at)) PARTITION BY RANGE (at);
          CREATE INDEX ON days (at);
          CREATE TABLE others PARTITION OF days DEFAULT;
          DO $$ BEGIN EXECUTE format('CREATE TABLE today PARTITION OF days FOR VALUES FROM (%L) TO (%L)',
            now() - interval '2 hours', now() + interval '2 hours'); END $$;
          INSERT INTO days SELECT n, now() - (n % 2 * 60 + 30) * interval '1 minute', repeat('x', ${bytes})
            FROM generate_series(1, 4000) n;
          ANALYZE days; ANALYZE today`);
      await define(session, 'days', { source: AT }, { mode: 'drop' });
      const now = Date.now();
      const span = { from: now - 6 * HOUR_MS, to: now + 6 * HOUR_MS, buckets: 12 };
      const measure = async () => {
        const snapshot = await readSnapshot(session, now, () => {});
        const { buckets } = await readGovernedTimeline(session, snapshot, span, { now, revision: 0 });
        const figures = snapshot.indexes.get('days')?.[0]?.figures;
        return { figures, due: buckets.map(({ due }) => due) };
      };
      const inThreeHours = Array.from({ length: 12 }, (_, i) =>
        i === 8 || i === 9 ? expect.any(Number) : 0,
      );
      const first = await measure();
      expect(first.figures).toMatchObject({ rows: 4_000, overdue: 0, dueNextHour: 0 });
      expect(first.figures?.earliestAt).toBeGreaterThan(now + 2.9 * HOUR_MS);
      expect(first.due).toEqual(inThreeHours);
      expect(first.due.reduce((sum, due) => sum + due, 0)).toBe(4_000);
      const entry = (await POSTGRES_CATALOG.tables(session)).find(one => one.collection === 'days');
      if (entry === undefined) throw new Error('no table');
      const { deadline } = await rowDeadlinesOf(session, await readSnapshot(session, now, () => {}), entry);
      expect(await countRows(session, `days t WHERE ${deadline} < now() + interval '2 hours'`)).toBe(0);
      await session.query(
        "INSERT INTO days SELECT n, now() - interval '5 hours' FROM generate_series(1, 5) n",
      );
      expect(await countRows(session, `days t WHERE ${deadline} < now()`)).toBe(5);
      const { figures } = await measure();
      expect(figures?.overdue).toBe(5);
      expect(figures?.earliestAt).toBeLessThan(now - 3.9 * HOUR_MS);
    });

    it('the search for the earliest deadline reads no rows of partitions that leave as a whole', async () => {
      const { session } = await events({ mode: 'drop' });
      const table = await readTable(session, 'events');
      const deadlines = await deadlineSql(session, table, AT);
      const whole = await readWholePartitions(session, table, deadlines);
      const read = await inTransaction(session, async () => {
        const except = whole.flatMap(({ leaves }) => leaves);
        const earliest = await earliestDeadline(session, { table, deadlines }, { except });
        expect(earliest?.at).toBe(Date.parse('2020-05-05T01:00:00Z'));
        const { rows } = await session.query(
          `SELECT relname AS name FROM pg_stat_xact_user_tables
            WHERE schemaname = 'public' AND seq_tup_read + coalesce(idx_tup_fetch, 0) > 0`,
        );
        return rows;
      });
      expect(read).toEqual([{ name: 'others' }]);
    });

    it('one that is kept is detached and not listed as a table, and is dropped at the end of its time', async () => {
      const { uri, session } = await events({ mode: 'keep', seconds: 3 });
      startReaper(uri);
      await rowsLeft(session, 'events', 100);
      expect(await countRows(session, 'events_01')).toBe(100);
      const listed = (await POSTGRES_CATALOG.tables(session)).map(({ collection }) => collection);
      expect(listed).toEqual(['events']);
      // Also if its TTL index is gone by then.
      await dropDefinition(session, await readTable(session, 'events'), 'by_column', 'ada');
      await vi.waitFor(async () => expect(await tables(session)).toEqual(['events_99', 'others']), SOON);
    });

    it('a partition with a pinned row stays; its other rows leave one by one', async () => {
      const { uri, session } = await events({ mode: 'drop' });
      const table = await readTable(session, 'events');
      const { rows } = await session.query<{ id: string; at: string }>(
        "SELECT id::text, at::text FROM events WHERE at < '2026-02-01' AND at > '2026-01-01' LIMIT 1",
      );
      const [row] = rows;
      await setRowExpirations(session, table, [[row?.id ?? '', row?.at ?? '']], {
        expiration: 'never',
        by: 'a',
      });
      startReaper(uri);
      await rowsLeft(session, 'events', 101);
      expect(await tables(session)).toEqual(['events_01', 'events_99', 'others']);
      expect(await countRows(session, 'events_01')).toBe(1);
    });

    it('waits for nobody: while a transaction uses the table, it is tried again', async () => {
      const { uri, session } = await events({ mode: 'drop' });
      const other = await openTestSession(uri);
      await other.query('BEGIN');
      await other.query('SELECT FROM events LIMIT 1');
      const reaper = startReaper(uri);
      await vi.waitFor(() => expect(reaper.status.failures[0]?.message).toMatch(/lock/), SOON);
      expect(await countRows(session, 'events_01')).toBe(100);
      await other.query('COMMIT');
      await rowsLeft(session, 'events', 100);
    });

    it('rows are removed one by one where a foreign key refers to the table, or the policy says so', async () => {
      const { uri, session } = await events({ mode: 'drop' });
      await session.query(
        'CREATE TABLE notes (id int, at timestamptz, FOREIGN KEY (id, at) REFERENCES events ON DELETE CASCADE)',
      );
      startReaper(uri);
      await rowsLeft(session, 'events', 100);
      expect(await tables(session)).toHaveLength(6);
    });

    it('the deadline is bounded by the partition key only if that is its column', async () => {
      const session = await openGovernedDatabase(await postgres.database());
      await session.query(`CREATE TABLE r (id int, at date, b bigint) PARTITION BY RANGE (b);
        CREATE TABLE r1 PARTITION OF r FOR VALUES FROM (1767225600) TO (1769904000);
        CREATE TABLE r0 PARTITION OF r FOR VALUES FROM (MINVALUE) TO (1767225600);
        CREATE TABLE l (id int, at date) PARTITION BY LIST (at)`);
      const [r, l] = [await readTable(session, 'r'), await readTable(session, 'l')];
      const byB = { kind: 'field', field: 'b', unit: 'seconds', expireAfter: 60 } as const;
      expect(await isPartitionedByDeadline(session, r, { ...byB, field: 'at' })).toBe(false);
      expect(await isPartitionedByDeadline(session, l, { ...byB, field: 'at' })).toBe(false);
      expect(await isPartitionedByDeadline(session, r, byB)).toBe(true);
      const partitions = await readPartitions(session, r, await deadlineSql(session, r, byB));
      expect(partitions.map(({ name, deadlineAt }) => [name.table, deadlineAt])).toEqual([
        ['r1', Date.UTC(2026, 1, 1, 0, 1)],
        ['r0', null],
      ]);
    });
  },
);
