import {
  decodeAddressPart,
  formatServerAddress,
  invalidAddress,
  parseServerAddress,
  type ServerHost,
} from '../../../../../shared/model/transport/server-address.ts';

export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** Login and database, the same for every server of a deployment. */
interface Login {
  readonly tls: boolean;
  /** Null: the server's default user. */
  readonly user: string | null;
  readonly password: string | null;
  readonly database: number;
}

/** One server: its own address, or the master of this name, whose address the sentinels have. */
export interface ServerTarget extends Login {
  readonly place:
    | ({ readonly is: 'server' } & HostAndPort)
    | { readonly is: 'sentinel'; readonly sentinels: readonly HostAndPort[]; readonly master: string };
}

/** A cluster, by some of its nodes. */
export interface ClusterTarget extends Login {
  readonly place: { readonly is: 'cluster'; readonly nodes: readonly HostAndPort[] };
}

export type RedisTarget = ServerTarget | ClusterTarget;

const SCHEME = /^redis(s)?(?:\+(sentinel|cluster))?$/;
const SERVER_PORT = 6379;
const SENTINEL_PORT = 26379;
const FORM =
  'Write redis://USER:PASSWORD@HOST:PORT/DATABASE, redis+sentinel://HOST:PORT,HOST:PORT/MASTER/DATABASE or redis+cluster://HOST:PORT,HOST:PORT, with rediss for TLS; only one host is required, and the name of a master.';

/**
 * Reads the URI of a server, of a master that sentinels watch, or of a cluster. User, password and the name of a master
 * are percent-encoded; an IPv6 address is in brackets. Throws INVALID_CONNECTION with what to write instead; the message
 * never contains the URI, since it may hold a password.
 */
export function parseRedisUri(text: string): RedisTarget {
  const { scheme, user, password, hosts, path, query } = parseServerAddress(text, FORM);
  const [, tls, deployment] = SCHEME.exec(scheme) ?? [];
  if (!SCHEME.test(scheme)) {
    throw invalidAddress(`A Redis address begins with redis:// or rediss://, not ${scheme}://.`, FORM);
  }
  if (query !== '') {
    throw invalidAddress(
      'The address has a part after ?. Such a character in a password is written %3F.',
      FORM,
    );
  }
  const login = { tls: tls !== undefined, user, password };
  if (deployment === 'cluster') {
    if (databaseOf(path) !== 0) throw invalidAddress('A cluster has database 0 only.', FORM);
    return { ...login, database: 0, place: { is: 'cluster', nodes: hosts.map(withPort(SERVER_PORT)) } };
  }
  if (deployment === 'sentinel') {
    const [, name = '', database = ''] = /^\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    if (name === '')
      throw invalidAddress('After the sentinels comes the name of their master, such as /mymaster.', FORM);
    const sentinels = hosts.map(withPort(SENTINEL_PORT));
    const master = decodeAddressPart(name, 'name of the master', FORM);
    return { ...login, database: databaseOf(database), place: { is: 'sentinel', sentinels, master } };
  }
  const [first, ...others] = hosts.map(withPort(SERVER_PORT));
  if (first === undefined || others.length > 0) {
    throw invalidAddress(
      'An address of several hosts is one of a cluster (redis+cluster://) or of sentinels (redis+sentinel://).',
      FORM,
    );
  }
  return { ...login, database: databaseOf(path), place: { is: 'server', ...first } };
}

/** Returns the URI of a target without its password, for lists, answers and logs. */
export function publicRedisUri({ place, tls, user, database }: RedisTarget): string {
  const scheme = tls ? 'rediss' : 'redis';
  const rest = { user, password: null, query: '' };
  switch (place.is) {
    case 'server':
      return formatServerAddress({ ...rest, scheme, hosts: [place], path: `/${database}` });
    case 'sentinel': {
      const path = `/${encodeURIComponent(place.master)}/${database}`;
      return formatServerAddress({ ...rest, scheme: `${scheme}+sentinel`, hosts: place.sentinels, path });
    }
    case 'cluster':
      return formatServerAddress({ ...rest, scheme: `${scheme}+cluster`, hosts: place.nodes, path: '' });
  }
}

function withPort(port: number): (host: ServerHost) => HostAndPort {
  return given => ({ host: given.host, port: given.port ?? port });
}

function databaseOf(path: string): number {
  const match = /^\/?(\d{0,9})$/.exec(path);
  if (match === null)
    throw invalidAddress('After the host comes the number of a database, such as /0.', FORM);
  return Number(match[1] ?? '');
}
