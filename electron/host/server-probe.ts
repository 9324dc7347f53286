import type { ConnectionTest, ServerSecrets, ServerTarget } from '../../shared/contract/connections.ts';
import type { ServerKind } from '../../shared/model/transport/server-address.ts';
import { ServerNetwork } from '../engine/network/server-network.ts';
import type { Clock } from '../engine/platform/clock.ts';
import type { Logger } from '../engine/platform/logger.ts';

/**
 * Returns the server's name and round trip time; changes nothing. Rejects with the reason if the server cannot be used.
 */
export async function probeServer(
  target: ServerTarget,
  { secret, passphrase }: ServerSecrets,
  clock: Clock,
  log: Logger,
): Promise<ConnectionTest> {
  const network = new ServerNetwork({ target, passphrase, clock, log });
  try {
    return {
      is: 'server',
      ...(await probeOf(target.kind)({ uri: target.uri, secret, network, clock, log })),
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
