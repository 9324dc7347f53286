import { onTestFinished } from 'vitest';
import {
  openPostgres,
  type PostgresBackend,
} from '../../electron/engine/backends/postgresql/postgres-backend.ts';
import type { PostgresOptions } from '../../electron/engine/backends/postgresql/postgres-options.ts';
import { MeterRegistry } from '../../electron/engine/expiry/meters.ts';
import { systemClock } from '../../electron/engine/platform/clock.ts';
import { silentLog } from './redis-connection.ts';

/** Opens a database for the running test. */
export async function openTestPostgres(
  uri: string,
  options: Partial<PostgresOptions> = {},
): Promise<PostgresBackend> {
  const backend = await openPostgres({
    uri,
    clock: systemClock,
    log: silentLog,
    meters: new MeterRegistry(),
    readOnly: false,
    ...options,
  });
  onTestFinished(() => backend.close());
  return backend;
}
