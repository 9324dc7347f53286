import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { slotOf } from '../../../../../electron/engine/backends/redis/connection/cluster-topology.ts';
import { connectMasters } from '../../../../../electron/engine/backends/redis/connection/connect-masters.ts';
import { parseRedisUri } from '../../../../../electron/engine/backends/redis/connection/redis-uri.ts';
import { textOf } from '../../../../../electron/engine/backends/redis/connection/reply.ts';
import { ServerNetwork } from '../../../../../electron/engine/network/server-network.ts';
import { systemClock } from '../../../../../electron/engine/platform/clock.ts';
import { type Certificates, makeCertificates, NEEDS_OPENSSL } from '../../../../support/certificates.ts';
import { openTestConnections } from '../../../../support/connections.ts';
import { NEEDS_REDIS } from '../../../../support/redis.ts';
import { eventually } from '../../../../support/redis-backend.ts';
import { type Deployment, startTlsCluster } from '../../../../support/redis-cluster.ts';
import { silentLog } from '../../../../support/redis-connection.ts';
import { runsHere } from '../../../../support/runs-here.ts';

/** A key of each third of the slots, which is a master. */
const KEYS = [0, 1, 2].map(master => {
  const found = Array.from({ length: 100 }, (_, i) => `session:${i}`).find(
    key => Math.floor((3 * (slotOf(['GET', key]) ?? 0)) / 16_384) === master,
  );
  return found ?? '';
});

describe.runIf(runsHere('Redis Cluster with TLS', NEEDS_OPENSSL ?? NEEDS_REDIS))(
  'a Redis Cluster that requires TLS and a certificate of the client',
  { timeout: 120_000 },
  () => {
    let files: Certificates;
    let cluster: Deployment;

    beforeAll(async () => {
      files = makeCertificates();
      cluster = await startTlsCluster(files);
    }, 120_000);
    afterAll(async () => {
      await cluster?.stop();
      files.remove();
    });

    const tls = () => ({ ca: files.ca, ...files.client });

    it('is connected, and keys of each master are read and given a TTL', async () => {
      const { client, opened } = await openTestConnections();
      const target = { kind: 'redis', uri: cluster.uri, tls: tls() } as const;
      expect(await client().connections.test(target)).toMatchObject({
        is: 'server',
        server: expect.stringMatching(/of 3 masters$/),
      });
      for (const [i, key] of KEYS.entries()) {
        await cluster.servers[i]?.admin.command('SET', key, `value of ${i}`);
      }
      const { id } = await client().connections.add({ name: 'cluster', target });
      await opened(id);
      const remote = client(id);
      await eventually(
        async () =>
          expect(await remote.collections.list()).toMatchObject([{ name: 'session', documents: 3 }]),
        30_000,
      );
      const at = Date.now() + 3_600_000;
      for (const [i, key] of KEYS.entries()) {
        const { document } = await remote.documents.get({ collection: 'session', id: key });
        expect(document).toMatchObject({ value: `value of ${i}` });
        await remote.documents.setExpiration({ params: { collection: 'session', id: key }, body: { at } });
        expect(await cluster.servers[i]?.admin.command('PEXPIRETIME', key)).toBe(at);
      }
    });

    it('is refused without its authority', async () => {
      const { client } = await openTestConnections();
      const target = { kind: 'redis', uri: cluster.uri, tls: files.client } as const;
      expect(await client().connections.test(target)).toMatchObject({
        is: 'refused',
        message: expect.stringMatching(/authority that is not trusted here/),
      });
    });

    it('is followed to the TLS port that MOVED names', async () => {
      const network = new ServerNetwork({ target: { tls: tls() }, clock: systemClock, log: silentLog });
      const masters = connectMasters(parseRedisUri(cluster.uri), {
        clock: systemClock,
        log: silentLog,
        network,
      });
      onTestFinished(() => masters.close());
      await masters.firstAttempt();
      await masters.all(AbortSignal.timeout(30_000));
      const [first, second] = cluster.servers;
      const [key = ''] = KEYS;
      if (first === undefined || second === undefined) throw new Error('no masters');
      await first.admin.command('DEL', key);
      const slot = slotOf(['GET', key]) ?? 0;
      const id = textOf(await second.admin.command('CLUSTER', 'MYID'));
      for (const { admin } of [second, first]) await admin.command('CLUSTER', 'SETSLOT', slot, 'NODE', id);
      const moved = `MOVED ${slot} 127.0.0.1:${second.server.port}`;
      await expect(first.admin.command('GET', key)).rejects.toThrow(moved);
      expect(textOf(await masters.commands.command('SET', key, 'moved'))).toBe('OK');
      expect(textOf(await second.admin.command('GET', key))).toBe('moved');
    });
  },
);
