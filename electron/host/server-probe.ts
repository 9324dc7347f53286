import type { ConnectionTest, ServerTarget } from '../../shared/contract/connections.ts';
import type { ServerKind } from '../../shared/model/transport/server-address.ts';
import type { Clock } from '../engine/platform/clock.ts';
import type { Logger } from '../engine/platform/logger.ts';

/**
 * Returns the server's name and round trip time; changes nothing. Rejects with the reason if the server cannot be used.
 */
export async function probeServer(
  { kind, uri }: ServerTarget,
  secret: string | undefined,
  clock: Clock,
  log: Logger,
): Promise<ConnectionTest> {
  return { is: 'server', ...(await probeOf(kind)({ uri, secret, clock, log })) };
}

type Probe = (options: {
  uri: string;
  secret: string | undefined;
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
