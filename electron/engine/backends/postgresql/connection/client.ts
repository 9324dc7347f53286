import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { TLSSocket } from 'node:tls';
import pg from 'pg';
import type { ServerNetwork } from '../../../network/server-network.ts';
import { tlsFailure } from '../../../network/tls-failure.ts';
import { isWithoutTls, postgresFailure } from './postgres-failure.ts';
import type { PostgresTarget } from './postgres-uri.ts';
import type { QueryOptions, QueryResult, Session } from './session.ts';

/** Purpose and limits of a session. */
export interface SessionSettings {
  /** As `pg_stat_activity` shows it: `sandglass reaper`. */
  readonly name: string;
  /** The server refuses every write of the session. */
  readonly readOnly: boolean;
  /** ms; a statement is cancelled after it. */
  readonly statementTimeoutMs: number;
  /** ms; a statement that waits longer for a lock fails. */
  readonly lockTimeoutMs: number;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** A lost network is noticed after this, also while a statement runs. */
const KEEP_ALIVE_MS = 10_000;
/** A statement without a reply for so long after its own limit: the server hangs, or the network drops packets. */
const SILENT_MS = 10_000;

/** Replaces PGOPTIONS; `pg` takes an empty text for none given, and PgBouncer refuses the parameter. */
const NO_OPTIONS = ' ';

const { BOOL, INT2, INT4, OID, FLOAT4, FLOAT8, JSON: JSON_TYPE, JSONB } = pg.types.builtins;
const PARSED = new Set<number>([BOOL, INT2, INT4, OID, FLOAT4, FLOAT8, JSON_TYPE, JSONB]);

/** Only types whose values JavaScript has without loss are parsed; `pg` would make dates of instants, and lose microseconds. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary' && !PARSED.has(oid)) return (text: string) => text;
    return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text');
  },
};

/**
 * Connects to a server and sets up the session. The environment of this process has no part in it: `PGPASSWORD` and the like
 * are not the caller's. Rejects with a typed error; see `postgresFailure`.
 */
export async function connectClient(
  target: PostgresTarget,
  settings: SessionSettings,
  network?: ServerNetwork,
): Promise<pg.Client> {
  const { sslMode } = target;
  try {
    return await connectOnce(target, settings, sslMode !== 'disable', network);
  } catch (error) {
    const mayBePlain = sslMode === 'prefer' || sslMode === 'allow';
    if (!mayBePlain || !isWithoutTls(error)) throw postgresFailure(error);
  }
  try {
    return await connectOnce(target, settings, false, network);
  } catch (error) {
    throw postgresFailure(error);
  }
}

async function connectOnce(
  target: PostgresTarget,
  settings: SessionSettings,
  tls: boolean,
  network: ServerNetwork | undefined,
): Promise<pg.Client> {
  const { host, port, user, password, database, sslMode } = target;
  const files = tls ? await network?.tlsFiles() : undefined;
  const socket = await network?.connect(host, port);
  const client = new pg.Client({
    host,
    port,
    user,
    database,
    // A function, since `pg` replaces an empty password by PGPASSWORD or ~/.pgpass, which are not this caller's.
    password: () => password ?? '',
    ssl: tls ? { ...tlsOf(host, sslMode, files?.ca !== undefined), ...files } : false,
    ...(socket && { stream: () => socket }),
    application_name: settings.name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: settings.statementTimeoutMs + SILENT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...(process.env.PGOPTIONS !== undefined && { options: NO_OPTIONS }),
    types,
  });
  // An error of a connection that is not in use ends it; whoever uses it next gets the rejection.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(setUp(settings));
  } catch (error) {
    await client.end().catch(() => {});
    throw tlsFailure(error, host);
  }
  return client;
}

/** `require` encrypts without a check of the server, and with one if an authority is given, as in libpq. */
function tlsOf(host: string, mode: PostgresTarget['sslMode'], hasAuthority: boolean) {
  if (mode === 'verify-full') return isIP(host) === 0 ? { servername: host } : {};
  if (mode === 'verify-ca' || (mode === 'require' && hasAuthority))
    return { checkServerIdentity: () => undefined };
  return { rejectUnauthorized: false };
}

/** One message: parameters of the start would be refused by PgBouncer. */
function setUp({ readOnly, statementTimeoutMs, lockTimeoutMs }: SessionSettings): string {
  const settings = [
    `statement_timeout = ${Math.round(statementTimeoutMs)}`,
    `lock_timeout = ${Math.round(lockTimeoutMs)}`,
    `idle_in_transaction_session_timeout = ${Math.round(statementTimeoutMs) + SILENT_MS}`,
    `timezone = 'UTC'`,
    `datestyle = 'ISO, YMD'`,
    `intervalstyle = 'iso_8601'`,
    `default_transaction_read_only = ${readOnly ? 'on' : 'off'}`,
  ];
  return [...settings.map(setting => `SET ${setting}`), NO_JIT].join('; ');
}

/**
 * The planner overrates the conditions of single rows: compiling them took 4 s for a count of 6,000 rows, and 20 ms without. Servers
 * before PostgreSQL 11, and other products, lack the setting.
 */
const NO_JIT = "SELECT set_config('jit', 'off', false) WHERE current_setting('jit', true) IS NOT NULL";

/** Returns a client as a session. */
export function sessionOf(client: pg.ClientBase): Session {
  return {
    async query<Row extends object>(
      sql: string,
      params: readonly unknown[] = [],
      { isPrepared = false }: QueryOptions = {},
    ): Promise<QueryResult<Row>> {
      try {
        const name = isPrepared ? { name: statementName(sql) } : {};
        const last = [await client.query<Row>({ ...name, text: sql, values: [...params] })].flat().at(-1);
        return { rows: last?.rows ?? [], rowCount: last?.rowCount ?? 0 };
      } catch (error) {
        throw postgresFailure(error);
      }
    },
  };
}

/** The name of a prepared statement, which has the same text in every session. */
function statementName(sql: string): string {
  return createHash('sha256').update(sql).digest('hex').slice(0, 32);
}

/** Returns the process that the server named when the session began; null: it named none. */
export function processIdOf(client: pg.Client): number | null {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : null;
}

export function isEncrypted(client: pg.Client): boolean {
  return client.connection.stream instanceof TLSSocket;
}
