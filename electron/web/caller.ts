import type { IncomingMessage } from 'node:http';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const ADDRESS_LITERAL = /^(\[[0-9a-f:.]+\]|[0-9]{1,3}(\.[0-9]{1,3}){3})$/;

/** The name in a Host header, without its port, in lower case; undefined where it is none. */
function hostName(header: string | undefined): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:[0-9]+)?$/.exec(header?.toLowerCase() ?? '')?.[1];
}

export type CallerCheck = (request: IncomingMessage) => 'ok' | 'wrong host' | 'wrong origin';

/**
 * Refuses what a foreign page can make a browser send here. A page that lets its own name resolve to this machine
 * (DNS rebinding) still sends that name as Host; so a name counts only if it is loopback's or the one given to
 * `--host`. The port is free: behind an SSH tunnel it is another. A foreign page's direct request names its Origin.
 */
export function callerCheck(listenHost: string): CallerCheck {
  const everywhere = listenHost === '0.0.0.0' || listenHost === '::';
  const own = listenHost.toLowerCase();
  const names = new Set([...LOOPBACK, own.includes(':') ? `[${own}]` : own]);
  return ({ headers }) => {
    const name = hostName(headers.host);
    // An address cannot be rebound, so where all of this machine's are listened on, any of them will do.
    const known = name !== undefined && (names.has(name) || (everywhere && ADDRESS_LITERAL.test(name)));
    if (!known) return 'wrong host';
    const { origin } = headers;
    if (origin !== undefined && origin.toLowerCase() !== `http://${headers.host?.toLowerCase()}`) {
      return 'wrong origin';
    }
    return 'ok';
  };
}

/** Whether only this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.[0-9]{1,3}){3}$/.test(host);
}
