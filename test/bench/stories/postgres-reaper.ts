import { setTimeout as sleep } from 'node:timers/promises';
import { parsePostgresUri } from '../../../electron/engine/backends/postgresql/connection/postgres-uri.ts';
import type { OwnSession } from '../../../electron/engine/backends/postgresql/connection/session.ts';
import { SessionPool } from '../../../electron/engine/backends/postgresql/connection/session-pool.ts';
import { rowDefinition } from '../../../electron/engine/backends/postgresql/governed/definition.ts';
import { TableReaper } from '../../../electron/engine/backends/postgresql/governed/reaper/reaper.ts';
import { createDefinition } from '../../../electron/engine/backends/postgresql/governed/schema/definitions-table.ts';
import { createSchema } from '../../../electron/engine/backends/postgresql/governed/schema/sandglass-schema.ts';
import { readTable } from '../../../electron/engine/backends/postgresql/governed/table-facts.ts';
import { MeterRegistry } from '../../../electron/engine/expiry/meters.ts';
import { systemClock } from '../../../electron/engine/platform/clock.ts';
import { createLogger } from '../../../electron/engine/platform/logger.ts';
import { startPostgresServer } from '../../support/postgres-server.ts';
import { type Figures, perSecond, timed } from '../figures.ts';
import { timeToRemovePartition } from '../remove-partition.ts';
import type { Story } from '../story.ts';

/** Rows of a batch of the loop written by hand; the best of them counts. */
const BATCHES = [1_000, 4_000, 16_000];
const PARTITION_ROWS = 1_000_000;

/**
 * Rows of a table, all due, removed by Sandglass's reaper, by the best batch loop written by hand, and by one `DELETE`; and a
 * partition of as many rows dropped. Durable settings, as the server has them by default.
 */
export const postgresReaper: Story = async ({ documents }): Promise<Figures> => {
  const server = await startPostgresServer('fsync=on', 'autovacuum=off', 'max_wal_size=4GB');
  try {
    const session = await openSession(server.uri, 'application');
    await createSchema(session);
    const reaperMs = await drainByReaper(session, server.uri, documents);
    let batchMs = Number.POSITIVE_INFINITY;
    for (const rows of BATCHES) {
      const ms = await drained(session, documents, async () => {
        while (((await session.query(batchDelete(rows))).rowCount ?? 0) > 0);
      });
      batchMs = Math.min(batchMs, ms);
    }
    const deleteMs = await drained(session, documents, () =>
      session.query('DELETE FROM rows WHERE expires_at <= now()'),
    );
    const partitionMs = await timeToRemovePartition(session, Math.min(documents, PARTITION_ROWS));
    await session.close();
    return {
      reaperPerSecond: perSecond(documents, reaperMs),
      batchesPerSecond: perSecond(documents, batchMs),
      deletePerSecond: perSecond(documents, deleteMs),
      partitionMs,
    };
  } finally {
    await server.stop();
  }
};

const batchDelete = (
  rows: number,
) => `DELETE FROM rows WHERE ctid = ANY (ARRAY(SELECT ctid FROM rows WHERE expires_at <= now()
  ORDER BY expires_at LIMIT ${rows} FOR UPDATE SKIP LOCKED))`;

function openSession(uri: string, name: string): Promise<OwnSession> {
  const pool = new SessionPool(parsePostgresUri(uri), { readOnly: false, clock: systemClock });
  return pool.open({ name, readOnly: false, statementTimeoutMs: 600_000, lockTimeoutMs: 10_000 });
}

async function fill(session: OwnSession, rows: number): Promise<void> {
  await session.query(
    `DROP TABLE IF EXISTS rows; CREATE TABLE rows (id bigint PRIMARY KEY, expires_at timestamptz NOT NULL, body text)`,
  );
  await session.query(
    `INSERT INTO rows SELECT n, now() - random() * interval '1 day' - interval '1 minute', repeat('x', 200)
      FROM generate_series(1, $1::int) n ORDER BY random()`,
    [rows],
  );
  await session.query('CREATE INDEX ON rows (expires_at)');
  await session.query('VACUUM ANALYZE rows');
  await session.query('CHECKPOINT');
}

async function drained(session: OwnSession, rows: number, act: () => Promise<unknown>): Promise<number> {
  await fill(session, rows);
  return await timed(act);
}

async function drainByReaper(session: OwnSession, uri: string, rows: number): Promise<number> {
  await fill(session, rows);
  const table = await readTable(session, 'rows');
  const definition = rowDefinition({
    name: 'ttl',
    source: { kind: 'field', field: 'expires_at', unit: 'seconds', expireAfter: 0 },
    onExpire: { action: 'delete' },
    schedule: { mode: 'exact' },
    limits: {},
    retention: null,
  });
  let left = rows;
  const reaper = new TableReaper({
    openSession: () => openSession(uri, 'reaper'),
    clock: systemClock,
    log: createLogger('error', Date.now),
    meters: new MeterRegistry(),
    onRemoved: ({ removed }) => {
      left -= removed;
    },
  });
  reaper.start();
  while (reaper.status.state !== 'active') await sleep(5);
  const ms = await timed(async () => {
    await createDefinition(session, table, definition, { by: 'bench', isConfirmed: true });
    reaper.wake();
    while (left > 0) await sleep(1);
  });
  await reaper.stop();
  return ms;
}
