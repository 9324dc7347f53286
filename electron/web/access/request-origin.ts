import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import { clientOf } from './forwarded-headers.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const ADDRESS_LITERAL = /^(\[[0-9a-f:.]+\]|[0-9]{1,3}(\.[0-9]{1,3}){3})$/;

/** The name in a Host header, without its port, in lower case; undefined where it is none. */
function hostName(header: string | undefined): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:[0-9]+)?$/.exec(header?.toLowerCase() ?? '')?.[1];
}

export type CallerCheck = (
  request: IncomingMessage,
) => 'ok' | 'wrong host' | 'wrong origin' | 'wrong address';

export interface CallerCheckOptions {
  /** Addresses at which people and proxies reach this server, beside the one it listens on (`--public-url`). */
  publicUrls?: readonly URL[];
  /** Proxies whose forwarded headers are believed (`--trusted-proxy`). */
  trustedProxies?: BlockList;
  /** It speaks TLS itself. */
  isTls?: boolean;
  /** Nobody but the trusted proxies and this machine is answered: it listens to others in the clear. */
  onlyProxies?: boolean;
}

/**
 * Refuses what a foreign page can make a browser send here. A page that lets its own name resolve to this machine
 * (DNS rebinding) still sends that name as Host; so a name counts only if it is loopback's, the one given to `--host`, or
 * one of `--public-url`. The port is free: behind an SSH tunnel it is another. A foreign page's direct request names its
 * Origin, which has to be this server's own or that of a public URL.
 */
export function callerCheck(listenHost: string, options: CallerCheckOptions = {}): CallerCheck {
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
    } = clientOf(request, trustedProxies);
    if (onlyProxies && !isProxied && !isLoopback(address)) return 'wrong address';
    const name = hostName(host);
    // An address cannot be rebound, so where all of this machine's are listened on, any of them will do.
    const known = name !== undefined && (names.has(name) || (everywhere && ADDRESS_LITERAL.test(name)));
    if (!known) return 'wrong host';
    const origin = headers.origin?.toLowerCase();
    const isOurs =
      origin === undefined || origin === `${scheme}://${host?.toLowerCase()}` || publicOrigins.has(origin);
    return isOurs ? 'ok' : 'wrong origin';
  };
}

/** Whether only this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^(::ffff:)?127(\.[0-9]{1,3}){3}$/.test(host);
}
