import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Address of a caller, from those headers of its request that can be trusted. */
export interface CallerAddress {
  readonly address: string;
  /** The request came through a trusted proxy. */
  readonly isProxied: boolean;
  /** `X-Forwarded-Host` and `-Proto` of a trusted proxy. */
  readonly host?: string | undefined;
  readonly scheme?: 'http' | 'https' | undefined;
}

/**
 * Returns the address of a request's caller. `X-Forwarded-For`, `-Host` and `-Proto` count only on connections from a
 * trusted proxy; of several forwarded addresses, the last one that does not belong to a trusted proxy.
 */
export function callerAddressOf(request: IncomingMessage, trusted: BlockList | undefined): CallerAddress {
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

/**
 * Returns the networks of `--trusted-proxy` (`10.0.0.0/8`, `fd00::/8` or one address), which the flags' parser has
 * validated; undefined if there are none.
 */
export function networksOf(texts: readonly string[]): BlockList | undefined {
  if (texts.length === 0) return undefined;
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', prefix] = text.split('/');
    const family = familyOf(address);
    if (family === undefined) continue;
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

function holds(list: BlockList, address: string): boolean {
  const family = familyOf(address);
  // On an IPv6 socket an IPv4 sender is ::ffff:10.0.0.1, which BlockList matches with IPv4 networks.
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
