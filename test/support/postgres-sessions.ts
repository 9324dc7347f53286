import { parsePostgresUri } from '../../electron/engine/backends/postgresql/connection/postgres-uri.ts';
import type { OwnSession } from '../../electron/engine/backends/postgresql/connection/session.ts';
import { SessionPool } from '../../electron/engine/backends/postgresql/connection/session-pool.ts';
import { systemClock } from '../../electron/engine/platform/clock.ts';

/** Opens a session under a name, as the application that uses the database; the caller closes it. */
export async function connectAs(uri: string, name: string): Promise<OwnSession> {
  const pool = new SessionPool(parsePostgresUri(uri), { readOnly: false, clock: systemClock });
  return await pool.open({ name, readOnly: false, statementTimeoutMs: 60_000, lockTimeoutMs: 10_000 });
}
