import {
  decodeAddressPart,
  formatServerAddress,
  invalidAddress,
  parseServerAddress,
} from '../../../../../shared/model/transport/server-address.ts';

/** How much of TLS is required, as libpq defines it. */
export const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof SSL_MODES)[number];

/** Where a server listens, and how to log in. */
export interface PostgresTarget {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string | null;
  readonly database: string;
  readonly sslMode: SslMode;
}

const DEFAULT_PORT = 5432;
const DEFAULT_USER = 'postgres';
const FORM =
  'Write postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with ?sslmode=verify-full for TLS; only the host is required.';
/** Parameters that other clients need and that change nothing here. */
const IGNORED = new Set([
  'application_name',
  'channel_binding',
  'connect_timeout',
  'connection_limit',
  'gssencmode',
  'pgbouncer',
  'pool_timeout',
  'target_session_attrs',
]);

/**
 * Reads a `postgresql://` or `postgres://` URI. User, password and database are percent-encoded; an IPv6 address is in
 * brackets. Throws INVALID_CONNECTION with what to write instead; the message never contains the URI, since it may hold a
 * password.
 */
export function parsePostgresUri(text: string): PostgresTarget {
  const { scheme, user, password, hosts, path, query } = parseServerAddress(text, FORM);
  if (scheme !== 'postgresql' && scheme !== 'postgres')
    throw invalidAddress(
      `A PostgreSQL address begins with postgresql:// or postgres://, not ${scheme}://.`,
      FORM,
    );
  const [one, ...others] = hosts;
  if (one === undefined || others.length > 0)
    throw invalidAddress('A PostgreSQL address has one host.', FORM);
  const database = decodeAddressPart(path.replace(/^\//, ''), 'database', FORM);
  return {
    host: one.host,
    port: one.port ?? DEFAULT_PORT,
    user: user ?? DEFAULT_USER,
    password,
    database: database === '' ? (user ?? DEFAULT_USER) : database,
    sslMode: sslModeOf(new URLSearchParams(query)),
  };
}

/** Returns the URI of a target without its password: for lists, answers and logs. */
export function publicPostgresUri({ host, port, user, database, sslMode }: PostgresTarget): string {
  return formatServerAddress({
    scheme: 'postgresql',
    user,
    password: null,
    hosts: [{ host, port }],
    path: `/${encodeURIComponent(database)}`,
    query: sslMode === 'prefer' ? '' : `sslmode=${sslMode}`,
  });
}

function sslModeOf(query: URLSearchParams): SslMode {
  for (const name of query.keys()) {
    if (name === 'sslmode' || IGNORED.has(name)) continue;
    // Files and settings that an address names would be read by this machine for a caller from the network.
    throw invalidAddress(
      `The address has a parameter ${JSON.stringify(name)}, which is not supported. Certificates are parts of the connection, beside its address.`,
      FORM,
    );
  }
  const given = query.get('sslmode');
  if (given === null) return 'prefer';
  const mode = SSL_MODES.find(known => known === given);
  if (mode === undefined) throw invalidAddress(`sslmode is one of ${SSL_MODES.join(', ')}.`, FORM);
  return mode;
}
