import { describe, expect, it, vi } from 'vitest';
import type { RestoreOptions } from '../../../../../electron/engine/backends/backend.ts';
import type { OwnSession } from '../../../../../electron/engine/backends/postgresql/connection/session.ts';
import type { PostgresBackend } from '../../../../../electron/engine/backends/postgresql/postgres-backend.ts';
import type { ExpiredEntry } from '../../../../../shared/contract/metrics.ts';
import { BY_COLUMN, countRows, rowsLeft, SOON } from '../../../../support/governed-table.ts';
import { NEEDS_POSTGRES, openTestSession, postgresOfSuite } from '../../../../support/postgres.ts';
import { openTestPostgres } from '../../../../support/postgres-backend.ts';
import { runsHere } from '../../../../support/runs-here.ts';

/** A table with a column of each kind that JSON could change. */
const ORDERS = `CREATE TABLE orders (
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text UNIQUE, price numeric, big bigint, ratio float8, bytes bytea, tags text[], notes json, more jsonb,
    at timestamp, span interval, expires_at timestamptz, twice numeric GENERATED ALWAYS AS (price * 2) STORED
  );
  CREATE INDEX ON orders (expires_at)`;

const ROW = `'a', 1.10, 9007199254740993, 'NaN', '\\xfe00', '{x,NULL,"y z"}', '{"b": 1,  "a": 1.0}', '{"k": [1]}',
  '2020-01-02 03:04:05.678901', '1 mon 2 days', '2020-01-01 00:00:00.000001+00'`;
const COLUMNS = 'name, price, big, ratio, bytes, tags, notes, more, at, span, expires_at';

const PIN: RestoreOptions = { expiration: { never: true }, onConflict: 'skip', choices: {} };
const KEPT = { ...BY_COLUMN, retention: 3_600 };

