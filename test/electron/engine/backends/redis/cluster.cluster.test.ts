import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ClusterMasters } from '../../../../../electron/engine/backends/redis/connection/cluster-masters.ts';
import { slotOf } from '../../../../../electron/engine/backends/redis/connection/cluster-topology.ts';
import type {
  Command,
  CommandConnection,
} from '../../../../../electron/engine/backends/redis/connection/command-connection.ts';
import { connectMasters } from '../../../../../electron/engine/backends/redis/connection/connect-masters.ts';
import { parseRedisUri } from '../../../../../electron/engine/backends/redis/connection/redis-uri.ts';
import { listOf, textOf } from '../../../../../electron/engine/backends/redis/connection/reply.ts';
import { probeRedis } from '../../../../../electron/engine/backends/redis/probe.ts';
import type { RedisBackend } from '../../../../../electron/engine/backends/redis/redis-backend.ts';
import { systemClock } from '../../../../../electron/engine/platform/clock.ts';
import { NEEDS_REDIS } from '../../../../support/redis.ts';
import { eventually, mirrored, openTestRedis } from '../../../../support/redis-backend.ts';
import { type Deployment, startRedisCluster } from '../../../../support/redis-cluster.ts';
import { directNetwork, silentLog } from '../../../../support/redis-connection.ts';
import { runsHere } from '../../../../support/runs-here.ts';

const KEYS = 600;
const IN_AN_HOUR = Date.now() + 3_600_000;
const ids = Array.from({ length: KEYS }, (_, i) => `${['session', 'user', 'cart'][i % 3]}:${i}`);
const sessions = ids.filter(id => id.startsWith('session:'));

