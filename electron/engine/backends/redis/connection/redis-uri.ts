import { SandglassError } from '../../../../../shared/model/errors.ts';

/** Address of a standalone server, and the login. */
export interface RedisTarget {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  /** Null: the server's default user. */
  readonly user: string | null;
  readonly password: string | null;
  readonly database: number;
}

const DEFAULT_PORT = 6379;
const WRITE =
  'Write redis://USER:PASSWORD@HOST:PORT/DATABASE, or rediss:// for TLS; only the host is required.';

/**
 * Reads a `redis://` or `rediss://` URI. User and password are percent-encoded; an IPv6 address is in brackets. Throws
 * INVALID_CONNECTION with what to write instead; the message never contains the URI, since it may hold a password.
 */
export function parseRedisUri(text: string): RedisTarget {
  const uri = parsed(text.trim());
  if (uri.protocol !== 'redis:' && uri.protocol !== 'rediss:') {
    throw invalid(`A Redis address begins with redis:// or rediss://, not ${uri.protocol}//.`);
  }
  if (uri.hostname === '') throw invalid('The address has no host.');
  if (uri.search !== '' || uri.hash !== '') {
    throw invalid(
      'The address has a part after ? or #. Such a character in a password is written %3F or %23.',
    );
  }
  return {
    host: uri.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: uri.port === '' ? DEFAULT_PORT : Number(uri.port),
    tls: uri.protocol === 'rediss:',
    user: decoded(uri.username, 'user'),
    password: decoded(uri.password, 'password'),
    database: databaseOf(uri.pathname),
  };
}

/** Returns the URI of a target without its password, for lists, answers and logs. */
export function publicRedisUri({ host, port, tls, user, database }: RedisTarget): string {
  const login = user === null ? '' : `${encodeURIComponent(user)}@`;
  const address = host.includes(':') ? `[${host}]` : host;
  return `${tls ? 'rediss' : 'redis'}://${login}${address}:${port}/${database}`;
}

function parsed(text: string): URL {
  const uri = URL.parse(text);
  if (uri !== null) return uri;
  throw invalid(
    text.includes('://')
      ? 'The address cannot be read. A character such as / : @ % ? # in a user or password is percent-encoded (@ is %40), an IPv6 address is in brackets, and a port is at most 65535.'
      : 'The address has no scheme.',
  );
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

function databaseOf(path: string): number {
  const match = /^\/?(\d{0,9})$/.exec(path);
  if (match === null) throw invalid('After the host comes the number of a database, such as /0.');
  return Number(match[1] ?? '');
}

function invalid(problem: string): SandglassError {
  return new SandglassError('INVALID_CONNECTION', `${problem} ${WRITE}`);
}
