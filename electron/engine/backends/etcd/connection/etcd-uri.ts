import {
  decodeAddressPart,
  formatHost,
  formatServerAddress,
  invalidAddress,
  parseServerAddress,
} from '../../../../../shared/model/transport/server-address.ts';

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
const FORM =
  'Write etcd://USER:PASSWORD@HOST:PORT,HOST:PORT/?prefix=/KEYS/, or etcds:// for TLS; only one host is required.';

/**
 * Reads an `etcd://` or `etcds://` URI. User, password and prefix are percent-encoded. Throws INVALID_CONNECTION with
 * the form of an address; the message never contains the URI, since it may hold a password.
 */
export function parseEtcdUri(text: string): EtcdTarget {
  const { scheme, user, password, hosts, path, query } = parseServerAddress(text, FORM);
  if (scheme !== 'etcd' && scheme !== 'etcds')
    throw invalidAddress(`An etcd address begins with etcd:// or etcds://, not ${scheme}://.`, FORM);
  if (path !== '' && path !== '/')
    throw invalidAddress('After the hosts comes only /?prefix=…, or nothing.', FORM);
  return {
    endpoints: hosts.map(({ host, port }) => formatHost({ host, port: port ?? DEFAULT_PORT })),
    tls: scheme === 'etcds',
    user,
    password,
    prefix: prefixOf(query),
  };
}

/** Returns the URI of a target without its password, for lists, answers and logs. */
export function publicEtcdUri({ endpoints, tls, user, prefix }: EtcdTarget): string {
  const { hosts } = parseServerAddress(`etcd://${endpoints.join(',')}`);
  const query = prefix === '' ? '' : `prefix=${encodeURIComponent(prefix).replaceAll('%2F', '/')}`;
  const path = query === '' ? '' : '/';
  return formatServerAddress({ scheme: tls ? 'etcds' : 'etcd', user, password: null, hosts, path, query });
}

function prefixOf(query: string): string {
  if (query === '') return '';
  const [name, value = '', ...others] = query.split(/[=&]/);
  if (name !== 'prefix' || others.length > 0) throw invalidAddress('After ? comes only prefix=….', FORM);
  return decodeAddressPart(value, 'prefix', FORM);
}