describe.runIf(runsHere('Redis Cluster', NEEDS_REDIS))('a Redis Cluster', () => {
  let cluster: Deployment;

  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterAll(() => cluster.stop());

  /** Fills the cluster anew, with every key on its replica too. Returns an application's connection. */
  async function filled(): Promise<CommandConnection> {
    const masters = connectMasters(parseRedisUri(cluster.uri), {
      clock: systemClock,
      log: silentLog,
      network: directNetwork,
    });
    onTestFinished(() => masters.close());
    await masters.firstAttempt();
    const all = await masters.all(AbortSignal.timeout(30_000));
    await Promise.all(all.map(({ commands }) => commands.command('FLUSHALL')));
    await run(masters.commands, ...ids.map((id): Command => ['SET', id, 'v', 'PXAT', IN_AN_HOUR]));
    await Promise.all(all.map(({ commands }) => commands.command('WAIT', 1, 5_000)));
    return masters.commands;
  }

  it('is mirrored with the keys of every master, under one name', async () => {
    const application = await filled();
    const { backend } = await openTestRedis(cluster.uri);
    await mirrored(backend, 'live');
    expect(await counts(backend)).toEqual({ session: 200, user: 200, cart: 200 });
    await eventually(() => expect(backend.remote.server).toMatch(/^Redis Cluster 7\.\d+\.\d+ of 3 masters$/));
    expect(backend.remote).toMatchObject({ uri: cluster.uri, unreachable: null });
    await run(application, ['SET', 'a{x}', '1'], ['HSET', 'b:{y}', 'f', '2'], ['DEL', 'user:1']);
    await eventually(async () =>
      expect(await counts(backend)).toEqual({ session: 200, user: 199, cart: 200, b: 1, '(no prefix)': 1 }),
    );
    const { document } = await backend.reads.document(
      { collection: 'b', id: 'b:{y}', includeExpired: false },
      0,
    );
    expect(document).toEqual({ _id: 'b:{y}', type: 'hash', value: { f: '2' } });
    expect(await removed(backend)).toEqual({ 'user:1': 'deleted' });
  });

  it('is measured by each of its masters: the lag of expiries, and no deletion is taken for one', async () => {
    const application = await filled();
    const { backend } = await openTestRedis(cluster.uri);
    await mirrored(backend, 'live');
    const gone = sessions.slice(0, 30);
    await run(application, ...gone.map((id): Command => ['PEXPIRE', id, 300]));
    await eventually(async () =>
      expect(await removed(backend)).toEqual(Object.fromEntries(gone.map(id => [id, 'expired']))),
    );
  });

  it('connects to no further node after it is closed', async () => {
    const masters = new ClusterMasters(clusterTarget(cluster.uri), {
      clock: systemClock,
      log: silentLog,
      network: directNetwork,
    });
    await masters.all(AbortSignal.timeout(30_000));
    masters.close();
    const [, , , replica] = cluster.servers;
    const node = { host: '127.0.0.1', port: replica?.server.port ?? 0 };
    await expect(masters.masterAt(node)).rejects.toMatchObject({ code: 'CONNECTION_NOT_OPEN' });
    expect(masters.known).toHaveLength(3);
  });

  it('is tested without a change', async () => {
    await filled();
    const probe = { uri: cluster.uri, secret: undefined, clock: systemClock, log: silentLog };
    expect(await probeRedis(probe)).toMatchObject({
      keys: KEYS,
      server: expect.stringMatching(/of 3 masters/),
    });
  });

  it('changes keys on their masters, those of a moving slot too', async () => {
    const application = await filled();
    const { backend } = await openTestRedis(cluster.uri);
    await mirrored(backend, 'live');
    const [moving = ''] = sessions;
    const move = await beginMove(cluster, slotOf(['GET', moving]) ?? 0);
    await move.migrate(moving);
    expect(await backend.setExpiration('session', sessions, { at: IN_AN_HOUR + 1_000 })).toMatchObject({
      succeeded: sessions.length,
      failed: [],
    });
    await backend.put('session', moving, { _id: moving, type: 'string', value: 'edited' });
    expect(textOf(await application.command('GET', moving))).toBe('edited');
    expect(await application.command('PEXPIRETIME', moving)).toBe(IN_AN_HOUR + 1_000);
    await move.end();
    expect(await backend.delete('session', sessions)).toMatchObject({
      succeeded: sessions.length,
      failed: [],
    });
    await eventually(async () => expect(await counts(backend)).toEqual({ user: 200, cart: 200 }));
  });

  it('loses no key whose slot moves to another master, and reports none as deleted', async () => {
    await filled();
    const { backend } = await openTestRedis(cluster.uri);
    await mirrored(backend, 'live');
    const shown: Record<string, number>[] = [];
    backend.onCommit(() => void counts(backend).then(found => shown.push(found)));
    for (const id of sessions.slice(0, 20)) {
      const move = await beginMove(cluster, slotOf(['GET', id]) ?? 0);
      await move.migrate(id);
      await move.end();
    }
    const movedAt = Date.now();
    await eventually(() => {
      const { mirror } = backend.remote;
      expect(mirror).toMatchObject({ is: 'live' });
      expect(mirror?.is === 'live' && mirror.scannedAt).toBeGreaterThan(movedAt);
    });
    expect(await counts(backend)).toEqual({ session: 200, user: 200, cart: 200 });
    for (const found of shown) expect(found).toEqual({ session: 200, user: 200, cart: 200 });
    expect(await removed(backend)).toEqual({});
  });

  it('shows nothing wrong while a master is killed, and loses nothing', async () => {
    await filled();
    const { backend } = await openTestRedis(cluster.uri);
    await mirrored(backend, 'live');
    const seen = new Set<string>();
    const shown: Record<string, number>[] = [];
    backend.onRemoteChange(() => {
      const { mirror, unreachable } = backend.remote;
      seen.add(mirror?.is ?? '');
      if (unreachable !== null) seen.add('unreachable');
      if (mirror?.is === 'live') void counts(backend).then(found => shown.push(found));
    });
    const [first] = await mastersOf(cluster);
    const change = backend.setExpiration('session', sessions, {
      at: IN_AN_HOUR + 2_000,
    });
    await first?.server.kill();
    const { succeeded, failed } = await change;
    expect(succeeded + failed.length).toBe(sessions.length);
    expect(seen).toContain('stale');
    expect(seen).toContain('unreachable');
    await mirrored(backend, 'live');
    expect(backend.remote.unreachable).toBeNull();
    for (const found of shown) expect(found).toEqual({ session: 200, user: 200, cart: 200 });
    expect(await counts(backend)).toEqual({ session: 200, user: 200, cart: 200 });
    expect(await removed(backend)).toEqual({});
    // The result of each key is what the cluster has, also where the former master had the key.
    const unknown = new Set(
      failed.filter(({ message }) => message.includes('is unknown')).map(({ _id }) => _id),
    );
    const unchanged = new Set(failed.map(({ _id }) => _id));
    const masters = new ClusterMasters(clusterTarget(cluster.uri), {
      clock: systemClock,
      log: silentLog,
      network: directNetwork,
    });
    onTestFinished(() => masters.close());
    await masters.all(AbortSignal.timeout(30_000));
    for (const id of sessions) {
      if (unknown.has(id)) continue;
      const expected = unchanged.has(id) ? IN_AN_HOUR : IN_AN_HOUR + 2_000;
      expect([id, await masters.commands.command('PEXPIRETIME', id)]).toEqual([id, expected]);
    }
    await first?.server.start();
    await eventually(async () => expect((await mastersOf(cluster)).length).toBe(3), 30_000);
    // Its replica is the master now, and its changes are followed.
    expect(await backend.delete('session', sessions)).toMatchObject({ succeeded: sessions.length });
    await eventually(async () => expect(await counts(backend)).toEqual({ user: 200, cart: 200 }));
  });
});

