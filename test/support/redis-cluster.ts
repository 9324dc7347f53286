import { vi } from 'vitest';
import type { Command } from '../../electron/engine/backends/redis/connection/command-connection.ts';
import { RedisConnection } from '../../electron/engine/backends/redis/connection/redis-connection.ts';
import { freePort } from './free-port.ts';
import { directNetwork, serverTarget, silentLog } from './redis-connection.ts';
import { type RedisServer, startRedisServer, startSentinel } from './redis-server.ts';

const SLOTS = 16_384;
const NOTIFIES = ['--notify-keyspace-events', 'KEA'];
/** After so long without a reply a server counts as failed, ms: a busy machine stops each for up to a second. */
const FAILED_AFTER_MS = 2_000;

/** A deployment of several servers, with an administrator's connection to each. */
export interface Deployment {
  readonly uri: string;
  /** Servers with their connections; masters first, each with its replica at the same place of the other half. */
  readonly servers: readonly { readonly server: RedisServer; readonly admin: RedisConnection }[];
  stop(): Promise<void>;
}

/** Starts a cluster of three masters with a replica each, on loopback. */
export async function startRedisCluster(...options: readonly string[]): Promise<Deployment> {
  const buses = await Promise.all(Array.from({ length: 6 }, freePort));
  const deployment = await startServers(
    buses.map(port => [
      ...['--cluster-enabled', 'yes', '--cluster-port', String(port)],
      ...['--cluster-node-timeout', String(FAILED_AFTER_MS), '--cluster-require-full-coverage', 'no'],
      ...options,
    ]),
  );
  const { servers } = deployment;
  const admins = servers.map(({ admin }) => admin);
  const ids = await Promise.all(admins.map(admin => text(admin, 'CLUSTER', 'MYID')));
  for (const [i, admin] of admins.entries()) {
    const from = Math.ceil((i * SLOTS) / 3);
    if (i < 3) await admin.command('CLUSTER', 'ADDSLOTSRANGE', from, Math.ceil(((i + 1) * SLOTS) / 3) - 1);
    await admin.command('CLUSTER', 'SET-CONFIG-EPOCH', i + 1);
    if (i > 0)
      await admin.command('CLUSTER', 'MEET', '127.0.0.1', servers[0]?.server.port ?? 0, buses[0] ?? 0);
  }
  await until(async () => {
    for (const admin of admins)
      if (!(await text(admin, 'CLUSTER', 'INFO')).includes('cluster_known_nodes:6'))
        throw new Error('not met');
  });
  for (const [i, admin] of admins.entries()) {
    if (i >= 3) await until(() => admin.command('CLUSTER', 'REPLICATE', ids[i - 3] ?? ''));
  }
  await until(async () => {
    for (const admin of admins)
      if (!(await text(admin, 'CLUSTER', 'INFO')).includes('cluster_state:ok')) throw new Error('not ok');
    for (const admin of admins.slice(3)) await checkReplicates(admin);
  });
  const hosts = servers.slice(0, 2).map(({ server }) => `127.0.0.1:${server.port}`);
  return { ...deployment, uri: `redis+cluster://${hosts.join(',')}` };
}

/** Starts a master with a replica, and three sentinels that watch them, on loopback. */
export async function startSentinelTrio(...options: readonly string[]): Promise<Deployment> {
  const deployment = await startServers([options, options]);
  const [master, replica] = deployment.servers;
  if (master === undefined || replica === undefined) throw new Error('no servers');
  await replica.admin.command('REPLICAOF', '127.0.0.1', master.server.port);
  await until(() => checkReplicates(replica.admin));
  const watched = { name: 'main', port: master.server.port, failedAfterMs: FAILED_AFTER_MS };
  const sentinels = await Promise.all([1, 2, 3].map(() => startSentinel(watched)));
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`);
  return {
    ...deployment,
    uri: `redis+sentinel://${hosts.join(',')}/main`,
    async stop() {
      await Promise.all(sentinels.map(sentinel => sentinel.stop()));
      await deployment.stop();
    },
  };
}

async function startServers(optionsOf: readonly (readonly string[])[]): Promise<Deployment> {
  const servers = await Promise.all(
    optionsOf.map(async options => {
      const server = await startRedisServer(...NOTIFIES, ...options);
      const admin = await RedisConnection.open({
        target: serverTarget(server.uri),
        log: silentLog,
        network: directNetwork,
        name: 'administration',
      });
      return { server, admin };
    }),
  );
  return {
    uri: '',
    servers,
    async stop() {
      for (const { admin } of servers) admin.close();
      await Promise.all(servers.map(({ server }) => server.stop()));
    },
  };
}

async function checkReplicates(admin: RedisConnection): Promise<void> {
  if (!(await text(admin, 'INFO', 'replication')).includes('master_link_status:up'))
    throw new Error('no link');
}

async function text(connection: RedisConnection, ...command: Command): Promise<string> {
  return String(await connection.command(...command));
}

function until<Value>(check: () => Promise<Value>): Promise<Value> {
  return vi.waitFor(check, { timeout: 30_000, interval: 50 });
}
