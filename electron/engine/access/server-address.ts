import { isIPv4 } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { ServerTarget } from '../../../shared/contract/connections.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import {
  formatHost,
  formatServerAddress,
  parseServerAddress,
  type ServerHost,
} from '../../../shared/model/transport/server-address.ts';
import type { Caller } from './caller.ts';

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

/** Throws INVALID_CONNECTION for a server that may not be connected. */
export type ServerCheck = (server: ServerHost) => void;

/**
 * Returns the check of the servers to which a caller from the network connects, also of those that other servers name: the
 * masters of sentinels and of a cluster [P1]. This machine's own servers need no permission, except behind an SSH server,
 * whose own they are, and except to receive a secret of the host.
 */
export function serverCheck(
  { ssh, secretFrom }: Pick<ServerTarget, 'ssh' | 'secretFrom'>,
  allowed: AllowedServers,
): ServerCheck {
  const isOwnAllowed = ssh === undefined && secretFrom === undefined;
  return server => {
    if (isOwnAllowed && isThisMachine(server)) return;
    checkAllowed(server, allowed);
  };
}

/** Throws INVALID_CONNECTION unless the caller may connect to each host of `uri` and to the SSH servers on the way [P1]. */
export function checkServer(
  { from }: Pick<Caller, 'from'>,
  target: Pick<ServerTarget, 'uri' | 'ssh' | 'secretFrom'>,
  allowed: AllowedServers,
): void {
  if (from === 'machine') return;
  parseServerAddress(target.uri).hosts.forEach(serverCheck(target, allowed));
  const { ssh } = target;
  if (ssh === undefined) return;
  const [first, second] = ssh.jump === undefined ? [ssh] : [ssh.jump, ssh];
  if (!isThisMachine(first)) checkAllowed(first, allowed);
  if (second !== undefined) checkAllowed(second, allowed);
}

/** Returns whether both targets reach the same servers in the same way, so that a secret of one may be sent to the other. */
export function isSameRoute(one: ServerTarget, other: ServerTarget): boolean {
  return isDeepStrictEqual(routeOf(one), routeOf(other));
}

function routeOf({ uri, ssh, tls }: ServerTarget) {
  const { scheme, hosts, query } = parseServerAddress(uri);
  return { scheme, hosts, query, ssh, tls };
}

function isThisMachine({ host }: Pick<ServerHost, 'host'>): boolean {
  const name = host.toLowerCase();
  return name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'));
}

function checkAllowed(server: ServerHost, allowed: AllowedServers): void {
  const name = formatHost({ ...server, port: null });
  const host = formatHost(server);
  if (allowed.includes(name) || allowed.includes(host)) return;
  throw new SandglassError(
    'INVALID_CONNECTION',
    `This Sandglass was not allowed to connect to ${host} for a caller from the network. To allow it, start it with --allow-server ${host}.`,
    { field: 'uri', host },
  );
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
