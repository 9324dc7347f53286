import { describe, expect, it, vi } from 'vitest';
import { ProtectedRows } from '../../../../../../electron/engine/backends/postgresql/governed/batches/protected-rows.ts';
import { setRowExpirations } from '../../../../../../electron/engine/backends/postgresql/governed/schema/expirations-table.ts';
import { askForRun } from '../../../../../../electron/engine/backends/postgresql/governed/schema/runs-table.ts';
import { readTable } from '../../../../../../electron/engine/backends/postgresql/governed/table-facts.ts';
import {
  countRows,
  define,
  openGovernedDatabase,
  rowsLeft,
  SOON,
  startReaper,
} from '../../../../../support/governed-table.ts';
import { NEEDS_POSTGRES, postgresOfSuite } from '../../../../../support/postgres.ts';
import { runsHere } from '../../../../../support/runs-here.ts';

/** 3,000 due rows; one that is the first, one with the deadline of many others, and the last one are referred to. */
const ORDERS = `CREATE TABLE orders (id int PRIMARY KEY, expires_at timestamptz);
  INSERT INTO orders SELECT n, '2020-01-01'::timestamptz + n / 1000 * interval '1 day' FROM generate_series(1, 3000) n;
  CREATE TABLE invoices (of int REFERENCES orders);
  INSERT INTO invoices VALUES (1), (1500), (3000)`;

describe('protected rows', () => {
  it('are tried again after a minute, then after twice as long, and forgotten once they are not refused', () => {
    let now = 0;
    const rows = new ProtectedRows(() => now);
    rows.add(['1'], new Error('first'));
    expect(rows.skipped).toEqual([['1']]);
    now = 60_000;
    expect(rows.skipped).toEqual([]);
    rows.add(['1'], new Error('second'));
    rows.lapEnded(60_000);
    expect(rows.found).toEqual({ rows: 1, reply: 'second' });
    now = 179_999;
    expect(rows.skipped).toEqual([['1']]);
    now = 180_000;
    expect(rows.skipped).toEqual([]);
    rows.lapEnded(180_000);
    expect(rows.found).toBeNull();
  });

  it('are at most a thousand', () => {
    const rows = new ProtectedRows(() => 0);
    for (let i = 0; i < 1_000; i++) rows.add([String(i)], new Error('refused'));
    expect(() => rows.add(['1000'], new Error('refused'))).toThrow(/More than 1,000 due rows .* refused/);
    expect(() => rows.add(['7'], new Error('refused'))).not.toThrow();
  });
});

describe.runIf(runsHere('rows of PostgreSQL that foreign keys protect', NEEDS_POSTGRES))(
  'rows of PostgreSQL that foreign keys protect',
  { timeout: 90_000 },
  () => {
    const postgres = postgresOfSuite();

    async function opened() {
      const uri = await postgres.database();
      const session = await openGovernedDatabase(uri);
      await session.query(ORDERS);
      const rollbacks = async () => {
        const { rows } = await session.query<{ count: number }>(
          'SELECT xact_rollback::int AS count FROM pg_stat_database WHERE datname = current_database()',
        );
        return rows[0]?.count ?? 0;
      };
      return { uri, session, rollbacks };
    }

    it.each([
      ['by the index of the deadline', true],
      ['by the primary key', false],
    ])('[R4] stay, and the others are removed %s', async (_way, isIndexed) => {
      const { uri, session, rollbacks } = await opened();
      if (isIndexed) await session.query('CREATE INDEX ON orders (expires_at)');
      await define(session, 'orders');
      const reaper = startReaper(uri);
      await rowsLeft(session, 'orders', 3);
      await vi.waitFor(
        () =>
          expect(reaper.status.protectedRows).toMatchObject([
            { collection: 'orders', index: 'by_column', rows: 3, reply: /violates foreign key/ },
          ]),
        SOON,
      );
      expect(reaper.status.failures).toEqual([]);
      // They are not tried in each round.
      await new Promise(resolve => setTimeout(resolve, 1_500));
      const before = await rollbacks();
      expect(before).toBeLessThan(120);
      // Without an index, the table is read again after fifty times as long as that took.
      if (!isIndexed) return;
      await session.query("INSERT INTO orders SELECT n, '2020-01-01' FROM generate_series(4001, 4100) n");
      await rowsLeft(session, 'orders', 3);
      await new Promise(resolve => setTimeout(resolve, 1_500));
      expect(await rollbacks()).toBe(before);
    });

    it('[R6] are tried again by a pass that a person starts', async () => {
      const { uri, session } = await opened();
      await session.query('CREATE INDEX ON orders (expires_at)');
      await define(session, 'orders');
      const reaper = startReaper(uri);
      await rowsLeft(session, 'orders', 3);
      await session.query('DELETE FROM invoices WHERE of <> 1500');
      const table = await readTable(session, 'orders');
      await askForRun(session, { oid: table.oid, name: null, by: 'ada' });
      await rowsLeft(session, 'orders', 1);
      await vi.waitFor(() => expect(reaper.status.protectedRows).toMatchObject([{ rows: 1 }]), SOON);
    });

    it('[E1] stay also with an expiration of their own', async () => {
      const { uri, session } = await opened();
      await session.query("UPDATE orders SET expires_at = '2999-01-01'");
      const table = await readTable(session, 'orders');
      const keys = Array.from({ length: 20 }, (_, i) => [String(1_490 + i)]);
      await setRowExpirations(session, table, keys, { expiration: Date.now() - 1_000, by: 'ada' });
      const reaper = startReaper(uri);
      await rowsLeft(session, 'orders', 2_981);
      await vi.waitFor(
        () => expect(reaper.status.protectedRows).toMatchObject([{ index: 'explicit', rows: 1 }]),
        SOON,
      );
      expect(await countRows(session, 'sandglass.expirations')).toBe(1);
    });

    it('are found where the constraint is checked at the end of the transaction, and behind a cascade', async () => {
      const { uri, session } = await opened();
      await session.query(`CREATE INDEX ON orders (expires_at); TRUNCATE invoices;
        CREATE TABLE late (of int REFERENCES orders DEFERRABLE INITIALLY DEFERRED); INSERT INTO late VALUES (7);
        CREATE TABLE items (id int PRIMARY KEY, of int REFERENCES orders ON DELETE CASCADE); INSERT INTO items VALUES (1, 8), (2, 9);
        CREATE TABLE parcels (of int REFERENCES items); INSERT INTO parcels VALUES (2)`);
      await define(session, 'orders');
      startReaper(uri);
      await rowsLeft(session, 'orders', 2);
      expect((await session.query('SELECT id FROM orders ORDER BY id')).rows).toEqual([{ id: 7 }, { id: 9 }]);
    });
  },
);
