import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type EtcdBackend, openEtcd } from '../../../../../electron/engine/backends/etcd/etcd-backend.ts';
import { readServerFacts } from '../../../../../electron/engine/backends/etcd/server/server-facts.ts';
import { MeterRegistry } from '../../../../../electron/engine/expiry/meters.ts';
import { systemClock } from '../../../../../electron/engine/platform/clock.ts';
import { openTestEtcd, silentLog } from '../../../../support/etcd-client.ts';
import {
  type EtcdCluster,
  type EtcdServer,
  NEEDS_ETCD,
  startEtcdCluster,
} from '../../../../support/etcd-server.ts';
import { runsHere } from '../../../../support/runs-here.ts';
import { temporaryFolder } from '../../../../support/temporary.ts';

/** An election takes a second, and on a loaded machine many. */
const SOON = { timeout: 60_000, interval: 100 };

async function open({ uri }: EtcdCluster): Promise<EtcdBackend> {
  const backend = await openEtcd({
    uri,
    mirrorFile: join(temporaryFolder(), 'mirror.sqlite'),
    clock: systemClock,
    log: silentLog,
    meters: new MeterRegistry(),
    readOnly: false,
  });
  onTestFinished(() => backend.close());
  return backend;
}

async function leaderOf({ members }: EtcdCluster): Promise<EtcdServer> {
  return vi.waitFor(async () => {
    for (const member of members) {
      const { memberId, leaderId } = await readServerFacts(openTestEtcd(member.uri).client);
      if (memberId === leaderId) return member;
    }
    throw new Error('no member leads');
  }, SOON);
}

const ids = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}/${i}`);

const shown = async (backend: EtcdBackend, collection: string) => {
  if (!backend.hasCollection(collection)) return [];
  const page = await backend.reads.documents(
    { collection, limit: 100, sort: '_id', order: 'asc', includeExpired: true },
    Date.now(),
  );
  return page.documents.map(({ _id }) => _id);
};

describe.runIf(runsHere('a cluster of etcd with three members', NEEDS_ETCD))(
  'etcd with three members',
  { timeout: 180_000 },
  () => {
    it('loses its leader while leases expire: nothing wrong is shown, nothing is lost, and a finding says so', async () => {
      const cluster = await startEtcdCluster(3);
      const etcd = openTestEtcd(cluster.uri);
      const [short, long] = [await etcd.grant(5), await etcd.grant(900)];
      for (const id of ids('short', 20)) await etcd.put(id, 'v', short);
      for (const id of ids('long', 20)) await etcd.put(id, 'v', long);
      for (const id of ids('plain', 5)) await etcd.put(id, 'v');
      const backend = await open(cluster);
      await vi.waitFor(() => expect(backend.remote.mirror?.is).toBe('live'), SOON);
      expect((await shown(backend, 'long')).sort()).toEqual(ids('long', 20).sort());

      const leader = await leaderOf(cluster);
      await leader.kill();
      const finding = await vi.waitFor(() => {
        const found = backend.remote.findings.find(({ id }) => id === 'new leader');
        expect(found?.sentence).toMatch(/A new leader was elected at /);
        return found;
      }, SOON);
      expect(finding).toBeDefined();
      await vi.waitFor(() => expect(backend.remote).toMatchObject({ unreachable: null }), SOON);

      // Writes go to the members that are left.
      await etcd.put('long/new', 'v', long);
      // The new leader starts the duration of the short lease again, and ends it.
      await vi.waitFor(async () => expect(await shown(backend, 'short')).toEqual([]), SOON);
      await vi.waitFor(
        async () =>
          expect((await shown(backend, 'long')).sort()).toEqual([...ids('long', 20), 'long/new'].sort()),
        SOON,
      );
      expect(await shown(backend, 'plain')).toEqual(ids('plain', 5));
      expect(backend.remote.mirror?.is).toBe('live');

      // Each key left once, and by its lease; none that has a lease left.
      const { expired } = await backend.reads.expired({ limit: 100 }, Date.now());
      expect(expired.map(({ _id }) => _id).sort()).toEqual(ids('short', 20).sort());
      expect(new Set(expired.map(({ cause }) => cause))).toEqual(new Set(['expired']));

      // The member that comes back changes nothing.
      await leader.start();
      await etcd.put('long/last', 'v', long);
      await vi.waitFor(async () => expect(await shown(backend, 'long')).toContain('long/last'), SOON);
      expect((await backend.reads.expired({ limit: 100 }, Date.now())).expired).toHaveLength(20);
    });

    it('is unreachable while most members are away, writes nothing twice, and continues afterwards', async () => {
      const cluster = await startEtcdCluster(3);
      const etcd = openTestEtcd(cluster.uri);
      await etcd.put('jobs/a', '1');
      const backend = await open(cluster);
      await vi.waitFor(() => expect(backend.remote.mirror?.is).toBe('live'), SOON);
      const [first, second] = cluster.members;
      await Promise.all([first?.kill(), second?.kill()]);
      await expect(backend.put('jobs', 'jobs/a', { value: '2' })).rejects.toMatchObject({
        code: 'SERVER_UNREACHABLE',
      });
      // Read meanwhile: the last known state.
      expect(await shown(backend, 'jobs')).toEqual(['jobs/a']);
      await Promise.all([first?.start(), second?.start()]);
      await vi.waitFor(async () => {
        await etcd.put('jobs/b', '1');
        expect(backend.remote).toMatchObject({ unreachable: null, mirror: { is: 'live' } });
        expect(await shown(backend, 'jobs')).toEqual(['jobs/a', 'jobs/b']);
      }, SOON);
    });
  },
);
