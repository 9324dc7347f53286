import { SandglassError } from '../../../../../shared/model/errors.ts';

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
const WRITE =
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
  const uri = parsed(text.trim());
  if (uri.protocol !== 'postgresql:' && uri.protocol !== 'postgres:')
    throw invalid('A PostgreSQL address begins with postgresql:// or postgres://.');
  if (uri.hostname === '') throw invalid('The address has no host.');
  if (uri.hash !== '') throw invalid('The address has a part after #. In a password, # is written %23.');
  const user = decoded(uri.username, 'user') ?? DEFAULT_USER;
  return {
    host: uri.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: uri.port === '' ? DEFAULT_PORT : Number(uri.port),
    user,
    password: decoded(uri.password, 'password'),
    database: decoded(uri.pathname.replace(/^\//, ''), 'database') ?? user,
    sslMode: sslModeOf(uri.searchParams),
  };
}

/** Returns the URI of a target without its password: for lists, answers and logs. */
export function publicPostgresUri({ host, port, user, database, sslMode }: PostgresTarget): string {
  const address = host.includes(':') ? `[${host}]` : host;
  const query = sslMode === 'prefer' ? '' : `?sslmode=${sslMode}`;
  return `postgresql://${encodeURIComponent(user)}@${address}:${port}/${encodeURIComponent(database)}${query}`;
}

function parsed(text: string): URL {
  const uri = URL.parse(text);
  if (uri !== null) return uri;
  throw invalid(
    text.includes('://')
      ? 'The address cannot be read. A character such as / : @ % ? # in a user or password is percent-encoded (@ is %40), it names one host, and a port is at most 65535.'
      : 'The address has no scheme.',
  );
}

function sslModeOf(query: URLSearchParams): SslMode {
  for (const name of query.keys()) {
    if (name === 'sslmode' || IGNORED.has(name)) continue;
    // Files and settings that an address names would be read by this machine for a caller from the network.
    throw invalid(
      `The address has a parameter ${JSON.stringify(name)}, which is not supported. Certificates are parts of the connection, beside its address.`,
    );
  }
  const given = query.get('sslmode');
  if (given === null) return 'prefer';
  const mode = SSL_MODES.find(known => known === given);
  if (mode === undefined) throw invalid(`sslmode is one of ${SSL_MODES.join(', ')}.`);
  return mode;
}

function decoded(text: string, what: string): string | null {
  if (text === '') return null;
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) throw invalid(`The ${what} has a % that encodes nothing; write %25.`);
    throw error;
  }
}

function invalid(problem: string): SandglassError {
  return new SandglassError('INVALID_CONNECTION', `${problem} ${WRITE}`);
}
