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

/** Throws INVALID_CONNECTION unless the caller may connect to each host of `uri` [P1]. */
export function checkServer({ from }: Caller, uri: string, allowed: AllowedServers): void {
  if (from === 'machine') return;
  for (const one of parseServerAddress(uri).hosts) {
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
