import type { RemoteBackend } from '../backend.ts';
import { CockroachBackend } from './cockroach-backend.ts';
import { isUnreachable } from './connection/postgres-failure.ts';
import { type PostgresTarget, parsePostgresUri } from './connection/postgres-uri.ts';
import { SessionPool } from './connection/session-pool.ts';
import { startOrRetry } from './connection/start-or-retry.ts';
import { openPostgres } from './postgres-backend.ts';
import type { PostgresOptions } from './postgres-options.ts';
import { readProduct, type ServerProduct } from './server/server-facts.ts';

/**
 * Opens a database by the product that its `version()` names. A server that cannot be reached is taken for PostgreSQL and
 * tried again; `onOtherProduct` is called if it turns out to be CockroachDB, and the connection is to be opened again then. Throws INVALID_CONNECTION, SECRET_REQUIRED, PERMISSION_DENIED; see `openPostgres`.
 */
export async function openByProduct(options: PostgresOptions): Promise<RemoteBackend> {
  const given = parsePostgresUri(options.uri);
  const target = { ...given, password: options.secret ?? given.password };
  if ((await recognised(options, target)) !== 'CockroachDB') return openPostgres(options);
  return startOrRetry(new CockroachBackend(options, target));
}

/** Null: the server cannot be reached. */
async function recognised(
  { network, clock }: PostgresOptions,
  target: PostgresTarget,
): Promise<ServerProduct | null> {
  const pool = new SessionPool(target, { readOnly: true, network, clock });
  try {
    return (await pool.use(readProduct)).product;
  } catch (error) {
    if (isUnreachable(error)) return null;
    throw error;
  } finally {
    await pool.close();
  }
}
