import { onTestFinished } from 'vitest';
import { RedisConnection } from '../../electron/engine/backends/redis/connection/redis-connection.ts';
import { parseRedisUri } from '../../electron/engine/backends/redis/connection/redis-uri.ts';
import { createLogger } from '../../electron/engine/platform/logger.ts';

export const silentLog = createLogger('silent', () => 0);

/** Opens a connection for the running test. */
export async function openTestConnection(uri: string): Promise<RedisConnection> {
  const connection = await RedisConnection.open({ target: parseRedisUri(uri), log: silentLog, name: 'test' });
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
