import { SandglassError } from '../../../../../shared/model/errors.ts';

/** Members of a cluster, how to log in, and which keys are shown. */
export interface EtcdTarget {
  /** At least one, as `host:port`; an IPv6 address is in brackets. */
  readonly endpoints: readonly string[];
  readonly tls: boolean;
  readonly user: string | null;
  readonly password: string | null;
  /** Only keys that begin with this text are shown; empty: all keys. */
  readonly prefix: string;
}

const DEFAULT_PORT = 2379;
const WRITE =
  'Write etcd://USER:PASSWORD@HOST:PORT,HOST:PORT/?prefix=/KEYS/, or etcds:// for TLS; only one host is required.';
const URI = /^([a-z][a-z0-9+.-]*):\/\/(?:([^@/?#]*)@)?([^@/?#]*)\/?(?:\?([^#]*))?$/i;
const ENDPOINT = /^(\[[0-9a-f:.]+\]|[^:[\]\s]+)(?::(\d{1,5}))?$/i;

/**
 * Reads an `etcd://` or `etcds://` URI. User, password and prefix are percent-encoded. Throws INVALID_CONNECTION with
 * the form of an address; the message never contains the URI, since it may hold a password.
 */
export function parseEtcdUri(text: string): EtcdTarget {
  const match = URI.exec(text.trim());
  if (match === null) {
    throw invalid(
      'The address cannot be read. A character such as / : @ % ? # in a user or password is percent-encoded (@ is %40).',
    );
  }
  const [, scheme = '', login = '', hosts = '', query = ''] = match;
  if (!/^etcds?$/i.test(scheme))
    throw invalid(`An etcd address begins with etcd:// or etcds://, not ${scheme}://.`);
  const [user = '', ...password] = login.split(':');
  return {
    endpoints: hosts.split(',').map(endpointOf),
    tls: scheme.toLowerCase() === 'etcds',
    user: user === '' ? null : decoded(user, 'user'),
    password: password.length === 0 ? null : decoded(password.join(':'), 'password'),
    prefix: prefixOf(query),
  };
}

/** Returns the URI of a target without its password, for lists, answers and logs. */
export function publicEtcdUri({ endpoints, tls, user, prefix }: EtcdTarget): string {
  const login = user === null ? '' : `${encodeURIComponent(user)}@`;
  const query = prefix === '' ? '' : `/?prefix=${encodeURIComponent(prefix).replaceAll('%2F', '/')}`;
  return `${tls ? 'etcds' : 'etcd'}://${login}${endpoints.join(',')}${query}`;
}

function endpointOf(text: string): string {
  const match = ENDPOINT.exec(text.trim());
  if (match === null) throw invalid('A host is missing, or cannot be read; hosts are separated by commas.');
  const [, host = '', port = String(DEFAULT_PORT)] = match;
  if (Number(port) > 65_535) throw invalid('A port is at most 65535.');
  return `${host}:${port}`;
}

function prefixOf(query: string): string {
  if (query === '') return '';
  const [name, value = '', ...others] = query.split(/[=&]/);
  if (name !== 'prefix' || others.length > 0) throw invalid('After ? comes only prefix=….');
  return decoded(value, 'prefix');
}

function decoded(text: string, part: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) throw invalid(`The ${part} has a % that encodes nothing; write %25.`);
    throw error;
  }
}

function invalid(problem: string): SandglassError {
  return new SandglassError('INVALID_CONNECTION', `${problem} ${WRITE}`);
}
