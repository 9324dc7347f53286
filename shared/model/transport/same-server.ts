import { SandglassError } from '../errors.ts';
import {
  decodeAddressPart,
  formatHost,
  parseServerAddress,
  type ServerAddress,
  type ServerHost,
} from './server-address.ts';

/** Ports that an address without one means, by scheme without its TLS. */
const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  redis: 6379,
  'redis+sentinel': 26379,
  'redis+cluster': 6379,
  etcd: 2379,
  postgresql: 5432,
};

/** The user of an address without one. */
const DEFAULT_USERS: Readonly<Record<string, string>> = { redis: 'default', postgresql: 'postgres' };

/**
 * Returns a text that is equal for all spellings of one address: of the scheme, of hosts (letter case, `localhost`, IPv6) and their
 * order, with the default port, user or database written out or left out. Differs by user and database, which see different data.
 * No name is looked up. An address that cannot be read is its own text.
 */
function canonicalAddress(uri: string): string {
  try {
    return canonical(parseServerAddress(uri));
  } catch (error) {
    if (error instanceof SandglassError) return uri;
    throw error;
  }
}

interface SshHop {
  readonly host: string;
  readonly port: number;
}

/** Returns `canonicalAddress` as seen from the SSH server, if any: `localhost` of two SSH servers is not one server. */
export function canonicalServer({
  uri,
  ssh,
}: {
  readonly uri: string;
  readonly ssh?: (SshHop & { readonly jump?: SshHop | undefined }) | undefined;
}): string {
  const hops = ssh === undefined ? [] : [...(ssh.jump ? [ssh.jump] : []), ssh];
  return [...hops.map(({ host, port }) => `${host.toLowerCase()}:${port}`), canonicalAddress(uri)].join(' ');
}

function canonical({ scheme: given, user: named, hosts, path, query }: ServerAddress): string {
  const { scheme, isTls } = schemeOf(given);
  const [kind = ''] = scheme.split('+');
  const user = named ?? DEFAULT_USERS[kind] ?? '';
  const all = hosts.map(host => canonicalHost(host, DEFAULT_PORTS[scheme] ?? null)).sort();
  const parts = [scheme, isTls, user, all, ...shownData(scheme, { user, path, query })];
  return JSON.stringify(parts);
}

/** PostgreSQL has TLS or not by a parameter, for one port. */
function schemeOf(given: string): { scheme: string; isTls: boolean } {
  if (given === 'postgres') return { scheme: 'postgresql', isTls: false };
  const plain = given.replace(/^rediss(?=$|\+)/, 'redis').replace(/^etcds$/, 'etcd');
  return { scheme: plain, isTls: plain !== given };
}

function canonicalHost({ host, port }: ServerHost, defaultPort: number | null): string {
  const name = host === 'localhost' ? '127.0.0.1' : host.includes(':') ? canonicalV6(host) : host;
  return formatHost({ host: name, port: port ?? defaultPort });
}

/** Returns the eight groups of an IPv6 address without leading zeros. */
function canonicalV6(host: string): string {
  const [before = '', after] = host.split('::');
  const groups = (text: string) => text.split(':').filter(group => group !== '');
  const [head, tail] = [groups(before), groups(after ?? '')];
  const zeros =
    after === undefined ? [] : Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0');
  return [...head, ...zeros, ...tail].map(group => group.replace(/^0+(?=.)/, '')).join(':');
}

/** The database or the keys that an address shows, and the master of sentinels. */
function shownData(
  scheme: string,
  { user, path, query }: { user: string; path: string; query: string },
): string[] {
  const segments = path.split('/').filter(segment => segment !== '');
  switch (scheme) {
    case 'postgresql':
      return [segments[0] === undefined ? user : decodeAddressPart(segments.join('/'), 'database')];
    case 'etcd':
      return [decodeAddressPart(query.replace(/^prefix=/, ''), 'prefix')];
    case 'redis+sentinel':
      return [decodeAddressPart(segments[0] ?? '', 'name of the master'), database(segments[1])];
    default:
      return [database(segments[0])];
  }
}

function database(text: string | undefined): string {
  return String(Number(text ?? '0'));
}
