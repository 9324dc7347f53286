import { readFile } from 'node:fs/promises';
import { SandglassError } from '../../shared/model/errors.ts';
import { networksOf } from './access/forwarded-headers.ts';
import { isLoopback } from './access/request-origin.ts';
import type { WebServerNeeds } from './server.ts';

export interface ServedFlags {
  host: string;
  publicUrls: readonly string[];
  trustedProxies: readonly string[];
  tlsCert: string | undefined;
  tlsKey: string | undefined;
  insecure: boolean;
}

/**
 * How the flags let others reach the server. Throws BAD_REQUEST where its token and its data would travel in the clear:
 * beyond this machine it needs TLS of its own, a trusted proxy with an https address in front, or `--insecure`.
 */
export async function servedSafely(
  flags: ServedFlags,
): Promise<Pick<WebServerNeeds, 'publicUrls' | 'trustedProxies' | 'onlyProxies' | 'tls'>> {
  const { host, tlsCert, tlsKey, insecure } = flags;
  const publicUrls = flags.publicUrls.map(text => new URL(text));
  const trustedProxies = networksOf(flags.trustedProxies);
  const isClear = !isLoopback(host) && tlsCert === undefined && !insecure;
  if (
    isClear &&
    !(trustedProxies !== undefined && publicUrls.some(({ protocol }) => protocol === 'https:'))
  ) {
    throw new SandglassError(
      'BAD_REQUEST',
      `Others could read the token and all data on their way to ${host}. Give --tls-cert and --tls-key, or --trusted-proxy with an https --public-url; --insecure listens all the same.`,
      { host },
    );
  }
  return {
    publicUrls,
    onlyProxies: isClear,
    ...(trustedProxies === undefined ? {} : { trustedProxies }),
    ...(tlsCert === undefined || tlsKey === undefined
      ? {}
      : { tls: { cert: await readFile(tlsCert), key: await readFile(tlsKey) } }),
  };
}
