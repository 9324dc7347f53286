import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import { callerAddressOf } from './forwarded-headers.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const ADDRESS_LITERAL = /^(\[[0-9a-f:.]+\]|[0-9]{1,3}(\.[0-9]{1,3}){3})$/;

/** Returns the name in a Host header, without its port, in lower case; undefined if the header is invalid. */
function hostName(header: string | undefined): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:[0-9]+)?$/.exec(header?.toLowerCase() ?? '')?.[1];
}

export type OriginCheck = (
  request: IncomingMessage,
) => 'ok' | 'wrong host' | 'wrong origin' | 'wrong address';

export interface OriginCheckOptions {
  /** Further addresses of this server (`--public-url`), beside the one it listens on. */
  publicUrls?: readonly URL[];
  /** Proxies whose forwarded headers are trusted (`--trusted-proxy`). */
  trustedProxies?: BlockList;
  /** The server itself uses TLS. */
  isTls?: boolean;
  /** Refuses every caller except trusted proxies and this machine; needed if the server listens without TLS. */
  onlyProxies?: boolean;
}

/**
 * Returns a check that refuses requests which a page of another site makes a browser send. Against DNS rebinding, Host
 * must be a loopback name, the name given to `--host`, or one of `--public-url`, with any port: an SSH tunnel uses
 * another. Against direct requests, Origin must be this server's or that of a public URL.
 */
export function createOriginCheck(listenHost: string, options: OriginCheckOptions = {}): OriginCheck {
  const { publicUrls = [], trustedProxies, isTls = false, onlyProxies = false } = options;
  const everywhere = listenHost === '0.0.0.0' || listenHost === '::';
  const own = listenHost.toLowerCase();
  const publicNames = publicUrls.map(({ hostname }) => hostname);
  const names = new Set([...LOOPBACK, own.includes(':') ? `[${own}]` : own, ...publicNames]);
  const publicOrigins = new Set(publicUrls.map(({ origin }) => origin));
  return request => {
    const { headers } = request;
    const {
      address,
      isProxied,
      host = headers.host,
      scheme = isTls ? 'https' : 'http',
    } = callerAddressOf(request, trustedProxies);
    if (onlyProxies && !isProxied && !isLoopback(address)) return 'wrong address';
    const name = hostName(host);
    // An IP address cannot be rebound: any of them is valid if the server listens on all addresses.
    const isKnown = name !== undefined && (names.has(name) || (everywhere && ADDRESS_LITERAL.test(name)));
    if (!isKnown) return 'wrong host';
    const origin = headers.origin?.toLowerCase();
    const isOwn =
      origin === undefined || origin === `${scheme}://${host?.toLowerCase()}` || publicOrigins.has(origin);
    return isOwn ? 'ok' : 'wrong origin';
  };
}

/** Returns whether only this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^(::ffff:)?127(\.[0-9]{1,3}){3}$/.test(host);
}
