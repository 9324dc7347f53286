import { SandglassError } from '../errors.ts';

/** Database servers that can be connected. */
export const SERVER_KINDS = ['redis', 'etcd', 'postgresql'] as const;
export type ServerKind = (typeof SERVER_KINDS)[number];

const SCHEMES: readonly [RegExp, ServerKind][] = [
  [/^rediss?(\+(sentinel|cluster))?:\/\//i, 'redis'],
  [/^etcds?:\/\//i, 'etcd'],
  [/^postgres(ql)?:\/\//i, 'postgresql'],
];

/** Returns the kind of server that an address names by its scheme; null: the text is not an address of a server. */
export function serverKindOf(address: string): ServerKind | null {
  return SCHEMES.find(([scheme]) => scheme.test(address.trim()))?.[1] ?? null;
}

/** A host and a port of an address. */
export interface ServerHost {
  /** Lower case; an IPv6 address has no brackets. */
  readonly host: string;
  /** Null: not given. */
  readonly port: number | null;
}

/** The parts of `scheme://user:password@host:port,host:port/path?query`. */
export interface ServerAddress {
  /** Lower case, without the colon. */
  readonly scheme: string;
  /** Decoded; null: none. */
  readonly user: string | null;
  /** Decoded; null: none. */
  readonly password: string | null;
  /** At least one. */
  readonly hosts: readonly ServerHost[];
  /** As written, with the leading slash; may be empty. */
  readonly path: string;
  /** As written, without the question mark; may be empty. */
  readonly query: string;
}

const ADDRESS = /^([a-z][a-z0-9+.-]*):\/\/(?:([^@/?#\s]*)@)?([^@/?#\s]+)(\/[^?#\s]*)?(?:\?([^#\s]*))?$/i;
const HOST = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::(\d{1,5}))?$/i;
const LAST_PORT = 65_535;

/**
 * Reads an address of one or more hosts, which `URL` cannot. `form` is how an address of this kind is written, and ends
 * the message of every error. Throws INVALID_CONNECTION; the message never contains the address, which may hold a
 * password.
 */
export function parseServerAddress(text: string, form = ''): ServerAddress {
  const match = ADDRESS.exec(text.trim());
  if (match === null) {
    throw invalidAddress(
      'The address cannot be read. It looks like redis://user@host:6379/0, and a character such as / : @ % ? # in a user or password is percent-encoded (@ is %40).',
      form,
    );
  }
  const [, scheme = '', login = '', hosts = '', path = '', query = ''] = match;
  const colon = login.indexOf(':');
  const user = colon < 0 ? login : login.slice(0, colon);
  const password = colon < 0 ? '' : login.slice(colon + 1);
  return {
    scheme: scheme.toLowerCase(),
    user: user === '' ? null : decodeAddressPart(user, 'user', form),
    password: password === '' ? null : decodeAddressPart(password, 'password', form),
    hosts: hosts.split(',').map(host => parseHost(host, form)),
    path,
    query,
  };
}

/** Returns the address without its password. */
export function formatServerAddress({ scheme, user, hosts, path, query }: ServerAddress): string {
  const login = user === null ? '' : `${encodeURIComponent(user)}@`;
  return `${scheme}://${login}${hosts.map(formatHost).join(',')}${path}${query === '' ? '' : `?${query}`}`;
}

/** Returns `host:port`, with an IPv6 address in brackets; without a port if none is given. */
export function formatHost({ host, port }: ServerHost): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === null ? name : `${name}:${port}`;
}

/** Returns the text of a percent-encoded part. Throws INVALID_CONNECTION. */
export function decodeAddressPart(text: string, part: string, form = ''): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError)
      throw invalidAddress(`The ${part} has a % that encodes nothing; write %25.`, form);
    throw error;
  }
}

/** Returns INVALID_CONNECTION for the field of the address. `form`: how such an address is written. */
export function invalidAddress(problem: string, form = ''): SandglassError {
  return new SandglassError('INVALID_CONNECTION', `${problem} ${form}`.trimEnd(), { field: 'uri' });
}

function parseHost(text: string, form: string): ServerHost {
  const match = HOST.exec(text);
  if (match === null) {
    throw invalidAddress(
      'A host is missing, or cannot be read. Several hosts are separated by commas, an IPv6 address is in brackets, and a character such as / : @ % ? # in a user or password is percent-encoded.',
      form,
    );
  }
  const [, v6, name, port] = match;
  if (port !== undefined && Number(port) > LAST_PORT) throw invalidAddress('A port is at most 65535.', form);
  return { host: (v6 ?? name ?? '').toLowerCase(), port: port === undefined ? null : Number(port) };
}
