import { onTestFinished } from 'vitest';
import { RedisConnection } from '../../electron/engine/backends/redis/connection/redis-connection.ts';
import {
  parseRedisUri,
  type ServerTarget,
} from '../../electron/engine/backends/redis/connection/redis-uri.ts';
import { ServerNetwork } from '../../electron/engine/network/server-network.ts';
import { systemClock } from '../../electron/engine/platform/clock.ts';
import { createLogger } from '../../electron/engine/platform/logger.ts';

export const silentLog = createLogger('silent', () => 0);
/** No tunnel, and no certificates of its own. */
export const directNetwork = new ServerNetwork({ target: {}, clock: systemClock, log: silentLog });

/** Reads the URI of one server, or of a master that sentinels name. */
export function serverTarget(uri: string): ServerTarget {
  const { place, ...login } = parseRedisUri(uri);
  if (place.is === 'cluster') throw new Error('a cluster has no single server');
  return { ...login, place };
}

/** Opens a connection for the running test. */
export async function openTestConnection(uri: string): Promise<RedisConnection> {
  const connection = await RedisConnection.open({
    target: serverTarget(uri),
    log: silentLog,
    network: directNetwork,
    name: 'test',
  });
  onTestFinished(() => connection.close());
  return connection;
}

/** Resolves when the connection can be used again. */
export function ready(connection: RedisConnection): Promise<void> {
  if (connection.isReady) return Promise.resolve();
  return new Promise(resolve => {
    const stop = connection.onReady(() => {
      stop();
      resolve();
    });
  });
}
