import type { ServerTarget } from '../../../shared/contract/connections.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import {
  formatHost,
  formatServerAddress,
  parseServerAddress,
} from '../../../shared/model/transport/server-address.ts';
import type { Caller } from './caller.ts';

/** Hosts that reach this machine itself. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Returns the address of a server without its password, and the password. Throws INVALID_CONNECTION; its message does
 * not repeat the given address, which may contain the password.
 */
export function splitSecret(given: string): { uri: string; secret: string | undefined } {
  const address = parseServerAddress(given);
  return { uri: formatServerAddress(address), secret: address.password ?? undefined };
}

/**
 * Servers that a caller from the network may name, as `host` or `host:port`. Without this bound a token could reach
 * every server that this machine reaches.
 */
export type AllowedServers = readonly string[];

/** Throws INVALID_CONNECTION unless the caller may connect to each host of `uri` and to the SSH servers on the way [P1]. */
export function checkServer(
  { from }: Pick<Caller, 'from'>,
  { uri, ssh }: Pick<ServerTarget, 'uri' | 'ssh'>,
  allowed: AllowedServers,
): void {
  if (from === 'machine') return;
  const hops = [ssh, ssh?.jump].filter(hop => hop !== undefined);
  for (const one of [...parseServerAddress(uri).hosts, ...hops]) {
    const name = formatHost({ ...one, port: null });
    const host = formatHost(one);
    if (LOOPBACK.test(name) || allowed.includes(name) || allowed.includes(host)) continue;
    throw new SandglassError(
      'INVALID_CONNECTION',
      `This Sandglass connects to servers of its own machine only. To allow ${name}, start it with --allow-server ${host}.`,
      { field: 'uri', host },
    );
  }
}

/** Throws INVALID_CONNECTION if a target has certificates, and its address does not require TLS. */
export function checkCertificates({ uri, tls }: Pick<ServerTarget, 'uri' | 'tls'>): void {
  if (tls === undefined || requiresTls(uri)) return;
  throw new SandglassError(
    'INVALID_CONNECTION',
    'The connection has certificates, and its address does not require TLS: write rediss:// or etcds://, or ?sslmode=verify-full after the address of a PostgreSQL server.',
    { field: 'uri' },
  );
}

function requiresTls(uri: string): boolean {
  const { scheme, query } = parseServerAddress(uri);
  if (scheme.startsWith('rediss') || scheme === 'etcds') return true;
  return ['require', 'verify-ca', 'verify-full'].includes(new URLSearchParams(query).get('sslmode') ?? '');
}
