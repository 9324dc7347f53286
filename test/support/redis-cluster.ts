import { vi } from 'vitest';
import type { Command } from '../../electron/engine/backends/redis/connection/command-connection.ts';
import { RedisConnection } from '../../electron/engine/backends/redis/connection/redis-connection.ts';
import { ServerNetwork } from '../../electron/engine/network/server-network.ts';
import { systemClock } from '../../electron/engine/platform/clock.ts';
import type { Certificates } from './certificates.ts';
import { freePort } from './free-port.ts';
import { directNetwork, serverTarget, silentLog } from './redis-connection.ts';
import { type RedisServer, startRedisServer, startSentinel, startTlsRedisServer } from './redis-server.ts';

const SLOTS = 16_384;
const MASTERS = 3;
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
  const deployment = await startNodes(2 * MASTERS, {}, ...options);
  const admins = deployment.servers.map(({ admin }) => admin);
  const ids = await Promise.all(admins.map(admin => text(admin, 'CLUSTER', 'MYID')));
  const replicas = admins.slice(MASTERS);
  for (const [i, replica] of replicas.entries()) {
    await until(() => replica.command('CLUSTER', 'REPLICATE', ids[i] ?? ''));
  }
  await untilComplete(admins);
  await until(() => Promise.all(replicas.map(checkReplicates)));
  return deployment;
}

/** Starts a cluster of three masters, on loopback, whose clients and nodes use TLS. */
export async function startTlsCluster(
  certificates: Certificates,
  ...options: readonly string[]
): Promise<Deployment> {
  const deployment = await startNodes(MASTERS, { certificates }, ...options);
  await untilComplete(deployment.servers.map(({ admin }) => admin));
  return deployment;
}

/** Starts nodes of a cluster that know each other; the first three are masters of all slots. */
async function startNodes(nodes: number, access: Access, ...options: readonly string[]): Promise<Deployment> {
  const buses = await Promise.all(Array.from({ length: nodes }, freePort));
  const deployment = await startServers(
    buses.map(port => [
      ...['--cluster-enabled', 'yes', '--cluster-port', String(port)],
      ...['--cluster-node-timeout', String(FAILED_AFTER_MS), '--cluster-require-full-coverage', 'no'],
      ...options,
    ]),
    access,
  );
  const { servers } = deployment;
  for (const [i, { admin }] of servers.entries()) {
    const [from, to] = [i, i + 1].map(master => Math.ceil((master * SLOTS) / MASTERS));
    if (from !== undefined && to !== undefined && i < MASTERS)
      await admin.command('CLUSTER', 'ADDSLOTSRANGE', from, to - 1);
    await admin.command('CLUSTER', 'SET-CONFIG-EPOCH', i + 1);
    if (i > 0)
      await admin.command('CLUSTER', 'MEET', '127.0.0.1', servers[0]?.server.port ?? 0, buses[0] ?? 0);
  }
  await until(async () => {
    for (const { admin } of servers)
      if (!(await text(admin, 'CLUSTER', 'INFO')).includes(`cluster_known_nodes:${nodes}`))
        throw new Error('not met');
  });
  const hosts = servers.slice(0, 2).map(({ server }) => `127.0.0.1:${server.port}`);
  const scheme = access.certificates === undefined ? 'redis' : 'rediss';
  return { ...deployment, uri: `${scheme}+cluster://${hosts.join(',')}` };
}

function untilComplete(admins: readonly RedisConnection[]): Promise<void> {
  return until(async () => {
    for (const admin of admins)
      if (!(await text(admin, 'CLUSTER', 'INFO')).includes('cluster_state:ok')) throw new Error('not ok');
  });
}

/** Starts a master with a replica, and three sentinels that watch them, on loopback. */
export async function startSentinelTrio(...options: readonly string[]): Promise<Deployment> {
  const deployment = await startServers([options, options], {});
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

interface Access {
  /** Set: with TLS only. */
  readonly certificates?: Certificates;
}

async function startServers(
  optionsOf: readonly (readonly string[])[],
  { certificates }: Access,
): Promise<Deployment> {
  const network =
    certificates === undefined
      ? directNetwork
      : new ServerNetwork({
          target: { tls: { ca: certificates.ca, ...certificates.client } },
          clock: systemClock,
          log: silentLog,
        });
  const servers = await Promise.all(
    optionsOf.map(async options => {
      const words = [...NOTIFIES, ...options];
      const server = await (certificates === undefined
        ? startRedisServer(...words)
        : startTlsRedisServer(certificates, ...words));
      const admin = await RedisConnection.open({
        target: serverTarget(server.uri),
        log: silentLog,
        network,
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
