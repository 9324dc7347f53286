import type { ConnectionTest, ServerSecrets, ServerTarget } from '../../shared/contract/connections.ts';
import type { ServerKind } from '../../shared/model/transport/server-address.ts';
import { type AllowedServers, serverCheck } from '../engine/access/server-address.ts';
import { ServerNetwork } from '../engine/network/server-network.ts';
import type { Clock } from '../engine/platform/clock.ts';
import type { Logger } from '../engine/platform/logger.ts';

/**
 * Returns the server's name and round trip time; changes nothing. Rejects with the reason if the server cannot be used.
 * `allowed`: servers that may be connected; null: any.
 */
export async function probeServer(
  target: ServerTarget,
  secrets: ServerSecrets,
  { allowed, clock, log }: { allowed: AllowedServers | null; clock: Clock; log: Logger },
): Promise<ConnectionTest> {
  const check = allowed === null ? undefined : serverCheck(target, allowed);
  const network = new ServerNetwork({ target, secrets, check, clock, log });
  try {
    return {
      is: 'server',
      ...(await probeOf(target.kind)({ uri: target.uri, secret: secrets.secret, network, clock, log })),
    };
  } finally {
    network.close();
  }
}

type Probe = (options: {
  uri: string;
  secret: string | undefined;
  network: ServerNetwork;
  clock: Clock;
  log: Logger;
}) => Promise<Omit<ConnectionTest & { is: 'server' }, 'is'>>;

/** Loaded on first use, to keep the start fast. */
function probeOf(kind: ServerKind): Probe {
  switch (kind) {
    case 'redis':
      return async options => (await import('../engine/backends/redis/probe.ts')).probeRedis(options);
    case 'etcd':
      return async options => (await import('../engine/backends/etcd/probe.ts')).probeEtcd(options);
    case 'postgresql':
      return async options => (await import('../engine/backends/postgresql/probe.ts')).probePostgres(options);
  }
}