describe.runIf(runsHere('restored rows of PostgreSQL', NEEDS_POSTGRES))(
  'restored rows of PostgreSQL',
  { timeout: 90_000 },
  () => {
    const postgres = postgresOfSuite();

    async function open(
      sql: string,
    ): Promise<{ session: OwnSession; backend: PostgresBackend; uri: string }> {
      const uri = await postgres.database();
      const session = await openTestSession(uri);
      await session.query(sql);
      const backend = await openTestPostgres(uri);
      await backend.governance.createSchema();
      return { session, backend, uri };
    }

    async function expiredOf(backend: PostgresBackend, count: number): Promise<ExpiredEntry[]> {
      const { expired } = await backend.reads.expired({ limit: 1_000 });
      expect(expired).toHaveLength(count);
      return expired;
    }

    const define = (
      backend: PostgresBackend,
      collection: string,
      definition: Parameters<PostgresBackend['governance']['create']>[1],
    ) => backend.governance.create(collection, definition, { by: 'ada', isExpected: true });

    it('[X4] a removed row is listed with its deadline and lag, and comes back with every value, pinned', async () => {
      const { session, backend } = await open(ORDERS);
      await session.query(`INSERT INTO orders (${COLUMNS}) VALUES (${ROW})`);
      const { rows: before } = await session.query(
        "SELECT to_jsonb(o) - 'notes' AS all, o.notes::text FROM orders o",
      );
      await define(backend, 'orders', KEPT);
      await rowsLeft(session, 'orders', 0);
      const [entry] = await expiredOf(backend, 1);
      expect(entry).toMatchObject({
        _id: '1',
        collection: 'orders',
        index: 'by_column',
        cause: 'expired',
        action: 'delete',
        deadlineAt: Date.UTC(2020, 0, 1),
        isRestored: false,
      });
      expect(entry?.lagMs).toBe((entry?.removedAt ?? 0) - (entry?.deadlineAt ?? 0));
      expect(entry?.restorable?.until).toBeGreaterThan(Date.now() + 3_000_000);
      const result = await backend.expired.restore([entry?.id ?? ''], { ...PIN, by: 'ada' });
      expect(result).toMatchObject({ succeeded: 1, failed: [] });
      const { rows: after } = await session.query(
        "SELECT to_jsonb(o) - 'notes' AS all, o.notes::text FROM orders o",
      );
      expect(after).toEqual(before);
      const { rows: pins } = await session.query(
        'SELECT row_key, expires_at, set_by FROM sandglass.expirations',
      );
      expect(pins).toEqual([{ row_key: '{1}', expires_at: null, set_by: 'ada' }]);
      await backend.governance.run({ collection: 'orders' }, 'ada');
      expect(await countRows(session, 'orders')).toBe(1);
      expect(await expiredOf(backend, 1)).toMatchObject([{ isRestored: true, restorable: null }]);
      const again = await backend.expired.restore([entry?.id ?? ''], PIN);
      expect(again).toMatchObject({ succeeded: 0, failed: [{ code: 'EXPIRED_NOT_FOUND' }] });
    });

    it('[X4] restored with a new expiration, it expires then, and can be restored again', async () => {
      const { session, backend } = await open(ORDERS);
      await session.query(`INSERT INTO orders (${COLUMNS}) VALUES (${ROW})`);
      await define(backend, 'orders', KEPT);
      await rowsLeft(session, 'orders', 0);
      const [entry] = await expiredOf(backend, 1);
      await backend.expired.restore([entry?.id ?? ''], { ...PIN, expiration: { after: 1 } });
      await vi.waitFor(async () => expiredOf(backend, 2), SOON);
      expect(await expiredOf(backend, 2)).toMatchObject([
        { index: 'explicit', restorable: expect.anything() },
        { index: 'by_column', isRestored: true },
      ]);
    });

    it('[X4] a key in use, a constraint and a trigger refuse single rows, and the others come back', async () => {
      const { session, backend } = await open(`CREATE TABLE owners (id int PRIMARY KEY);
        INSERT INTO owners VALUES (1);
        CREATE TABLE items (id int PRIMARY KEY, owner int REFERENCES owners, name text UNIQUE, expires_at timestamptz);
        CREATE INDEX ON items (expires_at);
        INSERT INTO items SELECT n, 1, 'item ' || n, '2020-01-01' FROM generate_series(1, 5) n`);
      await define(backend, 'items', KEPT);
      await rowsLeft(session, 'items', 0);
      const entries = await expiredOf(backend, 5);
      const idOf = (n: number) => entries.find(({ _id }) => _id === String(n))?.id ?? '';
      await session.query(`INSERT INTO items VALUES (1, 1, 'newer', NULL), (12, 1, 'item 2', NULL);
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF NEW.id = 3 THEN RAISE EXCEPTION 'not three'; END IF; RETURN NEW; END $$;
        CREATE TRIGGER refuse BEFORE INSERT ON items FOR EACH ROW EXECUTE FUNCTION refuse();
        ALTER TABLE items ADD COLUMN later int NOT NULL DEFAULT 7`);
      const first = await backend.expired.restore([1, 2, 3, 4].map(idOf), PIN);
      expect(first.succeeded).toBe(1);
      expect(first.failed).toEqual([
        {
          _id: '1',
          code: 'DOCUMENT_EXISTS',
          message: expect.stringContaining('items has a row with the key 1'),
        },
        { _id: '2', code: 'EXPECTATION_FAILED', message: expect.stringContaining('items_name_key') },
        { _id: '3', code: 'EXPECTATION_FAILED', message: 'not three' },
      ]);
      const { rows } = await session.query('SELECT id, name, later FROM items ORDER BY id');
      expect(rows).toEqual([
        { id: 1, name: 'newer', later: 7 },
        { id: 4, name: 'item 4', later: 7 },
        { id: 12, name: 'item 2', later: 7 },
      ]);
      const replaced = await backend.expired.restore([idOf(1)], { ...PIN, onConflict: 'replace' });
      expect(replaced).toMatchObject({ succeeded: 1, failed: [] });
      const { rows: one } = await session.query('SELECT name FROM items WHERE id = 1');
      expect(one).toEqual([{ name: 'item 1' }]);
      await session.query('DELETE FROM items; DELETE FROM owners');
      expect(await backend.expired.restore([idOf(5)], PIN)).toMatchObject({
        failed: [{ _id: '5', code: 'EXPECTATION_FAILED' }],
      });
    });

    it('[X4] restorable rows are found by span, and copies are deleted at the end of their time', async () => {
      const { session, backend } =
        await open(`CREATE TABLE items (a int, b text, expires_at timestamptz, PRIMARY KEY (b, a));
        CREATE INDEX ON items (expires_at);
        INSERT INTO items SELECT n, 'x', '2020-01-01' FROM generate_series(1, 30) n`);
      await define(backend, 'items', { ...KEPT, retention: 4 });
      await rowsLeft(session, 'items', 0);
      const from = { cursor: null, order: 'asc' } as const;
      const found = await backend.expired.find(
        { collection: 'items', index: 'by_column', restorable: true },
        from,
      );
      expect(found).toMatchObject({ cursor: null, ids: { length: 30 } });
      expect((await expiredOf(backend, 30))[0]?._id).toBe('["x","30"]');
      const none = { ids: [], cursor: null };
      expect(await backend.expired.find({ collection: 'items', removedTo: 1 }, from)).toEqual(none);
      expect(await backend.expired.find({ collection: 'items', cause: 'deleted' }, from)).toEqual(none);
      await rowsLeft(session, 'sandglass.removed', 0);
    });

    it('an index without retention keeps neither copies nor ids', async () => {
      const { session, backend } = await open(ORDERS);
      await session.query(`INSERT INTO orders (${COLUMNS}) VALUES (${ROW})`);
      await define(backend, 'orders', BY_COLUMN);
      await rowsLeft(session, 'orders', 0);
      await expiredOf(backend, 0);
    });

    it('[A4] a moved row is listed, and is restored from its archive by SQL only', async () => {
      const { session, backend } = await open(`${ORDERS}; CREATE TABLE archive (id int, name text)`);
      await session.query(`INSERT INTO orders (${COLUMNS}) VALUES (${ROW})`);
      await define(backend, 'orders', { ...KEPT, onExpire: { action: 'move', to: 'archive' } });
      await rowsLeft(session, 'orders', 0);
      expect(await expiredOf(backend, 1)).toMatchObject([{ _id: '1', action: 'move', restorable: null }]);
      expect(await countRows(session, 'archive')).toBe(1);
    });

    it('[X4] a partition that was kept is attached again as one event, and spared until its new expiration', async () => {
      const { session, backend } =
        await open(`CREATE TABLE events (id int, at timestamptz, PRIMARY KEY (id, at)) PARTITION BY RANGE (at);
        CREATE INDEX ON events (at);
        CREATE TABLE events_01 PARTITION OF events FOR VALUES FROM ('2020-01-01') TO ('2020-02-01');
        CREATE TABLE "events '02" PARTITION OF events FOR VALUES FROM ('2020-02-01') TO ('2020-03-01');
        INSERT INTO events SELECT n, timestamptz '2020-01-05' + (n % 2) * interval '31 days' FROM generate_series(1, 200) n;
        ANALYZE`);
      await define(backend, 'events', {
        ...BY_COLUMN,
        source: { kind: 'field', field: 'at', unit: 'seconds', expireAfter: 60 },
        partitions: { mode: 'keep', seconds: 600 },
      });
      await rowsLeft(session, 'events', 0);
      const entries = await vi.waitFor(() => expiredOf(backend, 2), SOON);
      expect(entries).toMatchObject([
        { _id: `"public"."events '02"`, partition: { rows: 100 }, restorable: expect.anything() },
        { _id: '"public"."events_01"', partition: { rows: 100 }, restorable: expect.anything() },
      ]);
      const [second, first] = entries.map(({ id }) => id);
      await session.query(
        `CREATE TABLE other PARTITION OF events FOR VALUES FROM ('2020-01-31') TO ('2020-02-01')`,
      );
      const taken = await backend.expired.restore([first ?? ''], PIN);
      expect(taken).toMatchObject({ succeeded: 0, failed: [{ code: 'DOCUMENT_EXISTS' }] });
      const done = await backend.expired.restore([second ?? ''], PIN);
      expect(done).toMatchObject({ succeeded: 1, failed: [] });
      expect(await countRows(session, 'events')).toBe(100);
      await backend.governance.run({ collection: 'events' }, 'ada');
      expect(await countRows(session, 'events')).toBe(100);
      const page = await backend.reads.documents(
        { collection: 'events', limit: 1, sort: '_id', order: 'asc', includeExpired: false },
        Date.now(),
      );
      expect(page.documents).toMatchObject([{ deadlineAt: null, deadlineFrom: 'explicit' }]);
      // The end of its new expiration.
      await session.query(
        'UPDATE sandglass.detached_partitions SET spared_until = clock_timestamp() WHERE spared IS NOT NULL',
      );
      await rowsLeft(session, 'events', 0);
      await vi.waitFor(async () => {
        const { expired } = await backend.reads.expired({ limit: 10 });
        const ofSecond = expired.filter(({ _id }) => _id.includes("'02"));
        expect(ofSecond).toMatchObject([{ isRestored: false }, { isRestored: true }]);
      }, SOON);
    });
  },
);
