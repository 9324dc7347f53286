import { onTestFinished, vi } from 'vitest';
import { parsePostgresUri } from '../../electron/engine/backends/postgresql/connection/postgres-uri.ts';
import type { OwnSession } from '../../electron/engine/backends/postgresql/connection/session.ts';
import { SessionPool } from '../../electron/engine/backends/postgresql/connection/session-pool.ts';
import {
  type PartitionPolicy,
  rowDefinition,
} from '../../electron/engine/backends/postgresql/governed/definition.ts';
import {
  TableReaper,
  type TableReaperOptions,
} from '../../electron/engine/backends/postgresql/governed/reaper/reaper.ts';
import { createDefinition } from '../../electron/engine/backends/postgresql/governed/schema/definitions-table.ts';
import { createSchema } from '../../electron/engine/backends/postgresql/governed/schema/sandglass-schema.ts';
import { readTable } from '../../electron/engine/backends/postgresql/governed/table-facts.ts';
import { MeterRegistry } from '../../electron/engine/expiry/meters.ts';
import { systemClock } from '../../electron/engine/platform/clock.ts';
import { createLogger } from '../../electron/engine/platform/logger.ts';
import type { TtlIndexDefinition } from '../../shared/model/ttl-index.ts';
import { openTestSession } from './postgres.ts';

/** A loaded machine takes seconds for what takes milliseconds. */
export const SOON = { timeout: 30_000, interval: 20 };

const silentLog = createLogger('silent', () => 0);

/** Opens a session on a database of the running test, with the schema `sandglass`. */
export async function openGovernedDatabase(uri: string): Promise<OwnSession> {
  const session = await openTestSession(uri);
  await createSchema(session);
  return session;
}

/** A definition that deletes at the instant in the column `expires_at`. */
export const BY_COLUMN: TtlIndexDefinition = {
  name: 'by_column',
  source: { kind: 'field', field: 'expires_at', unit: 'seconds', expireAfter: 0 },
  onExpire: { action: 'delete' },
  schedule: { mode: 'exact' },
  limits: {},
  retention: null,
};

/** Stores a definition for a table. */
export async function define(
  session: OwnSession,
  collection: string,
  definition: Partial<TtlIndexDefinition> = {},
  partitions?: PartitionPolicy,
): Promise<void> {
  const table = await readTable(session, collection);
  await createDefinition(session, table, rowDefinition({ ...BY_COLUMN, ...definition }, partitions), {
    by: 'test',
    isConfirmed: true,
  });
}

/** Starts a reaper, until the end of the test. */
export function startReaper(uri: string, options: Partial<TableReaperOptions> = {}): TableReaper {
  const pool = new SessionPool(parsePostgresUri(uri), { readOnly: false, clock: systemClock });
  const settings = {
    name: 'sandglass reaper',
    readOnly: false,
    statementTimeoutMs: 10_000,
    lockTimeoutMs: 1_000,
  };
  const reaper = new TableReaper({
    openSession: () => pool.open(settings),
    clock: systemClock,
    log: silentLog,
    meters: new MeterRegistry(),
    ...options,
  });
  reaper.start();
  onTestFinished(() => reaper.stop());
  return reaper;
}

export async function countRows(session: OwnSession, table: string): Promise<number> {
  const { rows } = await session.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
  return rows[0]?.count ?? Number.NaN;
}

/** Resolves when the table has so many rows. */
export async function rowsLeft(session: OwnSession, table: string, count: number): Promise<void> {
  await vi.waitFor(async () => {
    const found = await countRows(session, table);
    if (found !== count) throw new Error(`${found} rows, not ${count}`);
  }, SOON);
}
