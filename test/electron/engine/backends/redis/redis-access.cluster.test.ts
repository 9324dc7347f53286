import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRedis } from '../../../../../electron/engine/backends/redis/redis-backend.ts';
import { MeterRegistry } from '../../../../../electron/engine/expiry/meters.ts';
import { ServerNetwork } from '../../../../../electron/engine/network/server-network.ts';
import { systemClock } from '../../../../../electron/engine/platform/clock.ts';
import type { ServerTarget } from '../../../../../shared/contract/connections.ts';
import { type Certificates, makeCertificates, NEEDS_OPENSSL } from '../../../../support/certificates.ts';
import { freePort } from '../../../../support/free-port.ts';
import { eventually, mirrored, openTestRedis } from '../../../../support/redis-backend.ts';
import { openTestConnection, silentLog } from '../../../../support/redis-connection.ts';
import {
  NEEDS_REDIS,
  type RedisServer,
  startRedisServer,
  startSentinel,
} from '../../../../support/redis-server.ts';
import { runsHere } from '../../../../support/runs-here.ts';
import { NEEDS_SSHD, type SshServer, startSshServer } from '../../../../support/ssh-server.ts';
import { silentServer } from '../../../../support/tcp-proxy.ts';
import { temporaryStoreFile } from '../../../../support/temporary.ts';

const needs = NEEDS_REDIS ?? NEEDS_SSHD ?? NEEDS_OPENSSL;
const watched = { name: 'main', failedAfterMs: 60_000 };
const NOTIFIES = ['--notify-keyspace-events', 'KEA'];
const EVERY_SLOT = [0, 16_383];

describe.runIf(runsHere('access to Redis Sentinel and Cluster', needs))(
  'sentinels and clusters',
  { timeout: 60_000 },
  () => {
    const running: { stop(): unknown }[] = [];
    const until = <Server extends { stop(): unknown }>(server: Server): Server => {
      running.push(server);
      return server;
    };
    let files: Certificates;
    let ssh: SshServer;
    let master: RedisServer;

    beforeAll(async () => {
      files = makeCertificates();
      ssh = until(await startSshServer());
      master = until(await startRedisServer(...NOTIFIES));
    }, 60_000);
    afterAll(async () => {
      for (const server of running) await server.stop();
      files.remove();
    });

    const throughSsh = (): Pick<ServerTarget, 'ssh'> => {
      const { host, port, user, key } = ssh;
      return { ssh: { host, port, user, key, knownHosts: ssh.knownHosts() } };
    };
    const withCertificates = (): Pick<ServerTarget, 'tls'> => ({
      tls: { ca: files.ca, cert: files.client.cert, key: files.client.key },
    });
    const networkOf = (target: Pick<ServerTarget, 'ssh' | 'tls'>) =>
      new ServerNetwork({ target, clock: systemClock, log: silentLog });
    const encrypted = (port: number) => [
      ...['--port', '0', '--tls-port', String(port), '--tls-auth-clients', 'yes'],
      ...['--tls-cert-file', files.server.cert, '--tls-key-file', files.server.key],
      ...['--tls-ca-cert-file', files.ca],
    ];
    const open = (uri: string) =>
      openRedis({
        uri,
        mirrorFile: temporaryStoreFile(),
        clock: systemClock,
        log: silentLog,
        meters: new MeterRegistry(),
        readOnly: false,
      });

    it('are reached through an SSH server, and lost with it', async () => {
      const sentinel = until(await startSentinel({ ...watched, port: master.port }));
      const network = networkOf(throughSsh());
      const { backend } = await openTestRedis(`redis+sentinel://127.0.0.1:${sentinel.port}/main`, {
        network,
      });
      await mirrored(backend, 'live');
      await ssh.kill();
      await eventually(() => expect(backend.remote.unreachable).not.toBeNull());
      await ssh.start();
      await mirrored(backend, 'live');
      const node = until(await startRedisServer(...NOTIFIES, '--cluster-enabled', 'yes'));
      await (await openTestConnection(node.uri)).command('CLUSTER', 'ADDSLOTSRANGE', ...EVERY_SLOT);
      const { backend: cluster } = await openTestRedis(`redis+cluster://127.0.0.1:${node.port}`, { network });
      await mirrored(cluster, 'live');
      network.close();
    });

    it('are reached with an authority and a client certificate of the connection', async () => {
      const port = await freePort();
      until(await startRedisServer(...NOTIFIES, ...encrypted(port)));
      const sentinelPort = await freePort();
      const lines = encrypted(sentinelPort)
        .join(' ')
        .split(' --')
        .map(line => line.replace(/^--/, ''));
      until(await startSentinel({ ...watched, port }, ...lines));
      const network = networkOf(withCertificates());
      const uri = `rediss+sentinel://127.0.0.1:${sentinelPort}/main`;
      const { backend } = await openTestRedis(uri, { network });
      await mirrored(backend, 'live');
      await expect(open(uri)).rejects.toMatchObject({
        code: 'INVALID_CONNECTION',
        message: expect.stringMatching(/signed by an authority that is not trusted/),
      });
    });

    it('with a password of the sentinels: that of the connection is sent to them too', async () => {
      const locked = until(await startRedisServer(...NOTIFIES, '--requirepass', 'both'));
      const lines = ['requirepass both', 'sentinel auth-pass main both'];
      const sentinel = until(await startSentinel({ ...watched, port: locked.port }, ...lines));
      const at = (login: string) => `redis+sentinel://${login}127.0.0.1:${sentinel.port}/main`;
      const { backend } = await openTestRedis(at(':both@'));
      await mirrored(backend, 'live');
      const { backend: named } = await openTestRedis(at('default:both@'));
      await mirrored(named, 'live');
      await expect(open(at(''))).rejects.toMatchObject({ code: 'SECRET_REQUIRED' });
      await expect(open(at(':other@'))).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
        message: expect.stringMatching(/Give sentinels and servers the same password/),
      });
    });

    it('use the next sentinel if the first one accepts connections and never replies', async () => {
      const silent = await silentServer();
      const sentinel = until(await startSentinel({ ...watched, port: master.port }));
      const uri = `redis+sentinel://127.0.0.1:${silent},127.0.0.1:${sentinel.port}/main`;
      const { backend } = await openTestRedis(uri);
      await mirrored(backend, 'live');
    });
  },
);
