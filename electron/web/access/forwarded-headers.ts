import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** The sender of a request, as far as it can be believed. */
export interface Client {
  readonly address: string;
  /** A trusted proxy passed it on. */
  readonly isProxied: boolean;
  /** What the sender asked for, where a trusted proxy tells it. */
  readonly host?: string | undefined;
  readonly scheme?: 'http' | 'https' | undefined;
}

/**
 * The sender of a request. `X-Forwarded-For`, `-Host` and `-Proto` count only where the connection comes from a trusted
 * proxy; of several addresses the last one counts that is no trusted proxy's.
 */
export function clientOf(request: IncomingMessage, trusted: BlockList | undefined): Client {
  const address = request.socket.remoteAddress ?? '';
  if (trusted === undefined || !holds(trusted, address)) return { address, isProxied: false };
  const forwarded = listOf(request.headers['x-forwarded-for']);
  const scheme = listOf(request.headers['x-forwarded-proto']).at(-1);
  return {
    address: forwarded.findLast(one => !holds(trusted, one)) ?? address,
    isProxied: true,
    host: listOf(request.headers['x-forwarded-host']).at(-1),
    scheme: scheme === 'https' || scheme === 'http' ? scheme : undefined,
  };
}

/** Adds `10.0.0.0/8`, `fd00::/8` or one address. Returns false for what is none of these. */
export function addNetwork(list: BlockList, text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = familyOf(address);
  if (family === undefined || rest.length > 0) return false;
  if (prefix === undefined) {
    list.addAddress(address, family);
    return true;
  }
  const bits = /^[0-9]{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (!(bits >= 1 && bits <= (family === 'ipv4' ? 32 : 128))) return false;
  list.addSubnet(address, bits, family);
  return true;
}

/** The networks of `--trusted-proxy`, which were checked when the flags were read; undefined: there are none. */
export function networksOf(texts: readonly string[]): BlockList | undefined {
  if (texts.length === 0) return undefined;
  const list = new BlockList();
  for (const text of texts) addNetwork(list, text);
  return list;
}

function holds(list: BlockList, address: string): boolean {
  const family = familyOf(address);
  // A server that listens on IPv6 tells an IPv4 sender as ::ffff:10.0.0.1, which the list understands.
  return family !== undefined && list.check(address, family);
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? 'ipv4' : 'ipv6';
}

function listOf(header: string | string[] | undefined): string[] {
  return [header ?? []]
    .flat()
    .join(',')
    .split(',')
    .map(one => one.trim())
    .filter(one => one !== '');
}
