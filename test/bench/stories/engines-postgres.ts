import { setTimeout as sleep } from 'node:timers/promises';
import { parsePostgresUri } from '../../../electron/engine/backends/postgresql/connection/postgres-uri.ts';
import type { OwnSession } from '../../../electron/engine/backends/postgresql/connection/session.ts';
import { SessionPool } from '../../../electron/engine/backends/postgresql/connection/session-pool.ts';
import {
  openPostgres,
  type PostgresBackend,
} from '../../../electron/engine/backends/postgresql/postgres-backend.ts';
import { MeterRegistry } from '../../../electron/engine/expiry/meters.ts';
import { systemClock } from '../../../electron/engine/platform/clock.ts';
import { createLogger } from '../../../electron/engine/platform/logger.ts';
import { startPostgresServer } from '../../support/postgres-server.ts';
import { type Figures, perSecond, timed } from '../figures.ts';
import { type Foreground, p99, startForeground } from '../load/foreground.ts';
import { timeToRemovePartition } from '../remove-partition.ts';
import { HOUR_MS, type Story } from '../story.ts';

/** Rows of a batch of the loop written by hand; the best of them counts. */
const BATCHES = [1_000, 4_000, 16_000];
const PARTITION_ROWS = 1_000_000;
/** Time for which the other client is measured without any removal, ms. */
const IDLE_MS = 5_000;
const COLLECTION = 'rows';
const SOURCE = { kind: 'field', field: 'expires_at', unit: 'seconds', expireAfter: 0 } as const;

/**
 * Rows of a table, all due but those of another client: the first estimate, the exact count and the timeline; then removed
 * by Sandglass's reaper, by the best batch loop written by hand and by one `DELETE`, each with the p99 of an `UPDATE` of that
 * client meanwhile; and a partition dropped. Durable settings, as the server has them by default.
 */
export const enginesPostgres: Story = async ({ documents }): Promise<Figures> => {
  const server = await startPostgresServer('fsync=on', 'autovacuum=off', 'max_wal_size=4GB');
  try {
    const session = await openSession(server.uri);
    await fill(session, documents);
    const idle = await beside(server.uri, () => sleep(IDLE_MS));
    const backend = await openPostgres({
      uri: server.uri,
      clock: systemClock,
      log: createLogger('warn', () => systemClock.now()),
      meters: new MeterRegistry(),
      readOnly: false,
    });
    const read = await reads(backend);
    const reaper = await beside(server.uri, () => drainByReaper(backend, documents));
    await backend.close();
    const figures = {
      ...read,
      partitionMs: await timeToRemovePartition(session, Math.min(documents, PARTITION_ROWS)),
    };
    let batches = { ms: Number.POSITIVE_INFINITY, p99Ms: Number.NaN };
    for (const rows of BATCHES) {
      await fill(session, documents);
      const loop = await beside(server.uri, async () => {
        while (((await session.query(batchDelete(rows))).rowCount ?? 0) > 0);
      });
      if (loop.ms < batches.ms) batches = loop;
    }
    await fill(session, documents);
    const one = await beside(server.uri, () => session.query('DELETE FROM rows WHERE expires_at <= now()'));
    await session.close();
    return {
      ...figures,
      reaperPerSecond: perSecond(documents, reaper.ms),
      batchesPerSecond: perSecond(documents, batches.ms),
      deletePerSecond: perSecond(documents, one.ms),
      idleP99Ms: idle.p99Ms,
      reaperP99Ms: reaper.p99Ms,
      batchesP99Ms: batches.p99Ms,
      deleteP99Ms: one.p99Ms,
    };
  } finally {
    await server.stop();
  }
};

const batchDelete = (
  rows: number,
) => `DELETE FROM rows WHERE ctid = ANY (ARRAY(SELECT ctid FROM rows WHERE expires_at <= now()
  ORDER BY expires_at LIMIT ${rows} FOR UPDATE SKIP LOCKED))`;

function openSession(uri: string): Promise<OwnSession> {
  const pool = new SessionPool(parsePostgresUri(uri), { readOnly: false, clock: systemClock });
  return pool.open({
    name: 'application',
    readOnly: false,
    statementTimeoutMs: 3_600_000,
    lockTimeoutMs: 60_000,
  });
}

/** Rows with deadlines in random order, all due, and 10,000 rows with negative ids that the other client updates. */
async function fill(session: OwnSession, rows: number): Promise<void> {
  await session.query(
    'DROP TABLE IF EXISTS rows; CREATE TABLE rows (id bigint, expires_at timestamptz NOT NULL, body text)',
  );
  await session.query(
    `INSERT INTO rows SELECT n, now() - random() * interval '1 day' - interval '1 minute', repeat('x', 200)
      FROM generate_series(1, $1::int) n`,
    [rows],
  );
  await session.query(
    `INSERT INTO rows SELECT -n, now() + interval '30 days', repeat('x', 200) FROM generate_series(1, 10000) n`,
  );
  await session.query('ALTER TABLE rows ADD PRIMARY KEY (id); CREATE INDEX ON rows (expires_at)');
  await session.query('VACUUM ANALYZE rows');
  await session.query('CHECKPOINT');
}

/** Returns the duration of `act`, and the p99 of another client's `UPDATE` meanwhile, ms. */
async function beside(uri: string, act: () => Promise<unknown>): Promise<{ ms: number; p99Ms: number }> {
  await using foreground: Foreground = await startForeground('postgres-foreground.ts', uri);
  await foreground.take();
  const ms = await timed(act);
  return { ms, p99Ms: p99(await foreground.take()) };
}

/** Durations of what a person sees of the table before anything is removed, ms. */
async function reads(backend: PostgresBackend): Promise<Record<string, number>> {
  const { governance } = backend;
  if (governance === null) throw new Error('the server has no governance');
  await governance.createSchema();
  const query = { collection: COLLECTION, source: SOURCE };
  const estimateMs = await timed(() => governance.preview({ ...query, estimate: true }));
  const countMs = await timed(() => governance.preview(query));
  const now = systemClock.now();
  // An index that observes gives the timeline and removes nothing.
  await governance.create(COLLECTION, { ...DEFINITION, schedule: { mode: 'observe' } }, { by: 'bench' });
  const span = { collection: COLLECTION, from: now - 24 * HOUR_MS, to: now, buckets: 300 };
  const timelineMs = await timed(() => backend.reads.timeline(span, now));
  await governance.drop(COLLECTION, DEFINITION.name, 'bench');
  return { estimateMs, countMs, timelineMs };
}

const DEFINITION = {
  name: 'ttl',
  source: SOURCE,
  onExpire: { action: 'delete' },
  schedule: { mode: 'exact' },
  limits: {},
  retention: null,
} as const;

async function drainByReaper({ governance }: PostgresBackend, rows: number): Promise<void> {
  if (governance === null) return;
  await governance.create(COLLECTION, DEFINITION, { by: 'bench', isExpected: true });
  for (;;) {
    const { passes } = await governance.passes({ limit: 100 });
    if (passes.reduce((sum, { removed }) => sum + removed, 0) >= rows) return;
    await sleep(50);
  }
}
