import type { ConnectionTest, ServerTarget } from '../../shared/contract/connections.ts';
import type { Clock } from '../engine/platform/clock.ts';
import type { Logger } from '../engine/platform/logger.ts';

/** Returns what the server is and how far away it is; changes nothing. Throws why it cannot be used. */
export async function probeServer(
  { kind, uri }: ServerTarget,
  secret: string | undefined,
  clock: Clock,
  log: Logger,
): Promise<ConnectionTest> {
  // Loaded on first use, to keep the start fast.
  if (kind === 'etcd') {
    const { probeEtcd } = await import('../engine/backends/etcd/probe.ts');
    return { is: 'server', ...(await probeEtcd({ uri, secret, clock, log })) };
  }
  const { probeRedis } = await import('../engine/backends/redis/probe.ts');
  return { is: 'server', ...(await probeRedis({ uri, secret, clock, log })) };
}
