import { describe, expect, it, onTestFinished } from 'vitest';
import { serverCheck } from '../../../../../electron/engine/access/server-address.ts';
import { slotOf } from '../../../../../electron/engine/backends/redis/connection/cluster-topology.ts';
import { connectMasters } from '../../../../../electron/engine/backends/redis/connection/connect-masters.ts';
import { parseRedisUri } from '../../../../../electron/engine/backends/redis/connection/redis-uri.ts';
import { ServerNetwork } from '../../../../../electron/engine/network/server-network.ts';
import { systemClock } from '../../../../../electron/engine/platform/clock.ts';
import { NEEDS_REDIS } from '../../../../support/redis.ts';
import { eventually } from '../../../../support/redis-backend.ts';
import { startRedisCluster } from '../../../../support/redis-cluster.ts';
import { silentLog } from '../../../../support/redis-connection.ts';
import { runsHere } from '../../../../support/runs-here.ts';

/** A network that is not routed. */
const ELSEWHERE = '10.255.255.1';

/** Connects to the masters for the running test, as an application does. */
async function connected(uri: string, network: ServerNetwork) {
  const masters = connectMasters(parseRedisUri(uri), { clock: systemClock, log: silentLog, network });
  onTestFinished(() => masters.close());
  await masters.firstAttempt();
  await masters.all(AbortSignal.timeout(30_000));
  return masters;
}

describe.runIf(runsHere('the way to a Redis Cluster', NEEDS_REDIS))(
  'the way to the nodes of a Redis Cluster',
  { timeout: 120_000 },
  () => {
    it('[P1] ends at a MOVED to a server that is not allowed', async () => {
      const cluster = await startRedisCluster();
      onTestFinished(() => cluster.stop());
      const network = new ServerNetwork({
        target: {},
        check: serverCheck({}, []),
        clock: systemClock,
        log: silentLog,
      });
      const { commands } = await connected(cluster.uri, network);
      const key = Array.from({ length: 1_000 }, (_, i) => `key:${i}`).find(
        name => (slotOf(['GET', name]) ?? 16_384) < 5_000,
      );
      if (key === undefined) throw new Error('no key of the first master');
      expect(await commands.command('SET', key, 'v')).toBeTruthy();
      const [first, second] = cluster.servers;
      if (first === undefined || second === undefined) throw new Error('no masters');
      await second.admin.command('CONFIG', 'SET', 'cluster-announce-ip', ELSEWHERE);
      const slot = slotOf(['GET', key]) ?? 0;
      const id = String(await second.admin.command('CLUSTER', 'MYID'));
      await first.admin.command('DEL', key);
      await eventually(async () => {
        expect(String(await first.admin.command('CLUSTER', 'NODES'))).toContain(ELSEWHERE);
      });
      await first.admin.command('CLUSTER', 'SETSLOT', slot, 'NODE', id);
      await expect(first.admin.command('GET', key)).rejects.toThrow(`MOVED ${slot} ${ELSEWHERE}`);
      await expect(commands.command('GET', key)).rejects.toMatchObject({
        code: 'INVALID_CONNECTION',
        data: { host: expect.stringContaining(ELSEWHERE) },
      });
    });
  },
);
