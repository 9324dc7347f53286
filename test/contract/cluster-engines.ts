import { connectMasters } from '../../electron/engine/backends/redis/connection/connect-masters.ts';
import { parseRedisUri } from '../../electron/engine/backends/redis/connection/redis-uri.ts';
import { systemClock } from '../../electron/engine/platform/clock.ts';
import { type Deployment, startRedisCluster, startSentinelTrio } from '../support/redis-cluster.ts';
import { directNetwork, silentLog } from '../support/redis-connection.ts';
import { NEEDS_REDIS } from '../support/redis-server.ts';
import { type RunningEngine, redisEngine, type TestedEngine } from './engines.ts';

/** Engines of several servers: tested with other clusters, and not by each `npm test`. */
export const CLUSTER_ENGINES: readonly TestedEngine[] = [
  deployed('Redis Sentinel', startSentinelTrio),
  // No failover is tested here: on a busy machine a server may not run for seconds.
  deployed('Redis Cluster', () => startRedisCluster('--cluster-node-timeout', '15000')),
];

function deployed(name: string, start: () => Promise<Deployment>): TestedEngine {
  return {
    name,
    missing: NEEDS_REDIS,
    documentsHaveDeadlines: true,
    listsExpired: true,
    precisionMs: 1_000,
    async start(): Promise<RunningEngine> {
      const deployment = await start();
      const masters = connectMasters(parseRedisUri(deployment.uri), {
        clock: systemClock,
        log: silentLog,
        network: directNetwork,
      });
      await masters.all(AbortSignal.timeout(30_000));
      return redisEngine(deployment.uri, masters.commands, async () => {
        masters.close();
        await deployment.stop();
      });
    },
  };
}
