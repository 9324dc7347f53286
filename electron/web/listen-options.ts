import { readFile } from 'node:fs/promises';
import { SandglassError } from '../../shared/model/errors.ts';
import { networksOf } from './authentication/forwarded-headers.ts';
import { isLoopback } from './authentication/request-origin.ts';
import type { WebServerOptions } from './server.ts';

export interface ListenFlags {
  host: string;
  publicUrls: readonly string[];
  trustedProxies: readonly string[];
  tlsCert: string | undefined;
  tlsKey: string | undefined;
  insecure: boolean;
}

/**
 * Returns the server's options for its network access. Throws BAD_REQUEST if the token and the data would be sent
 * unencrypted: access from other machines needs TLS, a trusted proxy with an https address, or `--insecure`.
 */
export async function listenOptions(
  flags: ListenFlags,
): Promise<Pick<WebServerOptions, 'publicUrls' | 'trustedProxies' | 'onlyProxies' | 'tls'>> {
  const { host, tlsCert, tlsKey, insecure } = flags;
  const publicUrls = flags.publicUrls.map(text => new URL(text));
  const trustedProxies = networksOf(flags.trustedProxies);
  const isUnencrypted = !isLoopback(host) && tlsCert === undefined && !insecure;
  if (
    isUnencrypted &&
    !(trustedProxies !== undefined && publicUrls.some(({ protocol }) => protocol === 'https:'))
  ) {
    throw new SandglassError(
      'BAD_REQUEST',
      `Without TLS, others on the network could read the token and all data sent to ${host}. Give --tls-cert and --tls-key, or --trusted-proxy with an https --public-url. --insecure listens without encryption.`,
      { host },
    );
  }
  return {
    publicUrls,
    onlyProxies: isUnencrypted,
    ...(trustedProxies === undefined ? {} : { trustedProxies }),
    ...(tlsCert === undefined || tlsKey === undefined
      ? {}
      : { tls: { cert: await readFile(tlsCert), key: await readFile(tlsKey) } }),
  };
}
