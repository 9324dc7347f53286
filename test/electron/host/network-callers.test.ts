import { describe, expect, it, vi } from 'vitest';
import type { Caller } from '../../../electron/engine/access/caller.ts';
import { openTestConnections, type TestConnections } from '../../support/connections.ts';
import { startRecordingServer } from '../../support/recording-server.ts';
import { NEEDS_REDIS, startRedis } from '../../support/redis.ts';
import { openTestConnection } from '../../support/redis-connection.ts';
import { startSentinel } from '../../support/redis-server.ts';
import { runsHere } from '../../support/runs-here.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const PATIENT = { timeout: 20_000 };
const CONFIGURES = { user: 'ci', permission: 'configure', from: 'network' } as const satisfies Caller;
const READS = { user: 'reader', permission: 'read', from: 'network' } as const satisfies Caller;
const NOT_REDIS = '-ERR no\r\n';
/** An address of this machine that is not loopback, or a network that is not routed. */
const ELSEWHERE = '10.255.255.1';

const network = (all: TestConnections, connection?: string) => all.client(connection, CONFIGURES).connections;

describe.runIf(runsHere('callers from the network', NEEDS_REDIS))(
  '[P1] a caller from the network',
  { timeout: 120_000 },
  () => {
    it('with read changes, tests and opens nothing', async () => {
      const all = await openTestConnections();
      const { connections } = all.client(undefined, READS);
      const target = { kind: 'redis', uri: 'redis://127.0.0.1' } as const;
      for (const call of [
        () => connections.test(target),
        () => connections.add({ name: 'cache', target }),
        () => connections.change({ id: 'home', name: 'mine' }),
        () => connections.open({ id: 'home', secret: 'x' }),
        () => connections.close({ id: 'home' }),
        () => connections.remove({ id: 'home' }),
        () => connections.files(),
      ])
        await expect(call()).rejects.toMatchObject({
          code: 'PERMISSION_DENIED',
          data: { needed: 'configure', has: 'read' },
        });
    });

    it('receives no kept secret by the way of another server', async () => {
      const server = await startRedis('--requirepass', 'hunter2');
      const thief = await startRecordingServer(() => NOT_REDIS);
      const all = await openTestConnections();
      const { id } = await all
        .client()
        .connections.add({ name: 'cache', target: { kind: 'redis', uri: server.uri, secret: 'hunter2' } });
      const target = { kind: 'redis', uri: `redis://127.0.0.1:${thief.port}` } as const;
      expect(await network(all).test({ ...target, connection: id })).toMatchObject({ is: 'refused' });
      await expect(network(all).change({ id, target })).rejects.toMatchObject({
        code: 'INVALID_CONNECTION',
      });
      await network(all).close({ id });
      await network(all).change({ id, target });
      await network(all).open({ id });
      await vi.waitFor(() => expect(thief.connections).toBeGreaterThan(2), PATIENT);
      expect(thief.received()).not.toContain('hunter2');
      expect(thief.received()).toContain('SELECT');
      // The person at this machine decides where it is sent.
      await all.client().connections.open({ id, secret: 'hunter2' });
      await vi.waitFor(() => expect(thief.received()).toContain('hunter2'), PATIENT);
    });

    it('sends no variable and no file of the host to a server that was not allowed', async () => {
      const folder = temporaryFolder();
      const thief = await startRecordingServer(() => NOT_REDIS);
      const options = { environment: { SANDGLASS_SECRET_CACHE: 'hunter2', PATH: 'hunter3' } };
      const strict = await openTestConnections(folder, options);
      const target = {
        kind: 'redis',
        uri: `redis://127.0.0.1:${thief.port}`,
        secretFrom: 'SANDGLASS_SECRET_CACHE',
      } as const;
      expect(await network(strict).test(target)).toMatchObject({
        is: 'refused',
        message: expect.stringContaining(`--allow-server 127.0.0.1:${thief.port}`),
      });
      await expect(network(strict).add({ name: 'cache', target })).rejects.toMatchObject({
        code: 'INVALID_CONNECTION',
      });
      await expect(network(strict).add({ name: 'cache', target, closed: true })).rejects.toMatchObject({
        code: 'INVALID_CONNECTION',
      });
      for (const secretFrom of ['PATH', 'file:../../etc/passwd', 'file:/etc/passwd', 'file:..'])
        await expect(network(strict).test({ ...target, secretFrom })).rejects.toMatchObject({
          code: 'BAD_REQUEST',
        });
      expect(thief.connections).toBe(0);
      const allowed = await openTestConnections(temporaryFolder(), {
        ...options,
        servers: [`127.0.0.1:${thief.port}`],
      });
      await network(allowed).test(target);
      expect(thief.received()).toContain('hunter2');
    });

    it('is not led to another server by sentinels', async () => {
      const sentinel = await startSentinel({
        name: 'main',
        host: ELSEWHERE,
        port: 6379,
        failedAfterMs: 60_000,
      });
      try {
        const all = await openTestConnections();
        const uri = `redis+sentinel://127.0.0.1:${sentinel.port}/main`;
        expect(await network(all).test({ kind: 'redis', uri })).toMatchObject({
          is: 'refused',
          code: 'INVALID_CONNECTION',
          message: expect.stringContaining(`--allow-server ${ELSEWHERE}:6379`),
        });
      } finally {
        await sentinel.stop();
      }
    });

    it('is not led to another server by a cluster, when it connects and later', async () => {
      const node = await startRedis('--cluster-enabled', 'yes');
      const admin = await openTestConnection(node.uri);
      await admin.command('CLUSTER', 'ADDSLOTSRANGE', 0, 16_383);
      await vi.waitFor(async () => {
        expect(String(await admin.command('CLUSTER', 'INFO'))).toContain('cluster_state:ok');
      }, PATIENT);
      const all = await openTestConnections();
      const target = { kind: 'redis', uri: `redis+cluster://127.0.0.1:${node.port}` } as const;
      expect(await network(all).test(target)).toMatchObject({ is: 'server' });
      const { id } = await network(all).add({ name: 'cluster', target });
      await admin.command('CONFIG', 'SET', 'cluster-announce-ip', ELSEWHERE);
      expect(await network(all).test({ ...target, connection: id })).toMatchObject({
        is: 'refused',
        code: 'INVALID_CONNECTION',
        message: expect.stringContaining(ELSEWHERE),
      });
      // The address of the file is confined after a restart, too.
      await all.stop();
      const again = await openTestConnections(all.folder);
      await vi.waitFor(
        () =>
          expect(again.connections.list.find(one => one.id === id)?.state).toMatchObject({
            is: 'failed',
            message: expect.stringContaining(ELSEWHERE),
          }),
        PATIENT,
      );
    });

    it('is not led to another server by a redirect of HTTP', async () => {
      const target = await startRecordingServer(() => 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
      const redirect = await startRecordingServer(
        () =>
          `HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:${target.port}/v3/x\r\ncontent-length: 0\r\n\r\n`,
      );
      const all = await openTestConnections();
      const uri = `etcd://127.0.0.1:${redirect.port}`;
      expect(await network(all).test({ kind: 'etcd', uri })).toMatchObject({
        is: 'refused',
        message: expect.stringContaining('HTTP 307'),
      });
      expect(redirect.connections).toBeGreaterThan(0);
      expect(target.connections).toBe(0);
    });
  },
);
