import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { parsePostgresUri } from '../../electron/engine/backends/postgresql/connection/postgres-uri.ts';
import type { OwnSession } from '../../electron/engine/backends/postgresql/connection/session.ts';
import { SessionPool } from '../../electron/engine/backends/postgresql/connection/session-pool.ts';
import { systemClock } from '../../electron/engine/platform/clock.ts';
import { type PostgresServer, startPostgresServer } from './postgres-server.ts';
import { connectAs } from './postgres-sessions.ts';

export { NEEDS_POSTGRES, type PostgresServer, startPostgresServer } from './postgres-server.ts';

/** Starts a server for the running test. */
export async function startPostgres(...options: readonly string[]): Promise<PostgresServer> {
  const server = await startPostgresServer(...options);
  onTestFinished(() => server.stop());
  return server;
}

/** A loaded machine takes long to make a cluster. */
const START_MS = 120_000;

export interface PostgresOfSuite {
  /** Address of the superuser and the database `postgres`. */
  readonly uri: string;
  /** Creates an empty database for the running test. Returns its address. */
  database(): Promise<string>;
}

/** Starts one server for the tests of a `describe`, each of which takes a database of its own. */
export function postgresOfSuite(...options: readonly string[]): PostgresOfSuite {
  let running: PostgresServer | null = null;
  beforeAll(async () => {
    running = await startPostgresServer(...options);
  }, START_MS);
  afterAll(() => running?.stop());
  const suite: PostgresOfSuite = {
    get uri() {
      return running?.uri ?? '';
    },
    async database() {
      const name = `test_${randomUUID().replaceAll('-', '')}`;
      const admin = await connectAs(suite.uri, 'administration');
      await admin.query(`CREATE DATABASE ${name}`);
      await admin.close();
      return suite.uri.replace(/\/postgres$/, `/${name}`);
    },
  };
  return suite;
}

/** Opens a session for the running test: the application that uses the database, or a second Sandglass. */
export async function openTestSession(uri: string, name = 'application'): Promise<OwnSession> {
  const session = await connectAs(uri, name);
  onTestFinished(() => session.close());
  return session;
}

/** Opens a pool for the running test. */
export function openTestPool(uri: string, { readOnly = false } = {}): SessionPool {
  const pool = new SessionPool(parsePostgresUri(uri), { readOnly, clock: systemClock });
  onTestFinished(() => pool.close());
  return pool;
}
