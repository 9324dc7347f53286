import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type RedisServer, startRedisServer } from './redis-server.ts';

export { NEEDS_REDIS, type RedisServer } from './redis-server.ts';

/** Starts a server for the running test. */
export async function startRedis(...options: readonly string[]): Promise<RedisServer> {
  const server = await startRedisServer(...options);
  onTestFinished(() => server.stop());
  return server;
}

/** Starts one server for the tests of a `describe`, which empty it themselves. */
export function redisOfSuite(...options: readonly string[]): { readonly uri: string } {
  let running: RedisServer | null = null;
  beforeAll(async () => {
    running = await startRedisServer(...options);
  });
  afterAll(() => running?.stop());
  return {
    get uri() {
      return running?.uri ?? '';
    },
  };
}
