import { SandglassError } from '../../../shared/model/errors.ts';
import type { Caller } from './caller.ts';

/** Hosts that reach this machine itself. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Returns the address of a server without its password, and the password. Throws INVALID_CONNECTION; its message does
 * not repeat the given address, which may contain the password.
 */
export function splitSecret(given: string): { uri: string; secret: string | undefined } {
  const url = parse(given.trim());
  const secret = url.password === '' ? undefined : decoded(url.password);
  url.password = '';
  return { uri: url.href, secret };
}

/**
 * Servers that a caller from the network may name, as `host` or `host:port`. Without this bound a token could reach
 * every server that this machine reaches.
 */
export type AllowedServers = readonly string[];

/** Throws INVALID_CONNECTION unless the caller may connect to the server of `uri` [P1]. */
export function checkServer({ from }: Caller, uri: string, allowed: AllowedServers): void {
  if (from === 'machine') return;
  const { hostname, host } = parse(uri);
  if (LOOPBACK.test(hostname) || allowed.includes(hostname) || allowed.includes(host)) return;
  throw new SandglassError(
    'INVALID_CONNECTION',
    `This Sandglass connects to servers of its own machine only. To allow ${hostname}, start it with --allow-server ${host}.`,
    { field: 'uri', host },
  );
}

function parse(uri: string): URL {
  const url = URL.canParse(uri) ? new URL(uri) : null;
  if (url !== null && url.hostname !== '') return url;
  throw new SandglassError(
    'INVALID_CONNECTION',
    'The address of a server looks like redis://user@host:6379/0 or postgresql://user@host/database. Characters such as @, : and / in a name or password are percent-encoded.',
    { field: 'uri' },
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new SandglassError(
      'INVALID_CONNECTION',
      'The password in the address is not percent-encoded correctly: write % as %25.',
      { field: 'uri' },
    );
  }
}