async function run(connection: CommandConnection, ...commands: Command[]): Promise<void> {
  for (const outcome of await connection.pipeline(commands)) if ('error' in outcome) throw outcome.error;
}

async function counts(backend: RedisBackend): Promise<Record<string, number>> {
  const summaries = await backend.reads.summaries(null, Date.now());
  return Object.fromEntries(summaries.map(one => [one.name, one.documents]));
}

async function removed(backend: RedisBackend): Promise<Record<string, string>> {
  const { expired } = await backend.reads.expired({ limit: 1_000 }, Date.now());
  return Object.fromEntries(expired.map(({ _id, cause }) => [_id, cause]));
}

function clusterTarget(uri: string) {
  const { place, ...login } = parseRedisUri(uri);
  if (place.is !== 'cluster') throw new Error('no cluster');
  return { ...login, place };
}

type Node = Deployment['servers'][number];

async function mastersOf({ servers }: Deployment): Promise<Node[]> {
  const found: Node[] = [];
  for (const node of servers) if (node.admin.isReady && (await node.admin.isToMaster())) found.push(node);
  return found;
}

/** Begins to move a slot to another master, as redis-cli --cluster reshard does. */
async function beginMove(cluster: Deployment, slot: number) {
  const masters = await mastersOf(cluster);
  const names = await Promise.all(
    masters.map(async ({ admin }) => textOf(await admin.command('CLUSTER', 'MYID'))),
  );
  const ranges = listOf((await masters[0]?.admin.command('CLUSTER', 'SLOTS')) ?? []).map(range =>
    listOf(range),
  );
  const range = ranges.find(([from, to]) => slot >= Number(from) && slot <= Number(to));
  const owner = textOf(listOf(range?.[2])[2]);
  const from = masters[names.indexOf(owner)];
  const toName = names.find(name => name !== owner) ?? '';
  const to = masters[names.indexOf(toName)];
  if (from === undefined || to === undefined) throw new Error(`slot ${slot} has no master`);
  await to.admin.command('CLUSTER', 'SETSLOT', slot, 'IMPORTING', owner);
  await from.admin.command('CLUSTER', 'SETSLOT', slot, 'MIGRATING', toName);
  return {
    async migrate(...keys: string[]) {
      for (const key of keys) await from.admin.command('MIGRATE', '127.0.0.1', to.server.port, key, 0, 5_000);
    },
    async end() {
      const rest = listOf(await from.admin.command('CLUSTER', 'GETKEYSINSLOT', slot, 1_000)).map(textOf);
      await this.migrate(...rest);
      for (const { admin } of [to, from, ...masters])
        await admin.command('CLUSTER', 'SETSLOT', slot, 'NODE', toName);
      // Two moves at the same epoch leave a slot with either master, and Redis deletes its keys on the other.
      await eventually(async () => {
        const epochs = await Promise.all(cluster.servers.map(({ admin }) => epochOf(admin)));
        expect(new Set(epochs).size).toBe(1);
      });
    },
  };
}

/** The latest epoch of the cluster that a node knows. */
async function epochOf(admin: CommandConnection): Promise<string | undefined> {
  return /cluster_current_epoch:(\d+)/.exec(textOf(await admin.command('CLUSTER', 'INFO')))?.[1];
}
